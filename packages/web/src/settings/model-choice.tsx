import type { Model } from '@longhaul/protocol'
import { useId } from 'react'
import { formatCount } from '../ui/text/format.ts'
import { Problem } from '../api/problem.tsx'
import { useAction } from '../api/use-action.ts'
import { ChoiceRow } from './choice-row.tsx'
import { describeModel, explainUnavailable, orderModels } from './order-models.ts'
import type { Save } from './save.ts'

export interface ModelChoiceProps {
  readonly models: readonly Model[]
  readonly selected: string
  readonly onSave: Save
}

export function ModelChoice({ models, selected, onSave }: ModelChoiceProps) {
  const group = useId()
  const choose = useAction((model: string) => onSave({ model }, `The model is now ${model}.`))
  const { available, unavailable } = orderModels(models)
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Model</legend>
      <p className="mt-1 mb-2 text-[0.8125rem] text-muted">
        Who answers. If the new model reads less at once, older messages are compacted before the next request.
      </p>
      <div className="space-y-1.5">
        {available.map((model) => (
          <ChoiceRow
            key={model.id}
            group={group}
            name={model.id}
            description={describeModel(model)}
            isSelected={model.id === selected}
            isDisabled={choose.isRunning}
            onSelect={() => choose.run(model.id)}
          />
        ))}
        {choose.error !== undefined && <Problem error={choose.error} />}
      </div>
      {unavailable.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-[0.8125rem] font-medium">
            {formatCount(unavailable.length, 'model')} that cannot be used yet
          </summary>
          <ul
            tabIndex={0}
            aria-label="Models that cannot be used yet"
            className="mt-2 max-h-72 space-y-2 overflow-y-auto pl-3"
          >
            {unavailable.map((model) => (
              <li key={model.id} className="text-xs leading-5 text-muted">
                <span className="block text-[0.8125rem] font-medium break-words text-ink">{model.id}</span>
                <span className="block">{describeModel(model)}</span>
                <span className="block">{explainUnavailable(model.id)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </fieldset>
  )
}
