/** A program that works with tools and sends its whole history with each call. */
export interface TalkingClient {
  /** The body of the next call: the history so far, one answer, one call of a tool and its result longer. */
  readonly next: () => Buffer
}

const RESULT_CHARS = 4_000
/** What a call adds is short, so that bodies stay near the size that is measured. */
const NEW_RESULT_CHARS = 400
const SYSTEM = 'You are an agent that reads files and changes them. '.repeat(200)
const TOOLS = Array.from({ length: 20 }, (_each, index) => ({
  name: `tool_${index}`,
  description: 'Does something with a file, carefully, and says what it did. '.repeat(10),
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}))

/** `bytes`: about the size of a body. */
export function createTalkingClient({ name, bytes }: { readonly name: string; readonly bytes: number }): TalkingClient {
  const written: string[] = [JSON.stringify({ role: 'user', content: `Look after ${name}.` })]
  let size = 0
  let step = 0
  const add = (resultChars: number): void => {
    step += 1
    const id = `toolu_${name}_${step}`
    const use = { type: 'tool_use', id, name: 'tool_1', input: { path: `src/${name}/file-${step}.ts` } }
    const said = { type: 'text', text: `Step ${step} of ${name}: I look at the next file.` }
    const result = { type: 'tool_result', tool_use_id: id, content: textOf(step, resultChars) }
    written.push(JSON.stringify({ role: 'assistant', content: [said, use] }))
    written.push(JSON.stringify({ role: 'user', content: [result] }))
    size += resultChars + 300
  }
  while (size < bytes - SYSTEM.length * 2) add(RESULT_CHARS)
  return {
    next() {
      add(NEW_RESULT_CHARS)
      const head = JSON.stringify({
        model: 'some-model',
        max_tokens: 1_000,
        stream: true,
        system: SYSTEM,
        tools: TOOLS,
      })
      return Buffer.from(`${head.slice(0, -1)},"messages":[${written.join(',')}]}`)
    },
  }
}

function textOf(step: number, chars: number): string {
  const line = `export const value${step} = "a line of the file, \\"quoted\\", number ${step}"\n`
  return line.repeat(Math.ceil(chars / line.length)).slice(0, chars)
}
