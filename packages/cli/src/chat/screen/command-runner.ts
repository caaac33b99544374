import { runCommand } from '@longhaul/runtime'
import type { Runtime } from '@longhaul/runtime'
import { countTurnsSinceCompaction } from '../../system/count-turns.ts'
import { formatCount } from '../../terminal/format.ts'
import { addBlock, addNotice } from '../conversation/conversation.ts'
import type { StateHolder } from './chat-state.ts'
import type { SessionLink } from './session-link.ts'

/** Slash commands beside the conversation: several may be under way. */
export interface CommandRunner {
  run(line: string): Promise<void>
  /** The answer to the question that is shown. */
  decide(isYes: boolean): void
  /** What is under way was cancelled: it is told so, and not as a failure. */
  noteCancel(): void
  close(): void
}

export interface CommandRunnerInput {
  readonly runtime: Runtime
  readonly holder: StateHolder
  readonly link: SessionLink
}

export function createCommandRunner({ runtime, holder, link }: CommandRunnerInput): CommandRunner {
  const { agent, store, models, memory } = runtime
  const closing = new AbortController()
  let cancels = 0
  let answer: (isYes: boolean) => void = () => undefined

  /** Asked only if the conversation has gone on since. */
  async function mayUndo(): Promise<boolean> {
    const session = await store.sessions.get(link.id())
    const turns = session === null ? 0 : await countTurnsSinceCompaction(store, session)
    if (turns === 0) return true
    holder.set({ question: `${formatCount(turns, 'turn')} followed the last compaction. Undo it all the same?` })
    const isYes = await new Promise<boolean>((resolve) => (answer = resolve))
    holder.set({ question: null })
    return isYes
  }

  async function carryOut(line: string): Promise<void> {
    if (/^\/undo\b/i.test(line) && !(await mayUndo())) return
    const sessionId = link.id()
    const result = await runCommand(line, { agent, store, models, memory, sessionId, signal: closing.signal })
    holder.change((now) => addBlock(now, { kind: 'result', result }))
    if (result.command !== 'new') return
    holder.change((now) => addNotice(now, 'info', `The one before stays: longhaul chat --session ${sessionId}`))
    await link.open(result.session.id)
  }

  return {
    async run(text) {
      const line = text.trim()
      const cancelsBefore = cancels
      holder.set({ commands: [...holder.get().commands, line] })
      try {
        await carryOut(line)
      } catch (error) {
        if (closing.signal.aborted) return
        if (cancels > cancelsBefore) holder.change((now) => addNotice(now, 'info', `${line}: cancelled.`))
        else holder.fail(error)
      } finally {
        holder.set({ commands: removeOne(holder.get().commands, line) })
        link.refreshStatus()
      }
    },
    decide: (isYes) => answer(isYes),
    noteCancel: () => void (cancels += 1),
    close: () => closing.abort(),
  }
}

function removeOne(lines: readonly string[], line: string): readonly string[] {
  const index = lines.indexOf(line)
  return lines.filter((_, each) => each !== index)
}
