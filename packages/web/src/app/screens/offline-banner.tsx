import { IconButton } from '../../ui/icon-button.tsx'
import { useClient } from '../../api/client-context.tsx'
import { useKept } from '../use-kept.ts'
import { useLoaded } from '../../api/use-loaded.ts'

/** Where there is no real model, says so and how to get one. */
export function OfflineBanner({ model }: { readonly model: string }) {
  const client = useClient()
  const [isHidden, setIsHidden] = useKept('offline-banner-hidden', false)
  const { value: models } = useLoaded(() => client.listModels(), [client])
  if (isHidden || models === undefined || !isOffline(model)) return null
  const hasReal = models.items.some(({ id, available }) => available && !isOffline(id))
  return (
    <div className="flex items-start gap-2 border-b border-line bg-warning-soft py-2 pr-2 pl-5 text-[0.8125rem]">
      <p className="flex-1 py-1">
        <strong className="font-semibold">Offline model.</strong>
        <span className="sm:hidden">
          {' '}
          It only quotes. {hasReal ? 'The settings offer a real one.' : 'A real one needs a key.'}
        </span>
        <span className="max-sm:hidden">
          {' '}
          It is not an LLM: it answers by quoting its context.{' '}
          {hasReal ? (
            'Choose a real model in the settings of this chat.'
          ) : (
            <>
              For a real one, start Longhaul with <Key>ANTHROPIC_API_KEY</Key>, <Key>OPENAI_API_KEY</Key> or{' '}
              <Key>GOOGLE_GENERATIVE_AI_API_KEY</Key> set.
            </>
          )}
        </span>
      </p>
      <IconButton icon="close" label="Hide this notice" className="size-8" onClick={() => setIsHidden(true)} />
    </div>
  )
}

function Key({ children }: { readonly children: string }) {
  return <code className="font-mono text-xs">{children}</code>
}

function isOffline(model: string): boolean {
  return model.startsWith('offline/')
}
