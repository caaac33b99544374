import type { ModelInfo } from '@longhaul/runtime'
import { report } from '../program/invocation.ts'
import type { Invocation } from '../program/invocation.ts'
import { withRuntime } from '../system/open-system.ts'
import { formatShort } from '../terminal/format.ts'
import { renderTable } from '../terminal/table.ts'

/** What is known about each model; a question mark where nothing is. */
export async function runModels(invocation: Invocation): Promise<void> {
  const { output } = invocation
  await withRuntime(invocation, async ({ models }) => {
    const items = models.list()
    report(invocation, { items, defaultModel: models.defaultModel }, () => [
      ...renderTable(
        [
          { title: '' },
          { title: 'model', isFlexible: true },
          { title: 'window', align: 'right' },
          { title: 'output', align: 'right' },
          { title: '$/M in', align: 'right' },
          { title: '$/M out', align: 'right' },
        ],
        items
          .toSorted(byUse)
          .map((model) => [
            model.id === models.defaultModel ? '★' : model.available ? '✓' : '',
            model.id,
            formatLimit(model.contextWindow),
            formatLimit(model.maxOutput),
            model.price === null ? '?' : String(model.price.input),
            model.price === null ? '?' : String(model.price.output),
          ]),
        output,
      ),
      output.paint.dim('★ used without asking · ✓ can be used: its provider is configured'),
    ])
  })
}

function byUse(a: ModelInfo, b: ModelInfo): number {
  return Number(b.available) - Number(a.available) || (a.id < b.id ? -1 : 1)
}

function formatLimit(tokens: number | null): string {
  return tokens === null ? '?' : formatShort(tokens)
}
