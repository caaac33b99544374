/** Stands where a summary should, when nobody could write one. The words are fixed (OPEN-13). */
export function summaryUnavailable(messageCount: number): string {
  return `Context contained ${messageCount} messages. Summary unavailable.`
}
