import { EngineError } from '@longhaul/engine'
import type { HostSession, HostSyncOptions } from '@longhaul/store/host'
import { textOf } from './ask-pi.ts'
import type { PiCompaction, PiCompactionAnswer, PiMessage } from './pi-api.ts'
import { MADE_HERE, readBranch } from './restore-history.ts'

/** Said where a refused request was made smaller without a summary. */
const NO_SUMMARY = 'Long results of tools were shortened. Nothing was summarized.'

/**
 * pi wants to compact: Longhaul compacts instead, and its summary goes into pi's session file as well. undefined: pi does
 * it by itself, because Longhaul cannot. `hasMadeRoom`: the last request was refused, and the next one will be smaller.
 */
export async function answerCompaction(
  session: HostSession<PiMessage>,
  { reason, branchEntries, preparation, customInstructions: instructions, signal }: PiCompaction,
  call: HostSyncOptions,
  hasMadeRoom: boolean,
): Promise<PiCompactionAnswer | undefined> {
  const history = readBranch(branchEntries)
  const messages = history.map(({ message }) => message)
  const look = (): Promise<readonly PiMessage[]> => session.sync(messages, { ...call, signal })
  try {
    if (!hasMadeRoom) {
      await look()
      await session.control((controls) => controls.compact({ signal, ...(instructions ? { instructions } : {}) }))
    }
  } catch (error) {
    const isNeedless = error instanceof EngineError && error.code === 'nothing-to-compact'
    if (!isNeedless) return undefined
    if (reason === 'threshold') return { cancel: true }
  }
  const sent = await look()
  const own = new Map(history.map(({ id, message }) => [message, id]))
  const kept = sent.findIndex((message) => own.has(message))
  const summary = sent.slice(0, Math.max(0, kept)).map(textOf).join('\n\n')
  const keptId = own.get(sent[kept] as PiMessage)
  const { tokensBefore } = preparation
  if (keptId !== undefined && summary !== '')
    return { compaction: { summary, firstKeptEntryId: keptId, tokensBefore, details: MADE_HERE } }
  const first = history.find(({ message }) => message.role !== 'compactionSummary')
  if (reason !== 'overflow' || first === undefined) return { cancel: true }
  return { compaction: { summary: NO_SUMMARY, firstKeptEntryId: first.id, tokensBefore, details: MADE_HERE } }
}
