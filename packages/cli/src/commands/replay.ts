import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename } from 'node:path'
import {
  ReplayError,
  checkModel,
  choosePolicies,
  createLonghaulPolicy,
  createPage,
  createRegistry,
  findTranscripts,
  listPolicyNames,
  readQuestions,
  readTranscriptFile,
  replay,
} from '@longhaul/replay'
import type {
  Question,
  RegistryOptions,
  ReplayOptions,
  ReplayPolicy,
  ReplayReport,
  TranscriptFile,
  TranscriptPart,
  TranscriptProblem,
} from '@longhaul/replay'
import { findFilePlaces } from '@longhaul/runtime/places'
import { renderReplay } from '../cards/render-replay.ts'
import { CliError } from '../program/cli-error.ts'
import { report } from '../program/invocation.ts'
import type { ExitCode, Invocation } from '../program/invocation.ts'
import { UsageError } from '../program/usage-error.ts'
import { formatCount } from '../terminal/format.ts'
import { startProgress } from '../terminal/progress.ts'

export interface ReplayCommandOptions {
  readonly presets?: readonly string[]
  readonly peers?: true
  readonly policy?: string
  readonly window?: number
  readonly model?: string
  readonly summaries?: 'extractive' | 'recorded'
  readonly questions?: string
  readonly live?: true
  readonly yes?: true
  readonly html?: string
}

/** Of one file; a transcript may be broken from start to end. */
const MAX_TOLD_PROBLEMS = 5

/** Real conversations through policies. Failed if something of them could not be read; the rest is replayed all the same. */
export async function runReplay(
  invocation: Invocation,
  paths: readonly string[],
  options: ReplayCommandOptions,
): Promise<ExitCode> {
  if (options.live === true && options.summaries !== undefined)
    throw new UsageError('--live and --summaries are two answers to one question; say one of them.')
  const { policies, replayOptions } = await readWishes(invocation, options)
  const problems = createProblems(invocation)
  const { files, problems: notFound } = await findTranscripts(paths)
  for (const problem of notFound) problems.add(problem)
  if (files.length === 0) throw new CliError('There is nothing to replay.')

  const run = (title: string, more: ReplayOptions): Promise<ReplayReport> =>
    replayFiles(invocation, { title, files, policies, problems }, { ...replayOptions, ...more })
  const result = options.live === true ? await runLive(invocation, options, run) : await run('Percent replayed', {})
  if (result === null) return 0
  problems.tellRest()
  if (result.runs.every(({ messages }) => messages === 0))
    throw new CliError('There is no conversation in it to replay.')
  if (options.html !== undefined) await writePage(options.html, result)
  report(invocation, { ...result, problems: problems.all(), html: options.html ?? null }, () =>
    renderReplay(result, invocation.output),
  )
  if (options.html !== undefined) invocation.output.note(`The page is ${options.html}`)
  return problems.all().length === 0 ? 0 : 1
}

/** What was typed as values; the first one that makes no sense is refused before anything is read. */
async function readWishes(invocation: Invocation, options: ReplayCommandOptions) {
  const { presets = listPolicyNames('longhaul'), peers, policy, model, window, summaries, questions } = options
  const registry = createRegistry(await readModelSettings(invocation))
  try {
    const named = choosePolicies([...presets, ...(peers === true ? [...listPolicyNames('peer'), 'recorded'] : [])])
    if (model !== undefined) checkModel(model, registry)
    const policies = policy === undefined ? named : [...named, await readPolicy(policy)]
    const replayOptions: ReplayOptions = {
      registry,
      model,
      windowTokens: window,
      signal: invocation.signal,
      summaries: summaries === undefined ? undefined : { kind: summaries },
      questions: questions === undefined ? undefined : await readQuestionFile(questions),
    }
    return { policies, replayOptions }
  } catch (error) {
    if (error instanceof ReplayError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

/** Without a configuration file there is nothing to read, and the system that reads it takes longer to load than all the rest. */
async function readModelSettings(invocation: Invocation): Promise<RegistryOptions> {
  const { configFile } = findFilePlaces({
    environment: invocation.environment,
    homeFolder: homedir(),
    currentFolder: process.cwd(),
    overrides: invocation.options,
  })
  if (configFile.source === 'default' && !existsSync(configFile.value)) return {}
  const { readConfig } = await import('../system/open-system.ts')
  const { models, providers } = await readConfig(invocation)
  return { overrides: models, providers }
}

async function runLive(
  invocation: Invocation,
  { model, yes }: ReplayCommandOptions,
  run: (title: string, options: ReplayOptions) => Promise<ReplayReport>,
): Promise<ReplayReport | null> {
  const { withLiveModel } = await import('./replay-live.ts')
  return withLiveModel(invocation, { model, isSure: yes === true }, run)
}

/** A configuration file: its preset with whatever it changes. */
async function readPolicy(file: string): Promise<ReplayPolicy> {
  const { RuntimeError, createPolicyFor, loadConfig } = await import('@longhaul/runtime')
  try {
    const config = await loadConfig({ environment: {}, homeFolder: homedir(), overrides: { config: file } })
    const policy = createPolicyFor(config)({ agent: null, preset: null, policy: null })
    return createLonghaulPolicy({ name: basename(file), about: `${config.preset}, changed`, source: file }, policy)
  } catch (error) {
    if (error instanceof RuntimeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

async function readQuestionFile(file: string): Promise<readonly Question[]> {
  try {
    return readQuestions(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

interface ReplayWork {
  readonly title: string
  readonly files: readonly TranscriptFile[]
  readonly policies: readonly ReplayPolicy[]
  readonly problems: Problems
}

async function replayFiles(invocation: Invocation, work: ReplayWork, options: ReplayOptions): Promise<ReplayReport> {
  const { title, files, policies, problems } = work
  const progress = await startProgress(invocation, title)
  const allBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let doneBytes = 0
  progress.at(0, 100)
  const onProgress = (bytes: number): void => {
    doneBytes += bytes
    progress.at(Math.min(100, Math.floor((doneBytes / Math.max(1, allBytes)) * 100)), 100)
  }
  try {
    const result = await replay(readAll(files, problems), policies, { ...options, onProgress })
    const conversations = new Set(result.runs.map(({ conversation }) => conversation)).size
    progress.end(
      `${formatCount(conversations, 'conversation')} under ${formatCount(policies.length, 'policy', 'policies')}`,
    )
    return result
  } catch (error) {
    progress.end('It was not finished.')
    throw error
  }
}

async function* readAll(files: readonly TranscriptFile[], problems: Problems): AsyncIterable<TranscriptPart> {
  for (const file of files) yield* readTranscriptFile(file, problems.add)
}

async function writePage(file: string, result: ReplayReport): Promise<void> {
  try {
    await writeFile(file, createPage(result))
  } catch (cause) {
    throw new CliError(`The page was not written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** What could not be read: told on the way, the first few of each file, and counted. */
interface Problems {
  readonly add: (problem: TranscriptProblem) => void
  all(): readonly TranscriptProblem[]
  tellRest(): void
}

function createProblems({ output }: Invocation): Problems {
  const known = new Map<string, TranscriptProblem>()
  const counts = new Map<string, number>()
  return {
    add(problem) {
      const { file } = problem
      const words = describeProblem(problem)
      // Whoever replays twice reads twice.
      if (known.has(words)) return
      known.set(words, problem)
      const count = (counts.get(file) ?? 0) + 1
      counts.set(file, count)
      if (count <= MAX_TOLD_PROBLEMS) output.note(words)
    },
    all: () => [...known.values()],
    tellRest() {
      for (const [file, count] of counts) {
        if (count > MAX_TOLD_PROBLEMS) output.note(`${file}: ${count - MAX_TOLD_PROBLEMS} more lines could not be read`)
      }
    },
  }
}

function describeProblem({ file, line, reason }: TranscriptProblem): string {
  return line === null ? `${file}: ${reason}` : `${file}:${line}: ${reason}`
}
