import { COMPACT, countTokens } from './start-priced-upstream.ts'
import type { Body, PricedUpstream } from './start-priced-upstream.ts'
import { scriptSession } from './script-session.ts'
import type { ScriptedStep } from './script-session.ts'

export interface ClientOptions {
  readonly upstream: PricedUpstream
  /** The upstream itself, or a gateway in front of it. */
  readonly url: string
  readonly model: string
  readonly medianResultChars: number
  /** The client compacts by itself from this size on, by reported usage; null: never. */
  readonly compactAtTokens: number | null
}

type Message = Body['messages'][number]

const RULES = 'You are an agent that mends programs. You read before you change, and you run the tests. '.repeat(120)
const SYSTEM = [{ type: 'text', text: RULES, cache_control: { type: 'ephemeral' } }]
const TOOLS = ['read_file', 'run_command', 'edit_file'].map((name) => ({
  name,
  description: 'Does what its name says, in the folder of the project, and answers with what came of it. '.repeat(30),
  input_schema: { type: 'object', properties: { path: { type: 'string' }, command: { type: 'string' } } },
}))
const RESTORED_FILES = 5
const RESTORED_TOKENS = 5_000

/** The scripted session by a client that sends its whole history each time. Its own compaction is that of Claude Code. */
export async function runClient({
  upstream,
  url,
  model,
  medianResultChars,
  compactAtTokens,
}: ClientOptions): Promise<number> {
  let history: Message[] = []
  let context = 0
  let compactions = 0
  let recent: ScriptedStep[] = []

  async function call(messages: readonly Message[]): Promise<readonly object[]> {
    const body = { model, max_tokens: 8_000, system: SYSTEM, tools: TOOLS, messages }
    const answer = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-claude-code-session-id': 'cost' },
      body: JSON.stringify(body),
    })
    const said = (await answer.json()) as {
      readonly content: readonly object[]
      readonly usage: Record<string, number>
    }
    if (!answer.ok) throw new Error(`A call of the cost bench was answered with ${answer.status}.`)
    context = Object.values(said.usage).reduce((sum, tokens) => sum + tokens, 0)
    return said.content
  }

  async function send(message: Message): Promise<void> {
    history.push(message)
    if (compactAtTokens !== null && context > compactAtTokens) {
      const summary = await call([...history, { role: 'user', content: COMPACT }])
      history = [{ role: 'user', content: continueFrom(summary, recent) }]
      compactions += 1
    }
    history.push({ role: 'assistant', content: await call(history) })
  }

  for (const [turn, { ask, steps, answer }] of scriptSession(medianResultChars).entries()) {
    let message: Message = { role: 'user', content: ask }
    for (const [index, step] of steps.entries()) {
      const id = `toolu_${turn}_${index}`
      upstream.reply({ step, id })
      await send(message)
      recent = [...recent.filter(({ input }) => input['path'] !== step.input['path']), step]
      message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: step.result }] }
    }
    upstream.reply({ answer })
    await send(message)
  }
  return compactions
}

/** What Claude Code goes on from: its summary, and five files that it read last. */
function continueFrom(summary: readonly object[], recent: readonly ScriptedStep[]): readonly object[] {
  const files = recent.filter(({ tool, result }) => tool === 'read_file' && countTokens(result) <= RESTORED_TOKENS)
  return [
    { type: 'text', text: 'This session is being continued from a previous conversation that ran out of context.' },
    ...summary,
    ...files.slice(-RESTORED_FILES).map(({ input, result }) => ({ type: 'text', text: `${input['path']}\n${result}` })),
  ]
}
