import { lazy, useCallback, useEffect, useState } from 'react'
import type { FirstWords } from '../chat/chat.tsx'
import { Sidebar } from '../sidebar/sidebar.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { NewChat } from './screens/new-chat.tsx'
import { PageHeader } from './screens/page-header.tsx'
import { goTo, useRoute } from './route/use-route.ts'
import { SessionScreen } from './screens/session-screen.tsx'
import { WIDE, useMedia } from './use-media.ts'

const AuditPage = lazy(async () => ({ default: (await import('../audit/audit-page.tsx')).AuditPage }))
const MemoryBrowser = lazy(async () => ({ default: (await import('../memory/memory-browser.tsx')).MemoryBrowser }))

interface Beginning {
  readonly sessionId: string
  readonly words: FirstWords
}

/** The list of chats beside the page that the address names; at phone width, in a drawer. */
export function Shell() {
  const route = useRoute()
  const isWide = useMedia(WIDE)
  const [version, setVersion] = useState(0)
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [beginning, setBeginning] = useState<Beginning | null>(null)
  const onChanged = useCallback(() => setVersion((before) => before + 1), [])
  const onBegin = useCallback((sessionId: string, words: FirstWords | null) => {
    setBeginning(words === null ? null : { sessionId, words })
    setVersion((before) => before + 1)
    goTo({ page: 'session', id: sessionId })
  }, [])
  // Said once: coming back to this chat must not say it again.
  const onBegun = useCallback(() => setBeginning(null), [])
  const address = JSON.stringify(route)
  useEffect(() => setIsDrawerOpen(false), [address])

  const openMenu = isWide ? null : () => setIsDrawerOpen(true)
  const sidebar = <Sidebar route={route} version={version} onChanged={onChanged} />
  return (
    <div className="flex h-full">
      {isWide && <div className="w-72 shrink-0 border-r border-line">{sidebar}</div>}
      {!isWide && (
        <Dialog isOpen={isDrawerOpen} onOpenChange={setIsDrawerOpen} title="Chats" place="left" isBare>
          {sidebar}
        </Dialog>
      )}
      <div className="min-w-0 flex-1">
        {route.page === 'session' && (
          <SessionScreen
            key={route.id}
            sessionId={route.id}
            firstWords={beginning?.sessionId === route.id ? beginning.words : null}
            onBegun={onBegun}
            onChanged={onChanged}
            onOpenMenu={openMenu}
          />
        )}
        {route.page === 'new' && <NewChat onBegin={onBegin} onOpenMenu={openMenu} />}
        {route.page === 'memory' && (
          <main className="flex h-full min-h-0 flex-col">
            <PageHeader title="Memory" onOpenMenu={openMenu} />
            <div className="min-h-0 flex-1">
              <LazyPart>
                <MemoryBrowser />
              </LazyPart>
            </div>
          </main>
        )}
        {route.page === 'audit' && (
          <main className="flex h-full min-h-0 flex-col">
            <PageHeader title="Audit" subtitle="What your agents forgot" onOpenMenu={openMenu} />
            <div className="min-h-0 flex-1">
              <LazyPart>
                <AuditPage />
              </LazyPart>
            </div>
          </main>
        )}
      </div>
    </div>
  )
}
