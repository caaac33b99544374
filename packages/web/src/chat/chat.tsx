import { useEffect, useMemo, useRef } from 'react'
import type { DragEvent } from 'react'
import { useClient } from '../app/client-context.tsx'
import { useLoaded } from '../app/use-loaded.ts'
import { isAnswerUnderWay, listRecentRows, listSettledRows } from '../session/list-rows.ts'
import type { ConversationHandle } from '../session/use-conversation.ts'
import { useSnackbar } from '../ui/snackbar.tsx'
import { Announcer } from './announcer.tsx'
import { ChatFailure } from './chat-failure.tsx'
import { Composer } from './composer/composer.tsx'
import type { ImageAttachment } from './composer/read-image.ts'
import { useImages } from './composer/use-images.ts'
import { MessageList } from './message-list.tsx'
import type { RowHandlers } from './row-view.tsx'
import { useSessionActions } from './session-context.tsx'
import { StatusLine } from './status-line.tsx'
import { useCommands } from './use-commands.ts'
import { useTrimNotice } from './use-trim-notice.ts'

/** What a chat begins with when it was written before there was a session. */
export type FirstWords =
  | { readonly type: 'message'; readonly id: string; readonly text: string; readonly images: readonly ImageAttachment[] }
  | { readonly type: 'command'; readonly line: string }

export interface ChatProps {
  readonly handle: ConversationHandle
  readonly wanted: { readonly messageId: string } | null
  readonly firstWords: FirstWords | null
}

/** The conversation and where it goes on. */
export function Chat({ handle, wanted, firstWords }: ChatProps) {
  const { conversation, failure, retry, dispatch, send, loadOlder } = handle
  const client = useClient()
  const show = useSnackbar()
  const { sessionId } = useSessionActions()
  const images = useImages()
  const run = useCommands(dispatch)
  const { value: commands } = useLoaded(() => client.listCommands(), [client])
  const isBusy = isAnswerUnderWay(conversation)
  useTrimNotice(conversation)

  const { messages, hasOlder, compactions, cards, isLoaded } = conversation
  const settled = useMemo(
    () => listSettledRows({ messages, hasOlder, compactions, cards }),
    [messages, hasOlder, compactions, cards],
  )
  const rows = useMemo(() => [...settled, ...listRecentRows(conversation)], [settled, conversation])
  const handlers = useMemo<RowHandlers>(
    () => ({
      onSendAgain: ({ id, text, attachments }) => send({ id, text, attachments: [...attachments] }),
      onDiscard: (id) => dispatch({ type: 'message-discarded', id }),
      onCloseCard: (id) => dispatch({ type: 'card-closed', id }),
    }),
    [send, dispatch],
  )
  const say = (text: string, attachments: readonly ImageAttachment[], id = crypto.randomUUID()): void =>
    send({ id, text, ...(attachments.length === 0 ? {} : { attachments: [...attachments] }) })

  const hasBegun = useRef(false)
  useEffect(() => {
    if (firstWords === null || hasBegun.current) return
    hasBegun.current = true
    if (firstWords.type === 'command') run(firstWords.line)
    else say(firstWords.text, firstWords.images, firstWords.id)
    // Once, whatever else changes.
  }, [firstWords])

  const stop = (): void => {
    client.cancel(sessionId).catch((error: unknown) => {
      show({ text: `It could not be stopped: ${error instanceof Error ? error.message : String(error)}` })
    })
  }
  const drop = (event: DragEvent): void => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    images.add(event.dataTransfer.files)
  }

  return (
    <div
      className="flex h-full min-h-0 flex-col"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      {failure !== null && <ChatFailure error={failure} onRetry={retry} />}
      <MessageList
        rows={isLoaded || rows.length > 0 ? rows : []}
        hasOlder={hasOlder}
        onLoadOlder={() => void loadOlder().catch(() => undefined)}
        handlers={handlers}
        wanted={wanted}
        onMissing={() => show({ text: 'This message is not in this conversation.' })}
      />
      <StatusLine maintenance={conversation.maintenance} connection={conversation.connection} />
      <Announcer isBusy={isBusy} isAsking={conversation.approvals.length > 0} />
      <div className="mx-auto w-full max-w-3xl px-3 pb-3 sm:px-4 sm:pb-5">
        <Composer
          sessionId={sessionId}
          commands={commands?.items ?? []}
          isBusy={isBusy}
          images={images}
          onSend={say}
          onCommand={run}
          onStop={stop}
        />
      </div>
    </div>
  )
}
