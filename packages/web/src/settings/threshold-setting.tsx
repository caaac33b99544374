import type { Preset, Session, SessionStatus } from '@longhaul/protocol'
import { useId, useState } from 'react'
import { formatShare, formatTokens } from '../ui/text/format.ts'
import { Problem } from '../api/problem.tsx'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { MAX_PERCENT, MIN_PERCENT, createThresholdPolicy, readThreshold } from './read-threshold.ts'
import type { Save } from './save.ts'

export interface ThresholdSettingProps {
  readonly session: Session
  readonly preset: Preset | undefined
  readonly status: Pick<SessionStatus, 'tokens' | 'clamps'>
  readonly onSave: Save
}

/** When a compaction starts: a share of the window, by slider or number. */
export function ThresholdSetting({ session, preset, status, onSave }: ThresholdSettingProps) {
  const ids = { slider: useId(), hint: useId() }
  const { threshold, window } = status.tokens
  const { percent: current, isOwn, presetPolicy } = readThreshold({ session, preset, threshold, window })
  const [percent, setPercent] = useState(current ?? 80)
  const save = useAction((policy: Readonly<Record<string, unknown>>, whatChanged: string) =>
    onSave({ policy: { ...policy } }, whatChanged),
  )
  const isValid = percent >= MIN_PERCENT && percent <= MAX_PERCENT
  const range = { min: MIN_PERCENT, max: MAX_PERCENT, step: 1, disabled: save.isRunning }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid) save.run(createThresholdPolicy(percent), `A compaction now starts at ${percent} % of the window.`)
      }}
    >
      <label htmlFor={ids.slider} className="text-sm font-semibold">
        Compaction threshold
      </label>
      <p id={ids.hint} className="mt-1 mb-2 text-[0.8125rem] text-muted">
        How full the window may get before older messages become a summary. Lower is cheaper and forgets details sooner;
        higher keeps more word for word. {describeInForce(status)}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <input
          id={ids.slider}
          type="range"
          aria-describedby={ids.hint}
          className="min-w-40 flex-1 accent-[var(--accent)]"
          {...range}
          value={Number.isNaN(percent) ? MIN_PERCENT : percent}
          onChange={(event) => setPercent(event.target.valueAsNumber)}
        />
        <span className="flex items-center gap-1 text-sm">
          <input
            type="number"
            aria-label="Compaction threshold in percent"
            aria-invalid={!isValid}
            className="h-8 w-16 rounded-lg border border-line bg-surface px-2 text-right tabular-nums"
            {...range}
            value={Number.isNaN(percent) ? '' : percent}
            onChange={(event) => setPercent(event.target.valueAsNumber)}
          />
          %
        </span>
        <Button type="submit" look="primary" size="small" disabled={save.isRunning || !isValid || percent === current}>
          Apply
        </Button>
      </div>
      {isValid && window !== null && percent !== current && (
        <p className="mt-1 text-xs text-muted">
          About {formatTokens((percent / 100) * window)} of {formatTokens(window)}.
        </p>
      )}
      {!isValid && (
        <p role="alert" className="mt-1 text-xs text-danger">
          Between {MIN_PERCENT} % and {MAX_PERCENT} %.
        </p>
      )}
      {save.error !== undefined && (
        <div className="mt-2">
          <Problem error={save.error} />
        </div>
      )}
      {isOwn && presetPolicy !== null && (
        <Button
          look="quiet"
          size="small"
          className="mt-2 -ml-3"
          disabled={save.isRunning}
          onClick={() => save.run(presetPolicy, `The threshold is the one of ${session.preset} again.`)}
        >
          Use the threshold of {session.preset}
        </Button>
      )}
    </form>
  )
}

/** A window that cannot hold what was asked for has the last word. */
function describeInForce({ tokens: { threshold, window }, clamps }: ThresholdSettingProps['status']): string {
  if (threshold === null) return 'The size of the window is unknown, so nothing is compacted by itself.'
  const share = window === null ? '' : ` (${formatShare(threshold / window)})`
  const isClamped = clamps.some(({ key }) => key === 'compaction.trigger')
  const why = isClamped ? ', because this window must keep room for the reply' : ''
  return `In force now: ${formatTokens(threshold)}${share}${why}.`
}
