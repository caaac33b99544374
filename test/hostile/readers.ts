import { AGENT_AND_STORE } from './readers/agent-and-store.ts'
import { AUDIT_READ } from './readers/audit-read.ts'
import { AUDIT_REPORT } from './readers/audit-report.ts'
import { AUDIT } from './readers/audit.ts'
import { CLIENTS } from './readers/clients.ts'
import { ENGINE_FACTS } from './readers/engine-facts.ts'
import { ENGINE_REQUESTS } from './readers/engine-requests.ts'
import { ENGINE_SUMMARIES } from './readers/engine-summaries.ts'
import { ENGINE_TEXTS } from './readers/engine-texts.ts'
import { HOST_AI_SDK } from './readers/host-ai-sdk.ts'
import { HOST_MASTRA } from './readers/host-mastra.ts'
import { HOST_OPENCODE } from './readers/host-opencode.ts'
import { HOST_PI } from './readers/host-pi.ts'
import { HOST_LANGCHAIN } from './readers/host-langchain.ts'
import { HOST_OPENAI_AGENTS } from './readers/host-openai-agents.ts'
import { GATEWAY } from './readers/gateway.ts'
import { HOST_OPENCLAW } from './readers/host-openclaw.ts'
import type { ReaderTable } from './readers/materials.ts'
import { MODELS } from './readers/models.ts'

/**
 * Every exported reader, checker, extractor and renderer that sees text which a model, a tool, a page or a file wrote, and
 * how it is called with one string. `npm run readers` fails where one is neither here nor among the exceptions of
 * `scripts/readers/exceptions.ts`.
 */
export const READERS: ReaderTable = {
  ...ENGINE_TEXTS,
  ...ENGINE_SUMMARIES,
  ...ENGINE_FACTS,
  ...ENGINE_REQUESTS,
  ...MODELS,
  ...AGENT_AND_STORE,
  ...AUDIT,
  ...CLIENTS,
  ...HOST_AI_SDK,
  ...HOST_MASTRA,
  ...HOST_OPENCODE,
  ...HOST_PI,
  ...HOST_LANGCHAIN,
  ...HOST_OPENAI_AGENTS,
  ...GATEWAY,
  ...HOST_OPENCLAW,
  ...AUDIT_REPORT,
  ...AUDIT_READ,
}
