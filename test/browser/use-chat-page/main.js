// What somebody writes who has never heard of Longhaul: the AI SDK's own hook, pointed at the server, and nothing else.
import { useChat } from '@ai-sdk/react'
import { createElement as element, useState } from 'react'
import { createRoot } from 'react-dom/client'

const { chat = 'chat-1', resume } = Object.fromEntries(new URLSearchParams(location.search))
const stored = JSON.parse(localStorage.getItem(chat) ?? '[]')

function Chat() {
  const [text, setText] = useState('')
  const [told, setTold] = useState([])
  const { messages, sendMessage, status, error } = useChat({
    id: chat,
    messages: stored,
    resume: resume !== undefined,
    onData: ({ type }) => setTold((all) => [...all, type]),
  })
  const send = (event) => {
    event.preventDefault()
    void sendMessage({ text })
    setText('')
  }
  // What a page keeps for itself: the user's messages, so that a reload shows them.
  localStorage.setItem(chat, JSON.stringify(messages.filter(({ role }) => role === 'user')))
  return element(
    'main',
    null,
    element('output', { id: 'status' }, status),
    element('output', { id: 'error' }, error?.message ?? ''),
    element('output', { id: 'told' }, told.join(' ')),
    messages.map(({ id, role, parts }) =>
      element(
        'article',
        { key: id, 'data-role': role },
        parts.map((part, index) => element(Part, { key: index, part })),
      ),
    ),
    element(
      'form',
      { onSubmit: send },
      element('input', { 'aria-label': 'message', value: text, onChange: (event) => setText(event.target.value) }),
      element('button', null, 'Send'),
    ),
  )
}

function Part({ part }) {
  if (part.type === 'text') return element('p', null, part.text)
  if (part.type === 'dynamic-tool')
    return element('pre', { 'data-state': part.state }, `${part.toolName}: ${part.output ?? part.errorText ?? ''}`)
  return part.type.startsWith('data-') ? element('i', { 'data-part': part.type }) : null
}

createRoot(document.getElementById('root')).render(element(Chat))
