import { createModels } from '@longhaul/models'
import { ALL_PRESETS, describeConversations } from './describe-conversations.ts'

const WINDOWS = [16_384, 32_768]

describeConversations(
  'long conversations with the offline model',
  ALL_PRESETS.flatMap((preset) =>
    WINDOWS.map((windowTokens) => ({ preset, windowTokens, configuredTokens: windowTokens })),
  ),
  async ({ windowTokens }) => ({
    name: 'offline',
    models: createModels({ offline: { windowTokens } }),
    check: () => undefined,
    close: async () => undefined,
  }),
)
