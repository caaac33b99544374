import { expect, it } from 'vitest'
import { readConversation } from '../reading/read-conversation.ts'
import { assistant, user } from '../testing/build-prompt.ts'
import { planTitle } from './plan-title.ts'

const WANTED = 'Give this conversation a short title of at most six words.'

it.each([
  ['Can you fix the login bug in auth.ts? It loops.', 'Fix the login bug in auth.ts'],
  ['please help me plan a trip to Kyoto with two kids and a dog', 'Plan a trip to Kyoto with two'],
  ['帮我写一份周报。', '帮我写一份周报'],
  ['😀', 'New conversation'],
])('%s', (first, title) => {
  expect(planTitle(readConversation([user(first), assistant('Yes.'), user(WANTED)]))).toBe(title)
})

it('reads the exchange where it stands in the prompt, and the order where it is the system prompt', () => {
  expect(planTitle(readConversation([user(`${WANTED}\n\nUser: Book a table for four\nAssistant: Done.`)]))).toBe(
    'Book a table for four',
  )
  const system = { role: 'system', content: 'You write a short title for a chat.' } as const
  expect(planTitle(readConversation([system, user('Book a table for four')]))).toBe('Book a table for four')
})

it.each(['Give me a title for my novel.', 'What is the title of the session?', 'Book a table.'])(
  '%s wants none',
  (ask) => {
    expect(planTitle(readConversation([user(ask)]))).toBeNull()
  },
)
