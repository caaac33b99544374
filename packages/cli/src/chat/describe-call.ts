import type { JsonObject } from '@longhaul/runtime'
import { showText } from '../terminal/text-width.ts'

/** A tool call on one line: `run_command ls -la`, `read_file notes.md`. */
export function describeCall(name: string, input: JsonObject): string {
  const values = Object.entries(input)
  const [only] = values
  const words =
    values.length === 1 && only !== undefined
      ? showValue(only[1])
      : values.map(([key, value]) => `${key}=${showValue(value)}`).join(' ')
  return showText(`${name} ${words}`).replaceAll(/\s+/g, ' ').trim()
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
