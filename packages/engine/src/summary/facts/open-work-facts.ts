import { shortenEnd } from '../../messages/shorten.ts'
import { isRecord } from '../../transcript/json.ts'
import { redactSecrets } from '../redact-secrets.ts'
import type { AddMention } from './fact-collector.ts'
import type { ToolUse } from './tool-use.ts'

const MAX_TODOS = 60
const MAX_CHARS = 200
const MAX_INPUT_CHARS = 120
const LIST_KEYS = ['todos', 'items', 'tasks', 'plan', 'steps', 'todo_list', 'todoList'] as const
const TEXT_KEYS = ['content', 'step', 'text', 'title', 'task', 'description', 'subject', 'name'] as const

/** Notes of to-do facts begin with this; a newer list replaces the older one whole. */
export const TODO_NOTE = 'todo'

/** Calls nothing came back from, and the newest to-do list with the state of each point. */
export function collectOpenWork(uses: readonly ToolUse[], add: AddMention): void {
  for (const { call, entry, command, outcome } of uses) {
    if (outcome !== null) continue
    const what = command?.split('\n', 1)[0] ?? shortenEnd(redactSecrets(JSON.stringify(call.input)), MAX_INPUT_CHARS)
    add({
      kind: 'open-work',
      text: shortenEnd(`${call.toolName} ${what}`, MAX_CHARS),
      note: 'no result',
      by: 'assistant',
      entry,
    })
  }
  const list = uses.findLast((use) => use.outcome?.failed !== true && readTodos(use).length > 0)
  if (list === undefined) return
  for (const { text, state } of readTodos(list))
    add({
      kind: 'open-work',
      text: shortenEnd(text, MAX_CHARS),
      note: `${TODO_NOTE}: ${state}`,
      by: 'assistant',
      entry: list.entry,
    })
}

interface Todo {
  readonly text: string
  readonly state: 'pending' | 'in progress' | 'done'
}

function readTodos({ call, words }: ToolUse): readonly Todo[] {
  if (!words.some((word) => /^(?:todos?|todowrite|tasks?|plan|checklist)$/.test(word))) return []
  const list = LIST_KEYS.map((key) => call.input[key]).find((value) => Array.isArray(value))
  if (Array.isArray(list)) return list.slice(0, MAX_TODOS).flatMap(readTodo)
  const text = Object.values(call.input).find(
    (value) => typeof value === 'string' && /^\s*[-*] \[[ x~/-]\]/im.test(value),
  )
  return typeof text === 'string' ? readCheckboxes(text) : []
}

function readTodo(value: unknown): readonly Todo[] {
  if (typeof value === 'string') return [{ text: value, state: 'pending' }]
  if (!isRecord(value)) return []
  const text = TEXT_KEYS.map((key) => value[key]).find((field) => typeof field === 'string' && field.trim() !== '')
  return typeof text === 'string'
    ? [{ text, state: readState(value['status'] ?? value['state'] ?? value['done'] ?? value['completed']) }]
    : []
}

function readState(value: unknown): Todo['state'] {
  if (value === true || (typeof value === 'string' && /^(?:done|complete|finish|cancel|closed)/i.test(value)))
    return 'done'
  return typeof value === 'string' && /progress|active|doing|current/i.test(value) ? 'in progress' : 'pending'
}

function readCheckboxes(text: string): readonly Todo[] {
  return [...text.matchAll(/^\s{0,20}[-*] \[([ x~/-])\] (.{1,400})$/gim)]
    .slice(0, MAX_TODOS)
    .map(([, mark, words = '']) => ({
      text: words.trim(),
      state: /x/i.test(mark ?? '') ? 'done' : mark === ' ' ? 'pending' : 'in progress',
    }))
}
