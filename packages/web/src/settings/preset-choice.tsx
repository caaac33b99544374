import type { Preset } from '@longhaul/protocol'
import { useId } from 'react'
import { Problem } from '../api/problem.tsx'
import { useAction } from '../api/use-action.ts'
import { ChoiceRow } from './choice-row.tsx'
import { describePreset } from './preset-sentences.ts'
import type { Save } from './save.ts'

export interface PresetChoiceProps {
  readonly presets: readonly Preset[]
  readonly selected: string
  readonly onSave: Save
}

/** What most people want comes first. */
const DEFAULT_PRESET = 'longhaul'

export function PresetChoice({ presets, selected, onSave }: PresetChoiceProps) {
  const group = useId()
  const choose = useAction((preset: string) => onSave({ preset }, `The preset is now ${preset}.`))
  const rank = ({ name }: Preset): number => (name === DEFAULT_PRESET ? 0 : 1)
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Preset</legend>
      <p className="mt-1 mb-2 text-[0.8125rem] text-muted">
        How this chat keeps its context small: when it compacts, what stays word for word, what is cut first.
      </p>
      <div className="space-y-1.5">
        {presets
          .toSorted((first, second) => rank(first) - rank(second))
          .map(({ name }) => (
            <ChoiceRow
              key={name}
              group={group}
              name={name}
              description={describePreset(name)}
              isSelected={name === selected}
              isDisabled={choose.isRunning}
              onSelect={() => choose.run(name)}
            />
          ))}
        {choose.error !== undefined && <Problem error={choose.error} />}
      </div>
    </fieldset>
  )
}
