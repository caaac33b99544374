import { ANTHROPIC, compatibleDialect, GOOGLE, OPENAI_CHAT, OPENAI_RESPONSES } from '../stream/prompt/dialect.ts'
import type { Dialect } from '../stream/prompt/dialect.ts'

/** Of a model object that was handed in: vendors' packages name themselves, as in `openai.responses`. */
export function findDialect(sdkProvider: string): Dialect {
  const [vendor = '', api] = sdkProvider.split('.')
  switch (vendor) {
    case 'anthropic':
      return ANTHROPIC
    case 'openai':
      return api === 'chat' ? OPENAI_CHAT : OPENAI_RESPONSES
    case 'google':
      return GOOGLE
    default:
      return compatibleDialect(vendor)
  }
}
