import { joinClasses } from '../ui/join-classes.ts'

export interface ChoiceRowProps {
  /** Of the group of radio buttons it belongs to. */
  readonly group: string
  readonly name: string
  readonly description: string | null
  readonly isSelected: boolean
  readonly isDisabled: boolean
  readonly onSelect: () => void
}

/** A radio button with a sentence about what it chooses. */
export function ChoiceRow({ group, name, description, isSelected, isDisabled, onSelect }: ChoiceRowProps) {
  return (
    <label
      className={joinClasses(
        'flex items-start gap-3 rounded-xl border px-3 py-2',
        isSelected ? 'border-accent bg-accent-soft' : 'border-line',
        isDisabled ? 'opacity-70' : 'cursor-pointer hover:bg-hover',
      )}
    >
      <input
        type="radio"
        name={group}
        checked={isSelected}
        disabled={isDisabled}
        onChange={onSelect}
        className="mt-1 size-4 shrink-0 accent-[var(--accent)]"
      />
      <span className="min-w-0">
        <span className="block text-sm font-medium break-words">{name}</span>
        {description !== null && <span className="block text-xs leading-5 text-muted">{description}</span>}
      </span>
    </label>
  )
}
