import { estimateAsking } from '@longhaul/replay'
import type { ReplayOptions, ReplayReport } from '@longhaul/replay'
import { CliError } from '../program/cli-error.ts'
import type { Invocation } from '../program/invocation.ts'
import { UsageError } from '../program/usage-error.ts'
import { withRuntime } from '../system/open-system.ts'
import { askFor, canAsk } from '../terminal/ask.ts'
import { formatCount, formatShort, formatUsd } from '../terminal/format.ts'

export interface LiveWish {
  readonly model: string | undefined
  /** Nobody needs to be asked. */
  readonly isSure: boolean
}

/** Replays once with extracts to learn what a model would be asked; then, if the user agrees, with the model. null: they do not. */
export async function withLiveModel(
  invocation: Invocation,
  { model, isSure }: LiveWish,
  run: (title: string, options: ReplayOptions) => Promise<ReplayReport>,
): Promise<ReplayReport | null> {
  if (!isSure && !canAsk())
    throw new UsageError('--live costs money and nobody can be asked here; say --yes if it is meant.')
  return withRuntime(invocation, async ({ models }) => {
    const name = model ?? models.defaultModel
    const { available, provider } = models.describe(name)
    if (!available || provider === 'offline')
      throw new CliError(`${name} cannot write summaries: name a model by --model whose provider has a key.`)
    const { calls, inputTokens, outputTokens } = estimateAsking(await run('Percent estimated', {}))
    const costUsd = models.price(name, { input: inputTokens, output: outputTokens })
    const estimate = [
      `${formatCount(calls, 'call')} to ${name}`,
      `about ${formatShort(inputTokens)} tokens in and ${formatShort(outputTokens)} out`,
      costUsd === null ? 'its price is unknown' : `about ${formatUsd(costUsd)}`,
    ].join(', ')
    if (isSure) invocation.output.note(`${estimate}.`)
    else if (!(await askFor(`${estimate}. Go on?`, '--yes'))) return null
    return run('Percent replayed', { summaries: { kind: 'model', name, ask: models.asker(name) } })
  })
}
