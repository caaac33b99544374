import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { FilePart, ImagePart, Part, ToolCallPart } from '@longhaul/engine/advanced'
import type { ModelEvent } from '../../port/model-event.ts'
import { readFile, readToolCall } from './read-piece.ts'
import { mergeOptions, storeBlock } from './text-block.ts'
import type { TextBlock } from './text-block.ts'

/** What has arrived of an answer. */
export interface Answer {
  /** Takes the next piece of the stream; returns what it is to the caller, if anything. */
  take(piece: LanguageModelV4StreamPart): ModelEvent | null
  /** The answer as it is to be stored. */
  parts(): readonly Part[]
  /** Something of it was told to the caller. */
  hasBegun(): boolean
  /** A reasoning block is open: some models think for minutes without a word. */
  isThinking(): boolean
  /** No more will come, and nothing is missing. */
  complete(): void
}

/** `namespace` marks reasoning as its vendor's own where the vendor attached nothing to it. */
export function createAnswer(namespace: string): Answer {
  const blocks: (TextBlock | ToolCallPart | ImagePart | FilePart)[] = []
  const open = new Map<string, TextBlock>()
  let hasBegun = false

  const start = (type: TextBlock['type'], { id, providerMetadata }: BlockPiece): TextBlock => {
    const block: TextBlock = { type, text: '', options: mergeOptions({}, providerMetadata), isOpen: true }
    blocks.push(block)
    open.set(`${type} ${id}`, block)
    return block
  }
  const extend = (type: TextBlock['type'], piece: BlockPiece): ModelEvent | null => {
    const block = open.get(`${type} ${piece.id}`) ?? start(type, piece)
    block.options = mergeOptions(block.options, piece.providerMetadata)
    const text = piece.delta ?? ''
    if (text === '') return null
    block.text += text
    hasBegun = true
    return { type: `${type}-delta`, text }
  }
  const end = (type: TextBlock['type'], piece: BlockPiece): null => {
    extend(type, piece)
    const block = open.get(`${type} ${piece.id}`)
    if (block !== undefined) block.isOpen = false
    // Ids are used again: a later block of the same id is another one.
    open.delete(`${type} ${piece.id}`)
    return null
  }

  return {
    take: (piece) => {
      switch (piece.type) {
        case 'text-start':
          start('text', piece)
          return null
        case 'reasoning-start':
          start('reasoning', piece)
          return null
        case 'text-delta':
          return extend('text', piece)
        case 'reasoning-delta':
          return extend('reasoning', piece)
        case 'text-end':
          return end('text', piece)
        case 'reasoning-end':
          return end('reasoning', piece)
        case 'tool-call': {
          // What the provider runs itself is not ours to run.
          if (piece.providerExecuted === true) return null
          const call = readToolCall(piece, blocks.length)
          blocks.push(call)
          hasBegun = true
          return { type: 'tool-call', call }
        }
        case 'file':
          blocks.push(readFile(piece))
          return null
        case 'tool-input-start':
        case 'tool-input-delta':
        case 'tool-input-end':
        case 'custom':
        case 'source':
        case 'reasoning-file':
        case 'tool-result':
        case 'tool-approval-request':
        case 'stream-start':
        case 'response-metadata':
        case 'raw':
        case 'error':
        case 'finish':
          // Calls bring their arguments once more, whole. The rest frames the answer (Anthropic's `message_start` is a
          // custom part), or comes from tools that the provider runs.
          return null
        default:
          return piece satisfies never
      }
    },
    parts: () => blocks.flatMap((block) => ('isOpen' in block ? storeBlock(block, namespace) : [block])),
    hasBegun: () => hasBegun,
    isThinking: () => open.values().some(({ type }) => type === 'reasoning'),
    complete: () => {
      for (const block of blocks) if ('isOpen' in block) block.isOpen = false
      open.clear()
    },
  }
}

interface BlockPiece {
  readonly id: string
  readonly delta?: string
  readonly providerMetadata?: SharedV4ProviderMetadata
}
