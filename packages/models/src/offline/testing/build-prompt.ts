import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

export function user(...texts: readonly string[]): LanguageModelV4Message {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) }
}

export function assistant(text: string): LanguageModelV4Message {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

/** A call with its result. */
export function used(toolName: string, input: unknown, output: string, isError = false): LanguageModelV4Prompt {
  const toolCallId = `${toolName} ${JSON.stringify(input)}`
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId, toolName, output: { type: isError ? 'error-text' : 'text', value: output } },
      ],
    },
  ]
}

type Properties = NonNullable<LanguageModelV4FunctionTool['inputSchema']['properties']>

export function tool(name: string, properties: Properties, required: readonly string[]): LanguageModelV4FunctionTool {
  return { type: 'function', name, inputSchema: { type: 'object', properties, required: [...required] } }
}

const text = { type: 'string' } as const

/** Tools as agents have them. */
export const TOOLS: readonly LanguageModelV4FunctionTool[] = [
  tool('read_file', { path: text, offset: { type: 'integer' } }, ['path']),
  tool('write_file', { path: text, content: text }, ['path', 'content']),
  tool('list_files', { path: text }, []),
  tool('search_files', { pattern: text, path: text }, ['pattern']),
  tool('run_command', { command: text, timeoutMs: { type: 'integer' } }, ['command']),
  tool('http_get', { url: text }, ['url']),
  tool('save_memory', { content: text, category: { type: 'string', enum: ['fact', 'preference'] } }, [
    'content',
    'category',
  ]),
  tool('memory_search', { query: text }, ['query']),
  tool('memory_get', { name: text }, ['name']),
  tool('recall', { query: text }, ['query']),
  tool('read_artifact', { artifactId: text, offset: { type: 'integer' } }, ['artifactId']),
]
