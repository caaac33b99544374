import type { Session } from '@longhaul/protocol'
import { useState } from 'react'
import type { FirstWords } from '../../chat/chat.tsx'
import { Composer } from '../../chat/composer/composer.tsx'
import { keepDraft } from '../../chat/composer/use-draft.ts'
import { useImages } from '../../chat/composer/use-images.ts'
import { createId } from '../../session/create-id.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useSnackbar } from '../../ui/snackbar.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useClient } from '../../api/client-context.tsx'
import { describeError } from '../../api/describe-error.ts'
import { OfflineBanner } from './offline-banner.tsx'
import { PageHeader } from './page-header.tsx'
import { useLoaded } from '../../api/use-loaded.ts'

export interface NewChatProps {
  readonly onBegin: (sessionId: string, words: FirstWords | null) => void
  readonly onOpenMenu: (() => void) | null
}

const PROMPTS = [
  'Remember that our release is called Harbour and ships on 3 March.',
  'What do you remember from earlier chats?',
  '/help',
]

/** Sending it makes the sample compact; what it asks was said long before, and is answered all the same. */
const SAMPLE_QUESTION = 'What is the rule about mail?'

/** Where a chat begins: nothing is created before there is something to say. */
export function NewChat({ onBegin, onOpenMenu }: NewChatProps) {
  const client = useClient()
  const show = useSnackbar()
  const images = useImages()
  const [isLoadingSample, setIsLoadingSample] = useState(false)
  const { value: commands } = useLoaded(() => client.listCommands(), [client])
  const { value: models } = useLoaded(() => client.listModels(), [client])
  const realModel = models?.items.find(({ id, available }) => available && !id.startsWith('offline/'))

  const report = (error: unknown): void => show({ text: `No chat could be started: ${describeError(error)}` })
  const begin = (words: FirstWords): void => {
    client.createSession().then(({ id }) => onBegin(id, words), report)
  }
  const beginSample = ({ id }: Session): void => {
    keepDraft(id, SAMPLE_QUESTION)
    onBegin(id, null)
  }
  const loadSample = (): void => {
    setIsLoadingSample(true)
    client
      .createSample()
      .then(beginSample, report)
      .finally(() => setIsLoadingSample(false))
  }
  const say = (text: string, attached = images.images): void =>
    begin({ type: 'message', id: createId(), text, images: attached })

  return (
    <main className="flex h-full min-h-0 flex-col">
      <PageHeader title="New chat" onOpenMenu={onOpenMenu} />
      {models !== undefined && realModel === undefined && <OfflineBanner model="offline/extractive" />}
      <div className="flex min-h-0 flex-1 flex-col items-center overflow-y-auto px-5">
        <div className="my-auto w-full max-w-xl py-10 text-center">
          <img src="/icon.svg" alt="" className="mx-auto size-14" />
          <h2 className="mt-6 text-2xl font-semibold tracking-tight text-balance sm:text-3xl">
            A conversation that can go on for as long as you want
          </h2>
          <p className="mx-auto mt-3 max-w-md text-muted text-balance">
            Longhaul shows what the model reads, keeps it within its window, and forgets nothing you said.
          </p>
          <Button look="primary" className="mt-7" disabled={isLoadingSample} onClick={loadSample}>
            {isLoadingSample ? <Spinner /> : <Icon name="layers" />} Load a long sample conversation
          </Button>
          <p className="mx-auto mt-3 max-w-sm text-[0.8125rem] text-muted text-balance">
            Two days of work in one chat, so long that the model cannot read it whole. Ask it something, and watch.
          </p>
          <ul aria-label="Try this" className="mt-8 flex flex-wrap justify-center gap-2">
            {PROMPTS.map((prompt) => (
              <li key={prompt}>
                <button
                  type="button"
                  onClick={() => (prompt.startsWith('/') ? begin({ type: 'command', line: prompt }) : say(prompt, []))}
                  className="rounded-full border border-line px-3.5 py-1.5 text-[0.8125rem] text-muted transition-colors hover:border-line-strong hover:text-ink"
                >
                  {prompt}
                </button>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div className="mx-auto w-full max-w-200 px-3 pb-3 sm:px-5 sm:pb-5">
        <Composer
          sessionId="new"
          commands={commands?.items ?? []}
          isBusy={false}
          images={images}
          onSend={say}
          onCommand={(line) => begin({ type: 'command', line })}
          onStop={() => undefined}
        />
      </div>
    </main>
  )
}
