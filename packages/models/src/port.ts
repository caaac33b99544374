// What the agent is written against. Types alone.
export type { EmbedCall, Embedder } from './port/embedder.ts'
export type { ModelCall, Timeouts } from './port/model-call.ts'
export type { ModelEvent, ModelFinish } from './port/model-event.ts'
export type { ModelFailure, ModelFailureKind } from './port/model-failure.ts'
export type { CacheBehaviour, ModelInfo, ModelPrice, PriceTier, TokenPrices } from './port/model-info.ts'
export type { Models } from './port/models.ts'
