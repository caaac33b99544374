import { isRecord } from '../transcript/json.ts'
import type { Message, Part, Role, Usage } from '../transcript/message.ts'
import { readParts, readUsage } from '../transcript/read-message.ts'
import { EngineError } from '../policy/engine-error.ts'
import { describeValue } from './describe-value.ts'

/** A message as a program adds it: text, or parts as in a transcript. */
export interface MessageInput {
  readonly role: Role
  readonly content: string | readonly Part[]
}

const ROLES = ['user', 'assistant', 'tool'] as const
const KEYS: readonly string[] = ['role', 'content', 'parts']
/** Keys of other libraries, and what stands for them here. */
const KNOWN_KEYS: Readonly<Record<string, string>> = {
  tool_calls: 'calls as parts of the content: { type: "tool-call", toolCallId, toolName, input }',
  tool_call_id: 'a result as a part of the content: { type: "tool-result", toolCallId, toolName, output }',
}
const CONTENT = ['text', 'image', 'file'] as const
/** The parts that a message of each role can hold. */
const PARTS: Readonly<Record<Role, readonly string[]>> = {
  user: CONTENT,
  assistant: [...CONTENT, 'reasoning', 'tool-call'],
  tool: ['tool-result'],
}
/** The fields that a part must have, and their kinds. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, FieldKind>>>> = {
  text: { text: 'a string' },
  reasoning: { text: 'a string' },
  image: { image: 'a string' },
  file: { data: 'a string', mediaType: 'a string' },
  'tool-call': { toolCallId: 'a string', toolName: 'a string', input: 'an object' },
  'tool-result': { toolCallId: 'a string', toolName: 'a string', output: 'a string or a list of parts' },
}
type FieldKind = 'a string' | 'an object' | 'a string or a list of parts'

/** Refuses whatever is not a message, and says what was expected and what came. */
export function readMessageStrictly(value: unknown): Message {
  if (!isRecord(value)) refuse('message', '{ role, content }', value)
  const { role } = value
  if (role === 'system') {
    throw new EngineError('invalid-message', [
      {
        path: 'role',
        expected: 'user, assistant or tool (the system text is an option of its own: system)',
        got: '"system"',
      },
    ])
  }
  if (!isRole(role)) refuse('role', ROLES.join(', '), role)
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key)) refuse(key, KNOWN_KEYS[key] ?? 'role and content alone', value[key])
  }
  if ('content' in value && 'parts' in value) refuse('parts', 'content alone, or parts alone', value['parts'])
  const content = 'content' in value ? value['content'] : value['parts']
  if (typeof content === 'string') {
    if (role === 'tool') refuse('content', 'a list of tool-result parts', content)
    return { role, parts: content === '' ? [] : [{ type: 'text', text: content }] }
  }
  if (!Array.isArray(content)) refuse('content', 'a string or a list of parts', content)
  content.forEach((part, index) => checkPart(part, partsOf(role), `content[${index}]`))
  return { role, parts: readParts(content, role) }
}

/**
 * Refuses what a codec made of a host's message if it is not a message: it would be counted wrongly. Whether a part fits its
 * role, and how a model wrote the input of a call, is the host's affair.
 */
export function checkRead(read: unknown): void {
  if (!isRecord(read)) refuse('codec.read', '{ role, parts }, or null', read)
  const { role, parts } = read
  if (role !== 'system' && !isRole(role)) refuse('codec.read: role', `${ROLES.join(', ')}, system`, role)
  if (!Array.isArray(parts)) refuse('codec.read: parts', 'a list of parts', parts)
  parts.forEach((part, index) => checkPart(part, READ, `codec.read: parts[${index}]`))
}

interface KnownParts {
  readonly types: readonly string[]
  /** Where these parts may stand. */
  readonly where: string
  readonly fields: typeof FIELDS
}

const READ: KnownParts = {
  types: Object.keys(FIELDS),
  where: '',
  fields: { ...FIELDS, 'tool-call': { toolCallId: 'a string', toolName: 'a string' } },
}

function partsOf(role: Role): KnownParts {
  return { types: PARTS[role], where: ` in a message of role ${role}`, fields: FIELDS }
}

function checkPart(part: unknown, { types, where, fields }: KnownParts, path: string): void {
  if (!isRecord(part)) refuse(path, `a part: { type: ${quoteAll(types)} }`, part)
  const { type } = part
  if (typeof type !== 'string' || !types.includes(type)) refuse(`${path}.type`, `${quoteAll(types)}${where}`, type)
  for (const [field, kind] of Object.entries(fields[type] ?? {})) checkField(part[field], kind, `${path}.${field}`)
}

function checkField(value: unknown, kind: FieldKind, path: string): void {
  switch (kind) {
    case 'a string':
      if (typeof value !== 'string') refuse(path, kind, value)
      return
    case 'an object':
      if (!isRecord(value)) refuse(path, kind, value)
      return
    case 'a string or a list of parts':
      if (typeof value === 'string') return
      if (!Array.isArray(value)) refuse(path, kind, value)
      value.forEach((part, index) => checkContent(part, `${path}[${index}]`))
      return
    default:
      kind satisfies never
  }
}

function checkContent(part: unknown, path: string): void {
  const type = isRecord(part) ? part['type'] : part
  if (!isRecord(part) || typeof type !== 'string' || !CONTENT.some((known) => known === type))
    refuse(`${path}.type`, quoteAll(CONTENT), type)
  for (const [field, kind] of Object.entries(FIELDS[type] ?? {})) checkField(part[field], kind, `${path}.${field}`)
}

/** Refuses numbers that are not a bill. */
export function readUsageStrictly(value: unknown): Usage {
  const usage = readUsage(value)
  if (usage === undefined || !isRecord(value)) refuse('usage', '{ input, output }, in tokens', value)
  for (const key of ['input', 'output']) {
    const count = value[key]
    if (typeof count !== 'number' || !Number.isFinite(count) || count < 0)
      refuse(`usage.${key}`, 'a number of tokens', count)
  }
  return usage
}

function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value)
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' or ')
}

function refuse(path: string, expected: string, got: unknown): never {
  throw new EngineError('invalid-message', [{ path, expected, got: describeValue(got) }])
}
