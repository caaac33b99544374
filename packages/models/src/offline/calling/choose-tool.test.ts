import { describe, expect, it } from 'vitest'
import { TOOLS, tool } from '../testing/build-prompt.ts'
import { chooseCall } from './choose-tool.ts'
import type { Intent, Slots } from './tool-ask.ts'

const text = { type: 'string' } as const
const choose = (intent: Intent, slots: Slots, tools = TOOLS) => chooseCall({ kind: 'intent', intent, slots }, tools)

describe('chooseCall', () => {
  it.each<[Intent, Slots, string, unknown]>([
    ['read-file', { path: 'a' }, 'read_file', { path: 'a' }],
    ['list-files', {}, 'list_files', {}],
    ['search-files', { query: 'x', path: 'src' }, 'search_files', { pattern: 'x', path: 'src' }],
    ['write-file', { path: 'a', content: 'b' }, 'write_file', { path: 'a', content: 'b' }],
    ['run-command', { command: 'ls' }, 'run_command', { command: 'ls' }],
    ['fetch', { url: 'http://x' }, 'http_get', { url: 'http://x' }],
    ['remember', { content: 'tea' }, 'save_memory', { content: 'tea', category: 'fact' }],
    ['search-memory', { query: 'tea' }, 'memory_search', { query: 'tea' }],
    ['read-memory', { path: 'MEMORY.md' }, 'memory_get', { name: 'MEMORY.md' }],
    ['recall', { query: 'tea' }, 'recall', { query: 'tea' }],
    ['read-artifact', { id: 'a1' }, 'read_artifact', { artifactId: 'a1' }],
  ])('%s among the usual tools', (intent, slots, toolName, input) => {
    expect(choose(intent, slots)).toEqual({ toolName, input })
  })

  it('knows tools by their words, whatever they are called', () => {
    const others = [
      tool('mcp__fs__readTextFile', { file_path: text }, ['file_path']),
      tool('Bash', { command: text, description: text }, ['command']),
      tool('WebFetch', { url: text, prompt: text }, ['url']),
      tool('store_memory', { facts: { type: 'array', items: text } }, ['facts']),
    ]
    expect(choose('read-file', { path: 'a' }, others)).toEqual({
      toolName: 'mcp__fs__readTextFile',
      input: { file_path: 'a' },
    })
    expect(choose('run-command', { command: 'ls' }, others)).toEqual({ toolName: 'Bash', input: { command: 'ls' } })
    expect(choose('fetch', { url: 'http://x' }, others)).toEqual({ toolName: 'WebFetch', input: { url: 'http://x' } })
    expect(choose('remember', { content: 'tea' }, others)).toEqual({
      toolName: 'store_memory',
      input: { facts: ['tea'] },
    })
  })

  it('does not overwrite where it was asked to append', () => {
    const slots = { path: 'a', content: 'b' }
    expect(choose('append-file', slots)).toBeNull()
    const flag = tool('write_file', { path: text, content: text, append: { type: 'boolean' } }, ['path', 'content'])
    expect(choose('append-file', slots, [flag])?.input).toEqual({ ...slots, append: true })
    const mode = tool('write_file', { path: text, content: text, mode: { enum: ['overwrite', 'append'] } }, ['mode'])
    expect(choose('append-file', slots, [mode])?.input).toEqual({ ...slots, mode: 'append' })
    expect(choose('append-file', slots, [tool('append_file', { path: text, text }, [])])?.input).toEqual({
      path: 'a',
      text: 'b',
    })
  })

  it('reads descriptions where a name says only half of it', () => {
    const described = (name: string, description: string) => ({ ...tool(name, { path: text }, []), description })
    expect(choose('read-file', { path: 'a' }, [described('Read', 'Reads a file from disk.')])?.toolName).toBe('Read')
    expect(choose('list-files', {}, [described('list_sessions', 'Lists all sessions.')])).toBeNull()
    expect(choose('read-file', { path: 'a' }, [described('inspect', 'Read a file.')])).toBeNull()
  })

  it('gives up where no tool fits', () => {
    expect(choose('fetch', { url: 'http://x' }, [])).toBeNull()
    expect(choose('read-file', { path: 'a' }, [tool('get_weather', { city: text }, ['city'])])).toBeNull()
    expect(
      choose('read-file', { path: 'a' }, [tool('read_file', { path: text, password: text }, ['password'])]),
    ).toBeNull()
    expect(
      choose('search-files', { query: 'x', path: 'src' }, [tool('search_files', { pattern: text }, [])]),
    ).toBeNull()
  })

  it('fills a tool that was called by its name', () => {
    const weather = [tool('get_weather', { city: text, days: { type: 'integer', minimum: 3 } }, ['city', 'days'])]
    const call = (input: Record<string, unknown>, words: string) =>
      chooseCall({ kind: 'named', toolName: 'get_weather', input, words }, weather)?.input
    expect(call({ city: 'Bern', days: 5 }, '')).toEqual({ city: 'Bern', days: 5 })
    expect(call({}, 'Bern')).toEqual({ city: 'Bern', days: 3 })
    expect(call({}, '')).toBeUndefined()
  })
})
