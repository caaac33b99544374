import type { Client, Config, Model, ModelLimit, ModelName } from './opencode-api.ts'

/** The largest answer that opencode asks for, unless its user sets another. */
const MAX_ANSWER_TOKENS = 32_000
/** opencode keeps this much free below a limit of the input. */
const INPUT_RESERVE_TOKENS = 20_000

/** The windows of models, as opencode knows them. */
export interface Windows {
  /** Reads whether opencode compacts by itself. */
  readonly configure: (config: Config) => void
  /** Notes what opencode says of a model. */
  readonly note: (model: Model) => void
  /** null: nobody knows. */
  readonly find: (model: ModelName) => Promise<number | null>
}

export function createWindows(client: Client): Windows {
  const limits = new Map<string, ModelLimit>()
  let compactsItself = true

  async function ask(): Promise<void> {
    const { data } = await client.config.providers()
    for (const { models } of data?.providers ?? []) Object.values(models).forEach(note)
  }

  function note({ providerID, id, limit }: Model): void {
    limits.set(nameModel({ providerID, modelID: id }), limit)
  }

  return {
    configure: ({ compaction }) => void (compactsItself = compaction?.auto !== false),
    note,
    async find(model) {
      if (!limits.has(nameModel(model))) await ask().catch(() => undefined)
      const limit = limits.get(nameModel(model))
      if (limit === undefined || !(limit.context > 0)) return null
      return compactsItself ? findCompactionStart(limit) : Math.min(limit.context, limit.input ?? Infinity)
    },
  }
}

/** The size at which opencode compacts by itself. A request that stays below gives it no reason to. */
function findCompactionStart({ context, input, output }: ModelLimit): number {
  const answer = Math.min(output > 0 ? output : MAX_ANSWER_TOKENS, MAX_ANSWER_TOKENS)
  const start = input === undefined || input === 0 ? context - answer : input - Math.min(INPUT_RESERVE_TOKENS, answer)
  return Math.max(1, start)
}

export function nameModel({ providerID, modelID }: ModelName): string {
  return `${providerID}/${modelID}`
}
