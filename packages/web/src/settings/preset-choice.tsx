import type { Preset } from '@longhaul/protocol'
import { useId } from 'react'
import { ChoiceRow } from './choice-row.tsx'
import { describePreset } from './preset-sentences.ts'

export interface PresetChoiceProps {
  readonly presets: readonly Preset[]
  readonly selected: string
  readonly isDisabled: boolean
  readonly onSelect: (name: string) => void
}

export function PresetChoice({ presets, selected, isDisabled, onSelect }: PresetChoiceProps) {
  const group = useId()
  // The default is the one most people want, so it comes first.
  const ordered = presets.toSorted(
    (first, second) => Number(second.name === 'longhaul') - Number(first.name === 'longhaul'),
  )
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Preset</legend>
      <p className="mt-1 mb-2 text-[0.8125rem] text-muted">
        How this session keeps its context small: when it compacts, what stays word for word, what is cut first.
      </p>
      <div className="space-y-1.5">
        {ordered.map(({ name }) => (
          <ChoiceRow
            key={name}
            group={group}
            name={name}
            description={describePreset(name)}
            isSelected={name === selected}
            isDisabled={isDisabled}
            onSelect={() => onSelect(name)}
          />
        ))}
      </div>
    </fieldset>
  )
}
