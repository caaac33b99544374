import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'
import { joinClasses } from './join-classes.ts'

interface MenuItem {
  readonly label: string
  readonly onSelect: () => void
  readonly icon?: IconName
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
}

export interface MenuProps {
  /** One button that opens it. */
  readonly trigger: ReactNode
  readonly items: readonly MenuItem[]
  readonly align?: 'start' | 'end'
}

export function Menu({ trigger, items, align = 'end' }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-48 animate-rise rounded-xl border border-line bg-raised p-1 shadow-raised"
        >
          {items.map(({ label, onSelect, icon, isDangerous = false, isDisabled = false }) => (
            <DropdownMenu.Item
              key={label}
              disabled={isDisabled}
              onSelect={onSelect}
              className={joinClasses(
                'flex cursor-default items-center gap-2.5 rounded-lg px-2.5 py-2 text-sm outline-none select-none',
                'data-[disabled]:opacity-50 data-[highlighted]:bg-hover',
                isDangerous ? 'text-danger' : 'text-ink',
              )}
            >
              {icon !== undefined && <Icon name={icon} className={isDangerous ? '' : 'text-muted'} />}
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
