import type { MirrorCodec } from '@longhaul/engine'
import { createModelMessageCodec } from '@longhaul/store/host'
import type { ProcessLLMRequestArgs } from '@mastra/core/processors'

export type PromptMessage = ProcessLLMRequestArgs['prompt'][number]

/** Reads the prompt that Mastra has made for a model: one message for each answer, and one for its results of tools. */
export const promptCodec: MirrorCodec<PromptMessage> = createModelMessageCodec<PromptMessage>({
  writeData: (data) => data,
})
