import type { SealedMessage, SealedRequest } from '../request/seal/sealed-request.ts'

/** What a strict provider would refuse about a request, in its own words; empty means valid. Written apart from the seal. */
export function findInvalid({ messages }: Pick<SealedRequest, 'messages'>): readonly string[] {
  const problems: string[] = []
  const firstOther = messages.findIndex((message) => message.role !== 'system')
  const turns = messages.slice(Math.max(0, firstOther))
  if (turns.some((message) => message.role === 'system')) problems.push('system message after the start')
  if (turns[0]?.role !== 'user') problems.push(`starts with ${turns[0]?.role ?? 'nothing'}`)
  const last = turns.at(-1)?.role
  if (last !== 'user' && last !== 'tool') problems.push(`ends with ${last ?? 'nothing'}`)
  const seenIds = new Set<string>()
  turns.forEach((message, index) =>
    problems.push(...checkMessage(message, turns[index - 1], turns[index + 1], seenIds)),
  )
  return problems
}

function checkMessage(
  message: SealedMessage,
  before: SealedMessage | undefined,
  after: SealedMessage | undefined,
  seenIds: Set<string>,
): readonly string[] {
  const problems: string[] = []
  if (message.parts.length === 0) problems.push(`empty ${message.role} message`)
  if (before?.role === message.role) problems.push(`two ${message.role} messages in a row`)
  if (message.role === 'tool' && before?.role !== 'assistant')
    problems.push('tool message without an assistant before it')
  const calls: string[] = []
  const results: string[] = []
  for (const part of message.parts) {
    if (part.type === 'text' && part.text.trim() === '') problems.push('empty text')
    if (part.type === 'tool-call') {
      if (message.role !== 'assistant') problems.push('call outside an assistant message')
      if (seenIds.has(part.toolCallId)) problems.push(`id ${part.toolCallId} used twice`)
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(part.toolName)) problems.push(`tool name ${part.toolName}`)
      if (typeof part.input !== 'object' || part.input === null || Array.isArray(part.input))
        problems.push('input is no object')
      seenIds.add(part.toolCallId)
      calls.push(part.toolCallId)
    }
    if (part.type === 'tool-result') {
      if (message.role !== 'tool') problems.push('result outside a tool message')
      if (part.output.length === 0) problems.push('empty result')
      results.push(part.toolCallId)
    }
    if (!isWellFormed({ ...part, providerOptions: null })) problems.push('lone surrogate')
  }
  if (calls.length > 0 && after?.role !== 'tool') problems.push('calls without results')
  if (message.role === 'tool') {
    const asked = before?.parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])) ?? []
    if (JSON.stringify(asked) !== JSON.stringify(results))
      problems.push(`calls ${asked.join()} answered by ${results.join()}`)
  }
  return problems
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  return typeof value !== 'object' || value === null || Object.entries(value).flat().every(isWellFormed)
}
