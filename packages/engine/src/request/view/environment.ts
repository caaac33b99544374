import type { JsonObject } from '../../transcript/json.ts'
import { estimateField } from '../../tokens/estimate-message.ts'
import type { Estimator } from '../../tokens/estimate-message.ts'
import { frameNotes } from '../../messages/frame-notes.ts'
import { hashText } from '../../tokens/hash.ts'
import type { BootstrapFile } from '../../truncation/limit-bootstrap-file.ts'

export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** Who brings a tool, where it is not Longhaul itself. */
export type ToolOrigin = { readonly kind: 'program' } | { readonly kind: 'mcp'; readonly server: string }

/** What surrounds the messages of a request. Read anew only at cold points: any change breaks every prompt cache. */
export interface Environment {
  readonly system: string | null
  readonly files: readonly BootstrapFile[]
  readonly tools: readonly ToolSchema[]
  /** The measure of an environment whose texts are not at hand. */
  readonly measured?: EnvironmentMeasure
}

export interface EnvironmentPart {
  readonly kind: 'system' | 'file' | 'tools'
  readonly label: string
  readonly tokens: number
  readonly chars: number
}

export interface EnvironmentMeasure {
  readonly hash: string
  readonly tokens: number
  readonly parts: readonly EnvironmentPart[]
}

const memo: Readonly<Record<Estimator, WeakMap<Environment, EnvironmentMeasure>>> = {
  plain: new WeakMap(),
  classes: new WeakMap(),
}

/** Remembered per environment object. */
export function measureEnvironment(environment: Environment, estimator: Estimator): EnvironmentMeasure {
  const known = environment.measured ?? memo[estimator].get(environment)
  if (known !== undefined) return known
  const tools = JSON.stringify(environment.tools)
  const part = (kind: EnvironmentPart['kind'], label: string, text: string): EnvironmentPart => ({
    kind,
    label,
    tokens: estimateField(text, estimator),
    chars: text.length,
  })
  const parts = [
    ...(environment.system === null ? [] : [part('system', 'system prompt', environment.system)]),
    ...environment.files.map((file) => part('file', file.name, renderFile(file))),
    ...(environment.tools.length === 0 ? [] : [part('tools', `${environment.tools.length} tools`, tools)]),
  ]
  const measure = {
    hash: hashText(`${renderSystem(environment) ?? ''}\n${tools}`),
    tokens: parts.reduce((tokens, { tokens: more }) => tokens + more, 0),
    parts,
  }
  memo[estimator].set(environment, measure)
  return measure
}

/** The system prompt with the injected files under it; null if there is neither. */
export function renderSystem({ system, files }: Environment): string | null {
  const texts = [...(system === null || system === '' ? [] : [system]), ...files.map(renderFile)]
  return texts.length === 0 ? null : texts.join('\n\n')
}

/** The frame is put around what is left after cutting, so that it always ends. */
function renderFile({ name, text, isForeign }: BootstrapFile): string {
  return `# ${name}\n\n${isForeign === true ? frameNotes(text) : text}`
}
