import type { Model } from '@longhaul/protocol'
import { useId } from 'react'
import { formatCount } from '../context/format.ts'
import { ChoiceRow } from './choice-row.tsx'
import { describeModel, explainUnavailable, orderModels } from './order-models.ts'

export interface ModelChoiceProps {
  readonly models: readonly Model[]
  readonly selected: string
  readonly isDisabled: boolean
  readonly onSelect: (modelId: string) => void
}

export function ModelChoice({ models, selected, isDisabled, onSelect }: ModelChoiceProps) {
  const group = useId()
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
            isDisabled={isDisabled}
            onSelect={() => onSelect(model.id)}
          />
        ))}
      </div>
      {unavailable.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer text-[0.8125rem] font-medium">
            {formatCount(unavailable.length, 'model')} that cannot be used yet
          </summary>
          <ul className="mt-2 max-h-72 space-y-2 overflow-y-auto pl-3" tabIndex={0} aria-label="Models without a key">
            {unavailable.map((model) => (
              <li key={model.id} className="text-xs leading-5">
                <span className="block text-[0.8125rem] font-medium break-words">{model.id}</span>
                <span className="block text-muted">{describeModel(model)}</span>
                <span className="block text-muted">{explainUnavailable(model.id)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </fieldset>
  )
}
