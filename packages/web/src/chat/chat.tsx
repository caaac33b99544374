import { useEffect, useMemo, useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { useClient } from '../api/client-context.tsx'
import { describeError } from '../api/describe-error.ts'
import { useLoaded } from '../api/use-loaded.ts'
import { createId } from '../session/create-id.ts'
import { useHost } from '../api/host.ts'
import { isAnswerUnderWay } from '../session/list-rows.ts'
import type { ConversationHandle } from '../session/use-conversation.ts'
import { useSnackbar } from '../ui/snackbar.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Announcer } from './announcer.tsx'
import { ChatFailure } from './chat-failure.tsx'
import { Composer } from './composer/composer.tsx'
import { KeptNotice } from './kept-notice.tsx'
import type { ImageAttachment } from './composer/read-image.ts'
import { useImages } from './composer/use-images.ts'
import { MessageList } from './list/message-list.tsx'
import type { RowHandlers } from './rows/row-view.tsx'
import { useSessionActions } from './session-context.tsx'
import { StatusLine } from './status-line.tsx'
import { useCommands } from './use-commands.ts'
import { useRows } from './list/use-rows.ts'
import { useTrimNotice } from './use-trim-notice.ts'

/** What a chat begins with when it was written before there was a session. */
export type FirstWords =
  | {
      readonly type: 'message'
      readonly id: string
      readonly text: string
      readonly images: readonly ImageAttachment[]
    }
  | { readonly type: 'command'; readonly line: string }

export interface ChatProps {
  readonly handle: ConversationHandle
  readonly wanted: { readonly messageId: string } | null
  readonly firstWords: FirstWords | null
  /** What to expect of the next message. */
  readonly hint: string | null
  /** They have been said. */
  readonly onBegun: () => void
}

/** The conversation and where it goes on. */
export function Chat({ handle, wanted, firstWords, hint, onBegun }: ChatProps) {
  const { conversation, failure, retry, dispatch, send, loadOlder, isLoadingOlder } = handle
  const client = useClient()
  const show = useSnackbar()
  const { sessionId } = useSessionActions()
  const images = useImages()
  const [said, setSaid] = useState(0)
  const runCommand = useCommands(dispatch)
  const { value: commands } = useLoaded(() => client.listCommands(), [client])
  const isBusy = isAnswerUnderWay(conversation)
  const host = useHost()
  useTrimNotice(conversation)

  const rows = useRows(conversation)
  const handlers = useMemo<RowHandlers>(
    () => ({
      onSendAgain: ({ id, text, attachments }) => send({ id, text, attachments: [...attachments] }),
      onDiscard: (id) => dispatch({ type: 'message-discarded', id }),
      onCloseCard: (id) => dispatch({ type: 'card-closed', id }),
    }),
    [send, dispatch],
  )
  const run = (line: string): void => {
    setSaid((before) => before + 1)
    runCommand(line)
  }
  const say = (text: string, attachments: readonly ImageAttachment[], id: string = createId()): void => {
    setSaid((before) => before + 1)
    send({ id, text, ...(attachments.length === 0 ? {} : { attachments: [...attachments] }) })
  }

  useFirstWords(firstWords, (words) => {
    if (words.type === 'command') run(words.line)
    else say(words.text, words.images, words.id)
    onBegun()
  })

  const stop = (): void => {
    client.cancel(sessionId).catch((error: unknown) => {
      show({ text: `It could not be stopped: ${describeError(error)}` })
    })
  }
  const drop = (event: DragEvent): void => {
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    if (host === null) images.add(event.dataTransfer.files)
  }

  return (
    <div className="flex h-full min-h-0 flex-col" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      {failure !== null && <ChatFailure error={failure} onRetry={retry} />}
      {failure === null && !conversation.isLoaded && (
        <Spinner label="Loading the conversation" className="mx-auto mt-10" />
      )}
      <MessageList
        rows={rows}
        hasOlder={conversation.hasOlder}
        isLoadingOlder={isLoadingOlder}
        onLoadOlder={loadOlder}
        handlers={handlers}
        said={said}
        wanted={wanted}
        onMissing={() => show({ text: 'This message is not in this conversation.' })}
      />
      <Announcer isBusy={isBusy} isAsking={conversation.approvals.length > 0} />
      <div className="mx-auto w-full max-w-200 px-3 pb-3 sm:px-5 sm:pb-5">
        <StatusLine {...conversation} hint={isBusy ? null : hint} />
        {host === null ? (
          <Composer
            sessionId={sessionId}
            commands={commands?.items ?? []}
            isBusy={isBusy}
            images={images}
            onSend={say}
            onCommand={run}
            onStop={stop}
          />
        ) : (
          <KeptNotice origin={host.origin} />
        )}
      </div>
    </div>
  )
}

/** Says what a chat begins with, once, whatever else changes. */
function useFirstWords(firstWords: FirstWords | null, begin: (words: FirstWords) => void): void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (firstWords === null || hasBegun.current) return
    hasBegun.current = true
    begin(firstWords)
  }, [firstWords])
}
