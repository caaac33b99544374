import type { CommandHelp } from '@longhaul/protocol'
import { joinClasses } from '../../ui/join-classes.ts'
import { nameOf } from './slash-commands.ts'

export interface CommandMenuProps {
  readonly id: string
  readonly options: readonly CommandHelp[]
  readonly active: number
  readonly onPick: (command: CommandHelp) => void
}

/** What the slash may become. The keyboard stays in the text field, which says which one is active. */
export function CommandMenu({ id, options, active, onPick }: CommandMenuProps) {
  if (options.length === 0) return null
  return (
    <ul
      id={id}
      role="listbox"
      aria-label="Commands"
      // It may have to scroll, and not only the mouse shall do that.
      tabIndex={0}
      className="absolute inset-x-0 bottom-full z-20 mb-2 max-h-72 animate-rise overflow-y-auto rounded-2xl border border-line bg-raised p-1.5 shadow-raised"
    >
      {options.map((command, index) => (
        <li
          key={command.usage}
          id={optionId(id, index)}
          role="option"
          ref={index === active ? bringIntoSight : null}
          aria-selected={index === active}
          // Before the text field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onPick(command)
          }}
          className={joinClasses(
            'flex cursor-default flex-wrap items-baseline gap-x-3 rounded-lg px-3 py-1.5 text-sm',
            index === active && 'bg-hover',
          )}
        >
          <span className="font-mono text-[0.8125rem] font-medium">{nameOf(command)}</span>
          <span className="text-[0.8125rem] text-muted">{command.summary}</span>
        </li>
      ))}
    </ul>
  )
}

export function optionId(menuId: string, index: number): string {
  return `${menuId}-${index}`
}

function bringIntoSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}
