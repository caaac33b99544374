import type { Command } from 'commander'
import type { Invocation, SharedOptions } from '../program/invocation.ts'
import { findCandidates } from './find-candidates.ts'
import type { Candidate, Candidates } from './find-candidates.ts'

const MAX_SESSIONS = 50

/** One candidate a line, with what it is after a tab. Whatever goes wrong, the shell is told nothing. */
export async function runComplete(invocation: Invocation, program: Command, words: readonly string[]): Promise<void> {
  const typed = words.at(-1) ?? ''
  const found = await look({ ...invocation, options: readPlaces(words) }, findCandidates(program, words)).catch(
    () => [],
  )
  for (const { value, about } of found) {
    if (value.startsWith(typed)) invocation.output.print(`${value}\t${about}`)
  }
}

/** The line being typed may name the data it is about. */
function readPlaces(words: readonly string[]): SharedOptions {
  const after = (name: string): string | undefined =>
    words.includes(name) ? words[words.indexOf(name) + 1] : undefined
  const [data, config, store] = [after('--data'), after('--config'), after('--store')]
  return {
    ...(data === undefined ? {} : { data }),
    ...(config === undefined ? {} : { config }),
    ...(store === undefined ? {} : { store }),
  }
}

async function look(invocation: Invocation, candidates: Candidates): Promise<readonly Candidate[]> {
  switch (candidates.kind) {
    case 'words':
      return candidates.words
    case 'none':
      return []
    case 'presets': {
      const { PRESETS } = await import('@longhaul/runtime')
      return Object.keys(PRESETS).map((value) => ({ value, about: '' }))
    }
    case 'models': {
      const { withRuntime } = await import('../system/open-system.ts')
      return withRuntime(invocation, async ({ models }) =>
        models.list().flatMap(({ id, available }) => (available ? [{ value: id, about: '' }] : [])),
      )
    }
    case 'sessions': {
      const { withStore } = await import('../system/open-system.ts')
      const { oneLine } = await import('../terminal/text-width.ts')
      const { items } = await withStore(invocation, (store) => store.sessions.list({ limit: MAX_SESSIONS }))
      return items.map(({ id, title, preview }) => ({ value: id, about: oneLine(title ?? preview ?? '').slice(0, 60) }))
    }
    default:
      return candidates satisfies never
  }
}
