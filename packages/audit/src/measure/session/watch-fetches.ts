import { estimateField } from '@longhaul/engine/advanced'
import type { ToolCallPart } from '@longhaul/engine/advanced'
import { createPathResolver } from './same-file.ts'
import { readToolAction } from './tool-action.ts'
import type { ToolAction } from './tool-action.ts'

/** Content that came into the window once more. */
export interface FetchedAgain {
  readonly path: string | null
  readonly command: string | null
  readonly tokens: number
  /** The compaction that took the content out of the window. */
  readonly compaction: number
}

/** A message left the window with a compaction, which stood before the message of this number. */
export interface Departure {
  readonly compaction: number
  readonly before: number
}

interface Fetched {
  /** The message that holds the content. */
  readonly message: number
  readonly extent: string | null
  /** Null: the content is what a call wrote. */
  readonly output: string | null
}

export interface FetchWatch {
  addCall(call: ToolCallPart, message: number): void
  /** Null: the content is new, or the window has it still. */
  addResult(toolCallId: string, output: string, message: number): FetchedAgain | null
  forget(): void
}

/** Shorter answers of commands are no content. */
const MIN_COMMAND_TOKENS = 20

/**
 * A file counts when it is read once more after the window lost it, in an extent that it had been read in. It does not
 * count when the agent changed the file itself since the compaction: the agent then looks at something new. A file that
 * changed before the compaction counts, because the window had the old content and the change. A command or a search
 * counts only when it answers the very same once more: tests that are run again are no content fetched again.
 *
 * `departureOf` answers when a message left the window; null: the window has it.
 */
export function watchFetches(departureOf: (message: number) => Departure | null): FetchWatch {
  const calls = new Map<string, ToolAction>()
  const files = new Map<string, Fetched[]>()
  const answers = new Map<string, Fetched>()
  const changed = new Map<string, number>()
  const resolve = createPathResolver()

  function addFile(path: string, fetched: Fetched): Departure | null {
    const before = files.get(path) ?? []
    files.set(path, [...before.filter(({ extent }) => extent !== fetched.extent), fetched])
    const covering = before.filter(({ extent }) => extent === null || extent === fetched.extent)
    const departures = covering.map(({ message }) => departureOf(message))
    const last = departures.at(-1)
    if (last === undefined || last === null || departures.includes(null)) return null
    return (changed.get(path) ?? -1) >= last.before ? null : last
  }
  return {
    addCall(call, message) {
      const action = readToolAction(call)
      calls.set(call.toolCallId, action)
      for (const path of action.kind === 'change' ? action.paths.map(resolve) : []) {
        if (action.isWholeFile) files.set(path, [{ message, extent: null, output: null }])
        changed.set(path, message)
      }
    },
    addResult(toolCallId, output, message) {
      const action = calls.get(toolCallId)
      calls.delete(toolCallId)
      if (action === undefined || action.kind === 'change') return null
      const fetched = { message, extent: action.extent, output }
      const [path] = action.paths
      if (action.kind === 'read' && path !== undefined) {
        const left = addFile(resolve(path), fetched)
        return left === null ? null : { path, command: null, ...measure(output), compaction: left.compaction }
      }
      const before = answers.get(action.command)
      answers.set(action.command, fetched)
      if (before === undefined || before.output !== output) return null
      const left = departureOf(before.message)
      const { tokens } = measure(output)
      if (left === null || tokens < MIN_COMMAND_TOKENS) return null
      return { path: null, command: action.command, tokens, compaction: left.compaction }
    },
    forget() {
      for (const map of [files, answers, changed]) map.clear()
    },
  }
}

function measure(output: string): { readonly tokens: number } {
  return { tokens: estimateField(output, 'classes') }
}
