import type { KnownSession } from '../app/screens/use-known-session.ts'
import { useClient } from '../api/client-context.tsx'
import { useLoaded } from '../api/use-loaded.ts'
import { LoadState } from '../api/load-state.tsx'
import { useSnackbar } from '../ui/snackbar.tsx'
import { ModelChoice } from './model-choice.tsx'
import { PresetChoice } from './preset-choice.tsx'
import type { Save } from './save.ts'
import { ThresholdSetting } from './threshold-setting.tsx'

export interface SessionSettingsProps {
  readonly sessionId: string
  /** As it is now; undefined until it is loaded. */
  readonly known: KnownSession | undefined
  /** Something was changed here. */
  readonly onChange: () => void
}

/** What a session runs on and when it compacts. Every choice takes effect at once. */
export function SessionSettings({ sessionId, known, onChange }: SessionSettingsProps) {
  const client = useClient()
  const showSnackbar = useSnackbar()
  const loaded = useLoaded(async () => {
    const [models, presets] = await Promise.all([client.listModels(), client.listPresets()])
    return { models: models.items, presets: presets.items }
  }, [client])
  const save: Save = async (change, whatChanged) => {
    await client.changeSession(sessionId, change)
    showSnackbar({ text: whatChanged })
    onChange()
  }
  const { value } = loaded
  if (value === undefined || known === undefined) return <LoadState loaded={loaded} what="the settings" />
  const { models, presets } = value
  const { session, status } = known
  return (
    <div className="space-y-6">
      <ModelChoice models={models} selected={session.model} onSave={save} />
      <PresetChoice presets={presets} selected={session.preset} onSave={save} />
      <ThresholdSetting
        // Begins anew with what is in force, whoever changed it.
        key={JSON.stringify([session.policy, session.preset, status.tokens.threshold])}
        session={session}
        preset={presets.find(({ name }) => name === session.preset)}
        status={status}
        onSave={save}
      />
    </div>
  )
}
