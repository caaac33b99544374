import type { FilePart, ImagePart, Message, Part, ToolOutput } from '../transcript/message.ts'
import { countNumberedLines } from './count-numbered-lines.ts'
import { estimateText } from './estimate-text.ts'
import type { Estimate } from './meter.ts'

/** `plain` is the seeds' floor(characters / 4); `classes` knows scripts, code, JSON and encoded data. */
export type Estimator = 'plain' | 'classes'

/** Changes whenever an estimate of the same message would, or what is counted beside it: stored estimates carry it. */
export const ESTIMATOR_VERSION = 2

/** What roles and separators cost on the wire, beside the content. The seeds do not count it. */
const MESSAGE_TOKENS: Readonly<Record<Estimator, number>> = { plain: 0, classes: 4 }
const TOOL_PART_TOKENS: Readonly<Record<Estimator, number>> = { plain: 0, classes: 8 }

const IMAGE_TOKENS = 1_600
const PIXELS_PER_TOKEN = 750
/** A document in base64: providers read text and page images out of it; this is a rule of thumb. */
const FILE_CHARS_PER_TOKEN = 16

const memo: Readonly<Record<Estimator, WeakMap<Message | Part, number>>> = {
  plain: new WeakMap(),
  classes: new WeakMap(),
}

/** Remembered per message object, so that a message is read once however often the context is measured. */
export function estimateMessage(message: Message, estimator: Estimator): number {
  return remember(message, estimator, () =>
    message.parts.reduce((tokens, part) => tokens + estimatePart(part, estimator), MESSAGE_TOKENS[estimator]),
  )
}

export function measureMessage(message: Message, estimator: Estimator): Estimate {
  return {
    tokens: estimateMessage(message, estimator),
    frames: countFrames(message),
    numberedLines: countNumberedLines(message),
  }
}

/** What a provider may wrap in words of its own: each tool call, and each of its arguments. */
export function countFrames({ parts }: Message): number {
  return parts.reduce(
    (frames, part) => frames + (part.type === 'tool-call' ? 1 + Object.keys(part.input).length : 0),
    0,
  )
}

/** One part alone, remembered too: joined and pruned messages share most of their parts with the stored ones. */
export function estimatePart(part: Part, estimator: Estimator): number {
  return remember(part, estimator, () => estimateContent(part, estimator))
}

function remember(value: Message | Part, estimator: Estimator, estimate: () => number): number {
  const known = memo[estimator].get(value)
  if (known !== undefined) return known
  const tokens = estimate()
  memo[estimator].set(value, tokens)
  return tokens
}

/** One non-empty text field: at least 1. */
export function estimateField(text: string, estimator: Estimator): number {
  if (text === '') return 0
  return estimator === 'classes' ? estimateText(text) : Math.max(1, Math.floor(text.length / 4))
}

function estimateContent(part: Part, estimator: Estimator): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimateField(part.text, estimator)
    case 'image':
      return estimateImage(part)
    case 'file':
      return estimateFile(part)
    case 'tool-call':
      return (
        TOOL_PART_TOKENS[estimator] +
        estimateField(part.toolName, estimator) +
        estimateField(JSON.stringify(part.input), estimator)
      )
    case 'tool-result':
      return TOOL_PART_TOKENS[estimator] + estimateOutput(part.output, estimator)
    default:
      return part satisfies never
  }
}

function estimateOutput(output: ToolOutput, estimator: Estimator): number {
  if (typeof output === 'string') return estimateField(output, estimator)
  return output.reduce((tokens, part) => tokens + estimatePart(part, estimator), 0)
}

function estimateImage({ width, height }: ImagePart): number {
  if (width === undefined || height === undefined) return IMAGE_TOKENS
  return Math.min(IMAGE_TOKENS, Math.max(1, Math.ceil((width * height) / PIXELS_PER_TOKEN)))
}

function estimateFile({ data, mediaType }: FilePart): number {
  if (mediaType.startsWith('image/')) return IMAGE_TOKENS
  return Math.max(1, Math.ceil(data.length / FILE_CHARS_PER_TOKEN))
}
