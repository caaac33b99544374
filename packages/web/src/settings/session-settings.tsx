import type { SessionChange } from '@longhaul/protocol'
import { useState } from 'react'
import { useClient } from '../app/client-context.tsx'
import { useLoaded } from '../app/use-loaded.ts'
import { LoadState } from '../context/load-state.tsx'
import { Problem } from '../context/problem.tsx'
import { useAction } from '../context/use-action.ts'
import { ModelChoice } from './model-choice.tsx'
import { PresetChoice } from './preset-choice.tsx'
import { ThresholdSetting } from './threshold-setting.tsx'

export interface SessionSettingsProps {
  readonly sessionId: string
  /** Another number: the session's numbers may have changed. */
  readonly version: number
  /** Something was changed here. */
  readonly onChange: () => void
}

/** What a session runs on and when it compacts. Every choice takes effect at once, and says so. */
export function SessionSettings({ sessionId, version, onChange }: SessionSettingsProps) {
  const client = useClient()
  const [saved, setSaved] = useState<string | null>(null)
  const loaded = useLoaded(
    async () => ({
      session: await client.getSession(sessionId),
      status: await client.getStatus(sessionId),
      models: (await client.listModels()).items,
      presets: (await client.listPresets()).items,
    }),
    [client, sessionId, version, saved],
  )
  const save = useAction(async (change: SessionChange, whatChanged: string) => {
    setSaved(null)
    await client.changeSession(sessionId, change)
    setSaved(whatChanged)
    onChange()
  })
  const { value } = loaded
  if (value === undefined) return <LoadState loaded={loaded} what="the settings" />
  const { session, status, models, presets } = value
  return (
    <div className="space-y-6">
      <div role="status" className="min-h-6 text-[0.8125rem]">
        {save.isRunning && <span className="text-muted">Saving …</span>}
        {!save.isRunning && saved !== null && <span className="font-medium text-success">✓ {saved}</span>}
      </div>
      {save.error !== undefined && <Problem error={save.error} />}
      <ModelChoice
        models={models}
        selected={session.model}
        isDisabled={save.isRunning}
        onSelect={(model) => save.run({ model }, `The model is now ${model}.`)}
      />
      <PresetChoice
        presets={presets}
        selected={session.preset}
        isDisabled={save.isRunning}
        onSelect={(preset) => save.run({ preset }, `The preset is now ${preset}.`)}
      />
      <ThresholdSetting
        key={JSON.stringify([session.policy, session.preset, status.tokens.threshold])}
        session={session}
        preset={presets.find(({ name }) => name === session.preset)}
        tokens={status.tokens}
        isDisabled={save.isRunning}
        onSave={(policy, whatChanged) => save.run({ policy: { ...policy } }, whatChanged)}
      />
    </div>
  )
}
