import { openBenchCase as openLangchainCase } from '../../hosts/langchain/src/testing/open-bench-case.ts'
import { openBenchCase as openAgentsCase } from '../../hosts/openai-agents/src/testing/open-bench-case.ts'
import type { HostCase } from './host-case.ts'

export const langchainCases: readonly HostCase[] = [
  { host: 'langchain', way: 'the app keeps its messages', open: (setup) => openLangchainCase(setup, false) },
  {
    host: 'langchain',
    way: 'new messages in each call, as from a checkpointer',
    open: (setup) => openLangchainCase(setup, true),
  },
]

export const openaiAgentsCases: readonly HostCase[] = [
  { host: 'openai-agents', way: 'a session in memory', open: openAgentsCase },
]
