import { showHidden } from '@longhaul/engine/advanced'
import type { JsonObject, ToolCallPart } from '@longhaul/engine/advanced'

/**
 * A call as a person must see it before they allow it: the tool, why it asks, and everything it was given, with hidden
 * characters made visible.
 */
export function displayCall({ toolName, input }: Pick<ToolCallPart, 'toolName' | 'input'>, reason: string): string {
  return [`${onOneLine(toolName)} (${onOneLine(reason)})`, ...displayInput(input).map((line) => `  ${line}`)].join('\n')
}

/** Everything a call was given. Lines of a value stand indented, so that none can pass for the name of another value. */
export function displayInput(input: JsonObject): readonly string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const lines = showHidden(typeof value === 'string' ? value : JSON.stringify(value)).split('\n')
    const name = onOneLine(key)
    return lines.length === 1 ? [`${name}: ${lines[0]}`] : [`${name}:`, ...lines.map((line) => `  ${line}`)]
  })
}

function onOneLine(text: string): string {
  return showHidden(text.replaceAll(/[\t\n]+/g, ' '))
}
