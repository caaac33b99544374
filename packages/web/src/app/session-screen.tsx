import { ApiError } from '@longhaul/protocol'
import { Suspense, lazy, useCallback, useEffect, useMemo, useState } from 'react'
import { Chat } from '../chat/chat.tsx'
import type { FirstWords } from '../chat/chat.tsx'
import { SessionProvider } from '../chat/session-context.tsx'
import type { SessionActions } from '../chat/session-context.tsx'
import { ContextGauge } from '../context/context-gauge.tsx'
import { useConversation } from '../session/use-conversation.ts'
import { titleOf } from '../sidebar/title-of.ts'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useClient } from './client-context.tsx'
import { MissingChat } from './missing-chat.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PageHeader } from './page-header.tsx'
import { goTo } from './route/use-route.ts'
import { useKept } from './use-kept.ts'
import { useLoaded } from './use-loaded.ts'
import { WIDEST, useMedia } from './use-media.ts'

const ContextPanel = lazy(async () => ({ default: (await import('../context/context-panel.tsx')).ContextPanel }))
const SessionSettings = lazy(async () => ({
  default: (await import('../settings/session-settings.tsx')).SessionSettings,
}))

export interface SessionScreenProps {
  readonly sessionId: string
  readonly firstWords: FirstWords | null
  readonly onBegun: () => void
  /** The list of chats may look different now. */
  readonly onChanged: () => void
  readonly onOpenMenu: (() => void) | null
}

/** One chat, with its context beside it. */
export function SessionScreen({ sessionId, firstWords, onBegun, onChanged, onOpenMenu }: SessionScreenProps) {
  const client = useClient()
  const handle = useConversation(sessionId)
  const isWidest = useMedia(WIDEST)
  const [isPanelKept, setIsPanelKept] = useKept('context-panel', true)
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const [isSettingsOpen, setIsSettingsOpen] = useState(false)
  const [wanted, setWanted] = useState<{ readonly messageId: string } | null>(null)
  const [changes, setChanges] = useState(0)
  const version = handle.conversation.revision + changes
  const { value: session } = useLoaded(() => client.getSession(sessionId), [client, sessionId, version])
  useEffect(onChanged, [version, onChanged])

  const isPanelOpen = isWidest ? isPanelKept : isSheetOpen
  const setIsPanelOpen = isWidest ? setIsPanelKept : setIsSheetOpen
  const cite = useCallback((messageId: string) => {
    setIsSheetOpen(false)
    setWanted({ messageId })
  }, [])
  const actions = useMemo<SessionActions>(
    () => ({
      sessionId,
      scrollToMessage: cite,
      openSession: (id) => goTo({ page: 'session', id }),
      openContext: () => setIsPanelOpen(true),
    }),
    [sessionId, cite, setIsPanelOpen],
  )
  const panel = (
    <Suspense fallback={<Spinner label="Loading the context" className="m-6" />}>
      <ContextPanel sessionId={sessionId} version={version} onCite={cite} />
    </Suspense>
  )

  const { failure } = handle
  if (failure instanceof ApiError && failure.code === 'not-found') return <MissingChat onOpenMenu={onOpenMenu} />
  return (
    <SessionProvider value={actions}>
      <div className="flex h-full min-h-0">
        <main className="flex min-w-0 flex-1 flex-col">
          <PageHeader
            title={session === undefined ? '' : titleOf(session)}
            subtitle={session?.model}
            onOpenMenu={onOpenMenu}
          >
            <ContextGauge sessionId={sessionId} version={version} onOpen={() => setIsPanelOpen(true)} />
            <IconButton icon="settings" label="Settings of this chat" onClick={() => setIsSettingsOpen(true)} />
            <IconButton
              icon="layers"
              label={isPanelOpen ? 'Hide the context' : 'Show the context'}
              aria-pressed={isPanelOpen}
              onClick={() => setIsPanelOpen(!isPanelOpen)}
            />
          </PageHeader>
          {session !== undefined && <OfflineBanner model={session.model} />}
          <div className="min-h-0 flex-1">
            <Chat handle={handle} wanted={wanted} firstWords={firstWords} onBegun={onBegun} />
          </div>
        </main>
        {isWidest && isPanelOpen && (
          <aside aria-label="Context" className="w-104 shrink-0 border-l border-line">
            {panel}
          </aside>
        )}
        {!isWidest && (
          <Dialog isOpen={isSheetOpen} onOpenChange={setIsSheetOpen} title="Context" place="right" isFlush>
            {panel}
          </Dialog>
        )}
      </div>
      <Dialog isOpen={isSettingsOpen} onOpenChange={setIsSettingsOpen} title="Settings of this chat">
        <Suspense fallback={<Spinner label="Loading" className="m-6" />}>
          <SessionSettings
            sessionId={sessionId}
            version={version}
            onChange={() => setChanges((before) => before + 1)}
          />
        </Suspense>
      </Dialog>
    </SessionProvider>
  )
}
