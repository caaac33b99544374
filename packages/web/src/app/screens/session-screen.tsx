import { ApiError } from '@longhaul/protocol'
import { lazy, useCallback, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Chat } from '../../chat/chat.tsx'
import type { FirstWords } from '../../chat/chat.tsx'
import { SessionProvider } from '../../chat/session-context.tsx'
import type { SessionActions } from '../../chat/session-context.tsx'
import { ContextGauge } from '../../context/context-gauge.tsx'
import { readGauge } from '../../context/read-gauge.ts'
import { HostProvider } from '../../api/host.ts'
import type { Host } from '../../api/host.ts'
import { useConversation } from '../../session/use-conversation.ts'
import { titleOf } from '../../sidebar/title-of.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { MissingChat } from './missing-chat.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PageHeader } from './page-header.tsx'
import { goTo } from '../route/use-route.ts'
import { useContextSide } from './use-context-side.ts'
import { useKnownSession } from './use-known-session.ts'
import type { KnownSession } from './use-known-session.ts'

const ContextPanel = lazy(async () => ({ default: (await import('../../context/context-panel.tsx')).ContextPanel }))
const SessionSettings = lazy(async () => ({
  default: (await import('../../settings/session-settings.tsx')).SessionSettings,
}))

/** The end of a turn is told by several events at once; what they change is asked for once. */
const SETTLE_MS = 100

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
  const handle = useConversation(sessionId)
  const { isColumn, isOpen, setIsOpen, stepAside, view, setView } = useContextSide()
  const [wanted, setWanted] = useState<{ readonly messageId: string } | null>(null)
  const [changes, setChanges] = useState(0)
  const onChange = useCallback(() => setChanges((before) => before + 1), [])
  const { revision, compactionsEvent } = handle.conversation
  const version = useDebounced(revision + changes, SETTLE_MS)
  const known = useKnownSession(sessionId, version)
  useEffect(onChanged, [version, onChanged])

  const cite = useCallback((messageId: string) => {
    stepAside()
    setWanted({ messageId })
    // It means the same on every render.
  }, [])
  const actions = useMemo<SessionActions>(
    () => ({
      sessionId,
      scrollToMessage: cite,
      openSession: (id) => goTo({ page: 'session', id }),
      openContext: () => setIsOpen(true),
      openCompaction: (compactionId) => {
        setView({ tab: 'compactions', compactionId })
        setIsOpen(true)
      },
    }),
    [sessionId, cite, setIsOpen],
  )
  const reading = known === undefined ? null : readGauge(known.status)
  const host = useMemo(() => readHost(known), [known])
  const hint = reading?.level === 'due' ? reading.forecast : null
  const { failure } = handle
  if (failure instanceof ApiError && failure.code === 'not-found') return <MissingChat onOpenMenu={onOpenMenu} />
  return (
    <SessionProvider value={actions}>
      <HostProvider value={host}>
        <div className="flex h-full min-h-0">
          <main className="flex min-w-0 flex-1 flex-col">
            <PageHeader
              title={known === undefined ? '' : titleOf(known.session)}
              subtitle={host === null ? known?.session.model : `${host.origin} · ${known?.session.model}`}
              onOpenMenu={onOpenMenu}
            >
              {reading !== null && <ContextGauge reading={reading} onOpen={() => setIsOpen(true)} />}
              {host === null && <SettingsButton sessionId={sessionId} known={known} onChange={onChange} />}
              <IconButton
                icon="layers"
                label={isOpen ? 'Hide the context' : 'Show the context'}
                aria-pressed={isOpen}
                onClick={() => setIsOpen(!isOpen)}
              />
            </PageHeader>
            {known !== undefined && host === null && <OfflineBanner model={known.session.model} />}
            <div className="min-h-0 flex-1">
              <Chat handle={handle} wanted={wanted} firstWords={firstWords} hint={hint} onBegun={onBegun} />
            </div>
          </main>
          <Side isColumn={isColumn} isOpen={isOpen} onOpenChange={setIsOpen}>
            <LazyPart>
              <ContextPanel
                sessionId={sessionId}
                reading={reading}
                threshold={known?.status.tokens.threshold ?? null}
                version={version}
                compactionsVersion={compactionsEvent + changes}
                view={view}
                onView={setView}
                onCite={cite}
                onChange={onChange}
              />
            </LazyPart>
          </Side>
        </div>
      </HostProvider>
    </SessionProvider>
  )
}

function readHost(known: KnownSession | undefined): Host | null {
  if (known === undefined || known.session.origin === null) return null
  return { origin: known.session.origin, waiting: known.status.waiting.map(({ kind }) => kind) }
}

interface SettingsButtonProps {
  readonly sessionId: string
  readonly known: KnownSession | undefined
  readonly onChange: () => void
}

function SettingsButton(props: SettingsButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton icon="settings" label="Settings of this chat" onClick={() => setIsOpen(true)} />
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Settings of this chat">
        <LazyPart>
          <SessionSettings {...props} />
        </LazyPart>
      </Dialog>
    </>
  )
}

interface SideProps {
  readonly isColumn: boolean
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** Where the context stands: beside the chat, or over it where there is no room. */
function Side({ isColumn, isOpen, onOpenChange, children }: SideProps) {
  if (!isColumn)
    return (
      <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Context" place="right" isFlush>
        {children}
      </Dialog>
    )
  if (!isOpen) return null
  return (
    <aside aria-label="Context" className="w-104 shrink-0 border-l border-line">
      {children}
    </aside>
  )
}
