import { useState } from 'react'
import { useClient } from '../api/client-context.tsx'
import { useLoaded } from '../api/use-loaded.ts'
import { writeRoute } from '../app/route/route.ts'
import type { Route } from '../app/route/route.ts'
import { ThemeMenu } from '../app/theme-menu.tsx'
import { goTo } from '../app/route/use-route.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icon.tsx'
import { joinClasses } from '../ui/join-classes.ts'
import { TextField } from '../ui/text-field.tsx'
import { ImportButton } from './import-button.tsx'
import { SessionList } from './session-list.tsx'
import { useDebounced } from '../ui/use-debounced.ts'

const SEARCH_WAIT_MS = 250

export interface SidebarProps {
  readonly route: Route
  readonly version: number
  readonly onChanged: () => void
}

/** Every chat there is, and the ways to begin another. */
export function Sidebar({ route, version, onChanged }: SidebarProps) {
  const [search, setSearch] = useState('')
  const query = useDebounced(search.trim(), SEARCH_WAIT_MS)
  const client = useClient()
  const rights = useLoaded(() => client.getRights(), [client])
  const mayAudit = rights.value?.mayAudit
  const openId = route.page === 'session' ? route.id : null
  return (
    <nav aria-label="Chats" className="flex h-full min-h-0 flex-col bg-sunken">
      <div className="space-y-3 px-4 pt-4 pb-3">
        <a href={writeRoute({ page: 'new' })} className="mb-4 flex items-center gap-2.5 rounded-lg">
          <img src="/icon.svg" alt="" className="size-7" />
          <span className="text-[1.0625rem] font-semibold tracking-tight">Longhaul</span>
        </a>
        <a
          href={writeRoute({ page: 'new' })}
          className="flex h-10 items-center justify-center gap-2 rounded-xl border border-line bg-surface text-sm font-medium transition-colors hover:bg-hover"
        >
          <Icon name="add" /> New chat
        </a>
        <TextField
          label="Search chats"
          type="search"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <SessionList
          key={query}
          query={query}
          openId={openId}
          version={version}
          onChanged={onChanged}
          onDeleted={(id) => {
            onChanged()
            if (id === openId) goTo({ page: 'new' })
          }}
        />
      </div>
      <div className="border-t border-line px-3 py-2">
        {mayAudit !== undefined && mayAudit !== 'off' && (
          <PageLink route={route} page="audit" icon="eye" label="Audit" />
        )}
        <div className="flex items-center gap-1">
          <PageLink route={route} page="memory" icon="memory" label="Memory" />
          <ImportButton onImported={onChanged} />
          <ThemeMenu />
        </div>
      </div>
    </nav>
  )
}

interface PageLinkProps {
  readonly route: Route
  readonly page: 'memory' | 'audit'
  readonly icon: IconName
  readonly label: string
}

function PageLink({ route, page, icon, label }: PageLinkProps) {
  return (
    <a
      href={writeRoute({ page })}
      aria-current={route.page === page ? 'page' : undefined}
      className={joinClasses(
        'flex h-9 flex-1 items-center gap-2 rounded-lg px-2.5 text-sm transition-colors hover:bg-hover',
        route.page === page ? 'font-semibold' : 'text-muted hover:text-ink',
      )}
    >
      <Icon name={icon} /> {label}
    </a>
  )
}
