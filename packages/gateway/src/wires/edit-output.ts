import { outputText } from '@longhaul/engine/advanced'
import type { ContentPart, ToolOutput } from '@longhaul/engine'
import { encodeJson } from '../json/bytes.ts'
import { findElements } from '../json/scan-json.ts'
import { replaceSpans } from '../json/splice-changes.ts'

export interface OutputEdit {
  readonly before: ToolOutput
  readonly shown: ToolOutput
  /** The wire's name for a block of text. */
  readonly textType: 'text' | 'input_text'
}

/** The output of a tool with other texts. Among images, only the texts that were changed are written anew. */
export function editOutput(raw: string, { before, shown, textType }: OutputEdit): string {
  if (typeof shown === 'string') return encodeJson(shown)
  const spans = raw.startsWith('[') ? findElements(raw, 0) : []
  if (typeof before === 'string' || before.length !== shown.length || spans.length !== shown.length)
    return encodeJson(outputText(shown))
  return replaceSpans(
    raw,
    spans.flatMap((span, index) => {
      const [one, other] = [before[index], shown[index]]
      return isSameOutput([one as ContentPart], [other as ContentPart])
        ? []
        : [{ ...span, by: encodeJson({ type: textType, text: outputText([other as ContentPart]) }) }]
    }),
  )
}

export function isSameOutput(one: ToolOutput, other: ToolOutput): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
