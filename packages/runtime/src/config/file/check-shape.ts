import { findNearestName } from '@longhaul/engine/advanced'
import { z } from 'zod'
import { AGENT_KEYS, OLD_NAMES } from './aliases.ts'
import { FILE } from './file-schema.ts'
import type { FileContent } from './file-schema.ts'
import { valueAt } from './key-path.ts'
import type { KeyPath } from './key-path.ts'

/** Something wrong at a canonical path. */
export interface KeyProblem {
  readonly path: KeyPath
  readonly message: string
}

export interface CheckedShape {
  /** null if something is wrong. */
  readonly content: FileContent | null
  readonly problems: readonly KeyProblem[]
}

/** Everything but policies, providers and models, which their own packages check. */
export function checkShape(content: unknown): CheckedShape {
  const parsed = FILE.safeParse(content)
  if (!parsed.success) {
    return { content: null, problems: parsed.error.issues.flatMap((issue) => describeIssue(issue, content)) }
  }
  const ofServers = Object.entries(parsed.data.mcp ?? {}).flatMap(([name, server]) => checkMcpServer(name, server))
  const problems = [...ofServers, ...checkSandbox(parsed.data.tools?.command ?? {})]
  return { content: problems.length > 0 ? null : parsed.data, problems }
}

function describeIssue(issue: z.core.$ZodIssue, content: unknown): readonly KeyProblem[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeysAt(path)
    return issue.keys.map((key) => ({ path: [...path, key], message: describeUnknown(key, known) }))
  }
  const value = valueAt(content, path)
  if (issue.code !== 'invalid_value') return [{ path, message: `${issue.message}, got ${kindOf(value)}` }]
  const choices = issue.values.map(String)
  const nearest = typeof value === 'string' ? findNearestName(value, choices) : undefined
  const got = typeof value === 'string' ? JSON.stringify(value) : kindOf(value)
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return [{ path, message: `expected one of ${choices.join(', ')}, got ${got}${hint}` }]
}

export function describeUnknown(key: string, known: readonly string[]): string {
  const nearest = findNearestName(key, known)
  return nearest === undefined ? `unknown key; known are ${known.join(', ')}` : `unknown key; did you mean ${nearest}?`
}

/** At the top, keys of a policy are understood too. */
function knownKeysAt(path: KeyPath): readonly string[] {
  const known = Object.keys(shapeAt(FILE, path))
  return path.length === 0 ? [...known, ...AGENT_KEYS, ...Object.keys(OLD_NAMES)] : known
}

function shapeAt(schema: unknown, path: KeyPath): object {
  if (schema instanceof z.ZodOptional) return shapeAt(schema.unwrap(), path)
  const [name, ...rest] = path
  if (schema instanceof z.ZodRecord) return shapeAt(schema.valueType, rest)
  if (!(schema instanceof z.ZodObject)) return {}
  const shape: Readonly<Record<string, unknown>> = schema.shape
  return name === undefined ? shape : shapeAt(shape[name], rest)
}

type McpServer = NonNullable<FileContent['mcp']>[string]

function checkMcpServer(name: string, { command, url, args, env, headers }: McpServer): readonly KeyProblem[] {
  const problem = (message: string, ...key: string[]): KeyProblem[] => [{ path: ['mcp', name, ...key], message }]
  if (command === undefined && url === undefined) return problem('say how to reach it: command, or url')
  if (command !== undefined && url !== undefined) return problem('expected command or url, not both', 'url')
  if (url === undefined) return headers === undefined ? [] : problem('belongs to a url, not to a command', 'headers')
  if (args !== undefined) return problem('belongs to a command, not to a url', 'args')
  return env === undefined ? [] : problem('belongs to a command, not to a url', 'env')
}

type CommandSettings = NonNullable<NonNullable<FileContent['tools']>['command']>

/** A key that the chosen sandbox does not know would promise what nobody keeps. */
function checkSandbox({ sandbox = 'auto', image, network, readable }: CommandSettings): readonly KeyProblem[] {
  const problem = (key: string, message: string): KeyProblem => ({ path: ['tools', 'command', key], message })
  const isKnown = sandbox === 'docker' || sandbox === 'bubblewrap'
  return [
    ...(sandbox === 'docker' && image === undefined ? [problem('sandbox', 'docker needs tools.command.image')] : []),
    ...(sandbox !== 'docker' && image !== undefined ? [problem('image', 'belongs to the sandbox docker')] : []),
    ...(!isKnown && network !== undefined
      ? [problem('network', 'belongs to the sandboxes bubblewrap and docker')]
      : []),
    ...(sandbox !== 'bubblewrap' && readable !== undefined
      ? [problem('readable', 'belongs to the sandbox bubblewrap')]
      : []),
  ]
}

/** Never the value itself: it may be a secret in the wrong place. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'another text'
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'nothing'
}
