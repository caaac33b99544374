import { ALL_PRESETS, describeConversations } from './describe-conversations.ts'
import { startWireModel } from './start-wire-model.ts'

describeConversations(
  'long conversations with a server in OpenAI’s format',
  [
    ...ALL_PRESETS.map((preset) => ({ preset, configuredTokens: 32_768, windowTokens: 20_000 })),
    { preset: 'longhaul', configuredTokens: 16_384, windowTokens: 16_384 },
  ],
  (example) => startWireModel('openai', example),
)
