import { isRecord, readParts, textOf } from '@longhaul/engine/advanced'
import type { JsonObject, MessageEntry, Part, Usage } from '@longhaul/engine/advanced'
import type { MessageFields } from '../entry-list.ts'
import type { Fields } from '../parse-lines.ts'
import { optional, outputOf, readBilledTokens, readModelId, readString, recordAt } from '../read-values.ts'

/** One of pi's messages as one of ours; null for what no model ever saw. */
export function readPiMessage(message: Fields): MessageFields | null {
  switch (message['role']) {
    case 'assistant':
      return readAssistant(message)
    case 'toolResult':
      return { role: 'tool', parts: readParts([readToolResult(message)], 'tool') }
    case 'bashExecution':
      return message['excludeFromContext'] === true ? null : userText(shellText(message))
    case 'branchSummary':
      return userText(branchText(message['summary']))
    default:
      return { role: 'user', parts: readPiContent(message['content']) }
  }
}

export function readPiUsage(value: unknown): Usage | undefined {
  const usage = isRecord(value) ? value : {}
  return readBilledTokens({
    uncached: usage['input'],
    output: usage['output'],
    cacheRead: usage['cacheRead'],
    cacheWrite: usage['cacheWrite'],
    costUsd: recordAt(usage, 'cost')['total'],
  })
}

export function userText(text: string): MessageFields {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

/** In pi's own words, which the model read. */
export function branchText(summary: unknown): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${textOf(summary)}</summary>`
}

export function readPiContent(content: unknown): readonly Part[] {
  return readParts(Array.isArray(content) ? content.map(fromContent) : content, 'user')
}

function readAssistant(message: Fields): MessageFields {
  const { content } = message
  const provider = readString(message['provider'])
  const parts = Array.isArray(content) ? content.map((part) => fromAssistantPart(part, provider)) : content
  return {
    role: 'assistant',
    parts: readParts(parts, 'assistant'),
    ...optional('model', readModelId(provider, message['model'])),
    ...optional('usage', readPiUsage(message['usage'])),
    ...optional('finish', FINISH[textOf(message['stopReason'])]),
  }
}

const FINISH: Readonly<Record<string, NonNullable<MessageEntry['finish']>>> = {
  stop: 'stop',
  toolUse: 'tool-calls',
  length: 'length',
  error: 'error',
  aborted: 'aborted',
}

function readToolResult(message: Fields): unknown {
  return {
    type: 'tool-result',
    toolCallId: message['toolCallId'],
    toolName: message['toolName'],
    output: outputOf(readPiContent(message['content'])),
    ...(message['isError'] === true ? { isError: true } : {}),
  }
}

function fromContent(part: unknown): unknown {
  if (!isRecord(part) || part['type'] !== 'image') return withoutSignature(part)
  return { type: 'image', image: part['data'], mediaType: part['mimeType'] }
}

function fromAssistantPart(part: unknown, provider: string | undefined): unknown {
  if (!isRecord(part)) return part
  switch (part['type']) {
    case 'thinking':
      return { type: 'reasoning', text: part['thinking'], ...optional('providerOptions', signed(part, provider)) }
    case 'toolCall':
      return { type: 'tool-call', toolCallId: part['id'], toolName: part['name'], input: part['arguments'] }
    default:
      return fromContent(part)
  }
}

/** What a signature is called differs by provider, so that each gets its own back under the name it knows. */
function signed(part: Fields, provider = 'unknown'): JsonObject | undefined {
  const signature = readString(part['thinkingSignature'])
  if (signature === undefined) return undefined
  if (provider.startsWith('google')) return { google: { thoughtSignature: signature } }
  return { [provider]: part['redacted'] === true ? { redactedData: signature } : { signature } }
}

/** Ids of a provider's own store, which no other request can use. */
function withoutSignature(part: unknown): unknown {
  if (!isRecord(part) || part['textSignature'] === undefined) return part
  const { textSignature: _textSignature, ...rest } = part
  return rest
}

/** A command the user ran, as pi tells the model of it. */
function shellText(message: Fields): string {
  const output = textOf(message['output'])
  const { exitCode } = message
  return [
    `Ran \`${textOf(message['command'])}\`\n${output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``}`,
    ...(message['cancelled'] === true ? ['(command cancelled)'] : []),
    ...(message['cancelled'] !== true && typeof exitCode === 'number' && exitCode !== 0
      ? [`Command exited with code ${exitCode}`]
      : []),
    ...(message['truncated'] === true && typeof message['fullOutputPath'] === 'string'
      ? [`[Output truncated. Full output: ${message['fullOutputPath']}]`]
      : []),
  ].join('\n\n')
}
