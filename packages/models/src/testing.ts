// For tests and demos: models that follow a script, and servers that speak every vendor's format.
export { createScriptedEmbedding } from './scripted/create-scripted-embedding.ts'
export type { ScriptedEmbedding, ScriptedEmbeddingOptions } from './scripted/create-scripted-embedding.ts'
export { createScriptedModel } from './scripted/create-scripted-model.ts'
export type { ScriptedModel, ScriptedModelOptions } from './scripted/create-scripted-model.ts'
export { createConnectionError, createHttpError, createOverflowError } from './scripted/scripted-errors.ts'
export type { HttpErrorOptions, OverflowCounts, OverflowVendor } from './scripted/scripted-errors.ts'
export type { Script, ScriptedAnswer, ScriptedFault, ScriptedReply } from './scripted/scripted-reply.ts'
export { startEmbeddingServer } from './testing/start-embedding-server.ts'
export type {
  EmbeddingRefusal,
  EmbeddingRequest,
  EmbeddingServer,
  EmbeddingServerOptions,
} from './testing/start-embedding-server.ts'
export { startWireServer } from './testing/wire/start-wire-server.ts'
export type { WireServer, WireServerOptions } from './testing/wire/start-wire-server.ts'
export type { WireAnswer, WireFault, WireReply, WireUsage } from './testing/wire/wire-reply.ts'
export type { WireMessage, WireRefusal, WireRequest } from './testing/wire/wire-request.ts'
