import { frameNotes, neutralize } from '@longhaul/engine/advanced'
import type { MemoryKind } from '@longhaul/store/port'
import type { Tool } from '@longhaul/tools/port'
import type { AgentMemory } from '../create-memory.ts'
import { divideNotes } from '../split-notes.ts'
import type { DividedNotes } from '../split-notes.ts'
import { objectSchema, readCount, readText } from './arguments.ts'

const ALLOW = { verdict: 'allow' } as const
const KINDS: readonly MemoryKind[] = ['instruction', 'fact', 'note']
const KIND_SCHEMA = { type: 'string', enum: [...KINDS] }

export function createMemoryTools(memory: AgentMemory): readonly Tool[] {
  return [createSaveTool(memory), createSearchTool(memory), createGetTool(memory)]
}

function createSaveTool(memory: AgentMemory): Tool {
  return {
    name: 'save_memory',
    description:
      'Saves what must outlast this conversation to today’s memory file, one fact a line: preferences, decisions, facts, instructions. Adds only; never save passwords or keys.',
    inputSchema: objectSchema({ text: { type: 'string' }, kind: KIND_SCHEMA }, ['text']),
    savesMemory: true,
    permit: () => ALLOW,
    async run(input, { originsOf }) {
      const text = readText(input, 'text')
      if (text === '') return { output: 'There is nothing to save: `text` is empty.', isError: true }
      const kind = readKind(readText(input, 'kind'))
      const { file, added, foreign } = await memory.save(text, {
        ...(kind === undefined ? {} : { kind }),
        ...(originsOf === undefined ? {} : { originsOf }),
      })
      const marked = foreign === 0 ? '' : ` Marked as not from the user: ${foreign}.`
      const output = added === 0 ? 'All of this was saved before.' : `Saved ${added} to ${file}.${marked}`
      return { output, isReceipt: true }
    },
  }
}

function createSearchTool(memory: AgentMemory): Tool {
  return {
    name: 'memory_search',
    description:
      'Searches what was saved in earlier conversations. Answers file:line and text. With kind "instruction" and no query: the newest standing instructions.',
    inputSchema: objectSchema({ query: { type: 'string' }, kind: KIND_SCHEMA, limit: { type: 'integer' } }, ['query']),
    permit: () => ALLOW,
    async run(input) {
      const kind = readKind(readText(input, 'kind'))
      const hits = await memory.search(readText(input, 'query'), {
        limit: readCount(input, 'limit', 10),
        ...(kind === undefined ? {} : { kind }),
      })
      if (hits.length === 0) return { output: 'Nothing about this was saved.' }
      const list = (isTrusted: boolean): string =>
        hits
          .flatMap(({ document, line, text, trusted }) =>
            trusted === isTrusted ? [`${document}:${line} ${nest(text)}`] : [],
          )
          .join('\n')
      return { output: renderNotes({ own: list(true), foreign: list(false) }) }
    },
  }
}

function createGetTool(memory: AgentMemory): Tool {
  return {
    name: 'memory_get',
    description: 'Reads a memory file, or some lines of it.',
    inputSchema: objectSchema(
      {
        name: { type: 'string', description: 'MEMORY.md or memory/YYYY-MM-DD.md' },
        fromLine: { type: 'integer' },
        lines: { type: 'integer' },
      },
      ['name'],
    ),
    permit: () => ALLOW,
    async run(input) {
      const text = await memory.read(readText(input, 'name'))
      if (text === null) {
        const names = await memory.list()
        return { output: `There is no such memory file. There are: ${names.join(', ') || 'none'}.`, isError: true }
      }
      const from = Math.max(1, readCount(input, 'fromLine', 1))
      return { output: renderNotes(divideNotes(text, { from, count: readCount(input, 'lines', 10_000) })) }
    },
  }
}

/** Marked notes stand behind the others, in a frame of their own. */
function renderNotes({ own, foreign }: DividedNotes): string {
  if (foreign === '') return own
  return own.trim() === '' ? frameNotes(foreign) : `${own.trimEnd()}\n\n${frameNotes(foreign)}`
}

/** A note may hold anything: no line of it can pass for another hit, or for a heading. */
function nest(text: string): string {
  return neutralize(text).replaceAll('\n', '\n  ')
}

function readKind(text: string): MemoryKind | undefined {
  return KINDS.find((kind) => kind === text)
}
