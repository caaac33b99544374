import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface Tab<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly content: ReactNode
}

export interface TabsProps<Name extends string> {
  /** What the row of tabs is called when it is read aloud. */
  readonly label: string
  readonly tabs: readonly Tab<Name>[]
  readonly selected: Name
  readonly onSelect: (name: Name) => void
}

/** Only the selected tab's content is mounted. Fills its parent; the content scrolls. */
export function Tabs<Name extends string>({ label, tabs, selected, onSelect }: TabsProps<Name>) {
  return (
    <Radix.Root
      value={selected}
      onValueChange={(name) => onSelect(name as Name)}
      className="flex h-full min-h-0 flex-col"
    >
      <Radix.List aria-label={label} className="flex shrink-0 gap-1 border-b border-line px-3">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.name}
            value={tab.name}
            className="-mb-px rounded-t-lg border-b-2 border-transparent px-2.5 py-2 text-[0.8125rem] font-medium text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.name} value={tab.name} className="min-h-0 flex-1 overflow-y-auto">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
