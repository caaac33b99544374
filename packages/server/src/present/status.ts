import type { SessionStatus as PresentedStatus } from '@longhaul/protocol'
import type { SessionStatus } from '@longhaul/runtime'

export function presentStatus(status: SessionStatus): PresentedStatus {
  return {
    ...status,
    waiting: status.waiting.map((wish) => ({ ...wish })),
    tokens: { ...status.tokens },
    clamps: status.clamps.map((clamp) => ({ ...clamp })),
    warnings: [...status.warnings],
  }
}
