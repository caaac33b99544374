import { useClient } from '../app/client-context.tsx'
import { useLoaded } from '../app/use-loaded.ts'
import { LoadState } from '../context/load-state.tsx'
import { useSnackbar } from '../ui/snackbar.tsx'
import { ModelChoice } from './model-choice.tsx'
import { PresetChoice } from './preset-choice.tsx'
import type { Save } from './save.ts'
import { ThresholdSetting } from './threshold-setting.tsx'

export interface SessionSettingsProps {
  readonly sessionId: string
  /** Another number: the session's numbers may have changed. */
  readonly version: number
  /** Something was changed here. */
  readonly onChange: () => void
}

/** What a session runs on and when it compacts. Every choice takes effect at once. */
export function SessionSettings({ sessionId, version, onChange }: SessionSettingsProps) {
  const client = useClient()
  const showSnackbar = useSnackbar()
  const loaded = useLoaded(
    async () => ({
      session: await client.getSession(sessionId),
      status: await client.getStatus(sessionId),
      models: (await client.listModels()).items,
      presets: (await client.listPresets()).items,
    }),
    [client, sessionId, version],
  )
  const save: Save = async (change, whatChanged) => {
    await client.changeSession(sessionId, change)
    showSnackbar({ text: whatChanged })
    onChange()
  }
  const { value } = loaded
  if (value === undefined) return <LoadState loaded={loaded} what="the settings" />
  const { session, status, models, presets } = value
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
