import type { LanguageModelV4FilePart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { ContentPart, ToolResultPart } from '@longhaul/engine/advanced'
import { convertMedia, describeMedia } from './media.ts'
import type { MediaContext } from './media.ts'

export interface ConvertedOutput {
  readonly output: LanguageModelV4ToolResultOutput
  /** What has to follow the tool message, where results are text alone. */
  readonly mediaAfter: readonly LanguageModelV4FilePart[]
}

/** Stands first in a result that has no words of its own: some vendors take an image only beside a text. */
const MEDIA_ALONE = '[The result is attached.]'
const MEDIA_AFTER = '[The rest of the result is attached below the tool results.]'

/**
 * One text first, then the images and files: with several texts, or with none, the SDK makes several results or no
 * result of the one call for older Gemini models.
 */
export function convertOutput({ output, isError = false }: ToolResultPart, context: MediaContext): ConvertedOutput {
  if (typeof output === 'string') return { output: textOutput(output, isError), mediaAfter: [] }
  // An error that is not text cannot be told from a success.
  if (isError) return { output: textOutput(output.map(describeContent).join('\n'), true), mediaAfter: [] }
  const converted = output.map((part) => (part.type === 'text' ? part : convertMedia(part, context)))
  const files = converted.filter((part) => part.type === 'file')
  const text = converted.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n')
  if (files.length === 0) return { output: textOutput(text, false), mediaAfter: [] }
  if (context.dialect.toolMedia === 'after') {
    return {
      output: textOutput(text === '' ? MEDIA_AFTER : `${text}\n${MEDIA_AFTER}`, false),
      mediaAfter: files,
    }
  }
  const first = { type: 'text' as const, text: text === '' ? MEDIA_ALONE : text }
  return { output: { type: 'content', value: [first, ...files] }, mediaAfter: [] }
}

function textOutput(value: string, isError: boolean): LanguageModelV4ToolResultOutput {
  return { type: isError ? 'error-text' : 'text', value }
}

function describeContent(part: ContentPart): string {
  return part.type === 'text' ? part.text : describeMedia(part, 'an error is told in words')
}
