import { isRecord } from '../../transcript/json.ts'
import type { Usage } from '../../transcript/message.ts'
import { readUsage } from '../../transcript/read-message.ts'

/** What a call cost that was rejected with this: providers bill an answer that breaks off. */
export function readFailedBill(error: unknown): Usage | undefined {
  return isRecord(error) ? readUsage(error['usage']) : undefined
}
