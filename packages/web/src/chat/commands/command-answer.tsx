import type { CommandResult } from '@longhaul/protocol'
import { AboutUntrusted } from '../../ui/about-untrusted.tsx'
import { formatCount, formatNumber } from '../../ui/text/format.ts'
import { useSessionActions } from '../session-context.tsx'
import { ContextAnswer } from './context-answer.tsx'
import { Facts } from './facts.tsx'
import { RecallAnswer } from './recall-answer.tsx'
import { StatusAnswer } from './status-answer.tsx'

/** What a slash command found or did, in words. */
export function CommandAnswer({ result }: { readonly result: CommandResult }) {
  const { openSession } = useSessionActions()
  switch (result.command) {
    case 'status':
      return <StatusAnswer status={result.status} />
    case 'context':
      return <ContextAnswer form={result.form} report={result.report} />
    case 'compact':
      return (
        <p>
          Compacted: {formatNumber(result.tokensBefore)} → {formatNumber(result.tokensAfter)} tokens
          {result.score !== null && `, score ${Math.round(result.score * 100)} %`}.
        </p>
      )
    case 'undo':
      return (
        <p>
          {formatCount(result.undone.length, 'compaction')} undone
          {result.tokens !== null && `; the context is now ${formatNumber(result.tokens)} tokens`}.
        </p>
      )
    case 'new':
      return (
        <button
          type="button"
          className="font-medium text-accent underline-offset-4 hover:underline"
          onClick={() => openSession(result.session.id)}
        >
          Open the new chat
        </button>
      )
    case 'reset':
      return <p>The context is empty now. Everything said before stays readable above.</p>
    case 'model':
      return <Choice what="model" chosen={result.model} {...result} />
    case 'preset':
      return <Choice what="preset" chosen={result.preset ?? 'none'} {...result} />
    case 'pin':
      return <p>Pinned: {result.text}</p>
    case 'unpin':
      return <p>No longer pinned: {result.text}</p>
    case 'pins':
      return result.pins.length === 0 ? (
        <p>Nothing is pinned. Pin something with /pin TEXT.</p>
      ) : (
        <Facts facts={result.pins.map(({ number, text }) => [String(number), text])} />
      )
    case 'recall':
      return <RecallAnswer query={result.query} found={result.found} />
    case 'memory':
      return <MemoryAnswer result={result} />
    case 'help':
      return <Facts facts={result.commands.map(({ usage, summary }) => [usage, summary])} />
    default:
      result satisfies never
      return null
  }
}

interface ChoiceProps {
  readonly what: string
  readonly chosen: string
  readonly choices: readonly string[]
  readonly didChange: boolean
}

function Choice({ what, chosen, choices, didChange }: ChoiceProps) {
  return (
    <>
      <p>
        {didChange ? `The ${what} is now` : `The ${what} is`} <strong>{chosen}</strong>.
      </p>
      {!didChange && choices.length > 0 && (
        <p className="mt-1 max-h-40 overflow-y-auto text-muted">Others: {choices.join(', ')}</p>
      )}
    </>
  )
}

function MemoryAnswer({ result }: { readonly result: Extract<CommandResult, { command: 'memory' }> }) {
  const { files, hits, query } = result
  if (hits.length > 0) {
    return (
      <>
        <Facts facts={hits.map(({ document, line, text }) => [`${document}:${line}`, text])} />
        {hits.some(({ trusted }) => !trusted) && <AboutUntrusted className="mt-2" />}
      </>
    )
  }
  if (query !== '') return <p>Nothing in memory fits “{query}”.</p>
  return files.length === 0 ? <p>Memory is empty so far.</p> : <p>Files: {files.join(', ')}</p>
}
