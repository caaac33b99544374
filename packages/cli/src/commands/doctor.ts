import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RuntimeError, createRuntime, findLeftOut, makeFolder } from '@longhaul/runtime'
import type { Config, Runtime } from '@longhaul/runtime'
import { report } from '../program/invocation.ts'
import type { ExitCode, Invocation } from '../program/invocation.ts'
import { readConfig } from '../system/open-system.ts'
import { canStartClean } from '../system/start-clean.ts'
import { formatNumber } from '../terminal/format.ts'
import { cleanText } from '../terminal/text-width.ts'

interface Finding {
  readonly name: string
  readonly verdict: 'fine' | 'doubtful' | 'broken'
  readonly message: string
}

/** Looks at what Longhaul needs around it, one thing after the other. Failed if one of them is broken. */
export async function runDoctor(invocation: Invocation): Promise<ExitCode> {
  const findings: Finding[] = [fine('Node', `${process.versions.node} on ${process.platform} ${process.arch}`)]
  const config = await look(findings, 'configuration', async () => {
    const read = await readConfig(invocation)
    const { configFile } = read.places
    findings.push(
      fine('configuration', read.hasFile ? configFile.value : `${configFile.value} is not there; all defaults`),
    )
    return read
  })
  if (config !== null) {
    await look(findings, 'data folder', () => checkFolder(findings, config))
    await look(findings, 'workspace', () => checkWorkspace(findings, config))
    const runtime = await look(findings, 'store', () => openRuntime(findings, config))
    if (runtime !== null) {
      await look(findings, 'store', () => checkStore(findings, runtime))
      await look(findings, 'mcp', () => checkMcp(findings, runtime))
      await look(findings, 'commands', () => checkCommands(findings, runtime))
      await runtime.close()
    }
  }
  const isBroken = findings.some(({ verdict }) => verdict === 'broken')
  const { paint } = invocation.output
  const marks = { fine: paint.green('✓'), doubtful: paint.yellow('!'), broken: paint.red('✗') }
  report(invocation, { ok: !isBroken, findings }, () =>
    findings.map(({ name, verdict, message }) => `${marks[verdict]} ${name.padEnd(14)} ${cleanText(message)}`),
  )
  return isBroken ? 1 : 0
}

async function look<T>(findings: Finding[], name: string, what: () => Promise<T>): Promise<T | null> {
  try {
    return await what()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const issues = error instanceof RuntimeError ? error.issues.length : 0
    findings.push({
      name,
      verdict: 'broken',
      message: issues > 1 ? `${message.split('\n')[0]} … (${issues} in all: longhaul config check)` : message,
    })
    return null
  }
}

async function checkFolder(findings: Finding[], { places }: Config): Promise<void> {
  const folder = places.dataFolder.value
  const probe = join(folder, `.doctor-${randomUUID()}`)
  makeFolder(folder)
  await writeFile(probe, 'can it be written?', { flush: true })
  await rm(probe)
  findings.push(fine('data folder', `${folder} can be written`))
}

/** Files that sessions would be given, were they not links that lead out, pipes, or too large. */
async function checkWorkspace(findings: Finding[], config: Config): Promise<void> {
  const leftOut = await findLeftOut(config)
  findings.push(
    ...(leftOut.length === 0
      ? [fine('workspace', config.places.workspace.value)]
      : leftOut.map((message): Finding => ({ name: 'workspace', verdict: 'doubtful', message }))),
  )
}

async function openRuntime(findings: Finding[], config: Config): Promise<Runtime> {
  return createRuntime(config, {
    log: ({ level, event, message }) => {
      if (level === 'warn' && event === 'configuration')
        findings.push({ name: 'configuration', verdict: 'doubtful', message })
    },
  })
}

async function checkStore(findings: Finding[], { store, models, config }: Runtime): Promise<void> {
  const { items } = await store.sessions.list({ limit: 1 })
  findings.push(fine('store', `${store.kind} answers`))
  const newest = items[0]?.updatedAt ?? 0
  const now = Date.now()
  findings.push(
    now < newest
      ? {
          name: 'clock',
          verdict: 'doubtful',
          message: `it is before the newest entry (${new Date(newest).toISOString()}); ages will be wrong`,
        }
      : fine('clock', new Date(now).toISOString()),
  )
  const usable = models.list().filter(({ available, provider }) => available && provider !== 'offline')
  const providers = [...new Set(usable.map(({ provider }) => provider))]
  findings.push(
    providers.length === 0
      ? { name: 'keys', verdict: 'doubtful', message: 'none: only the offline model can answer, and it is not an LLM' }
      : fine('keys', `present for ${providers.join(', ')}`),
  )
  const model = models.describe(config.agents.defaults.model ?? models.defaultModel)
  findings.push(
    model.contextWindow === null
      ? {
          name: 'model',
          verdict: 'doubtful',
          message: `${model.id}: its window is unknown; set models["${model.id}"].contextWindow`,
        }
      : fine('model', `${model.id}, a window of ${formatNumber(model.contextWindow)} tokens`),
  )
}

async function checkMcp(findings: Finding[], runtime: Runtime): Promise<void> {
  for (const { server, tools, problems } of await runtime.checkMcp()) {
    if (problems.length === 0) findings.push(fine('mcp', `${server}: ${formatNumber(tools)} tools`))
    for (const message of problems)
      findings.push({ name: 'mcp', verdict: 'doubtful', message: `${server}: ${message}` })
  }
}

/** How commands of models run, and whether they could read the keys of this program. */
async function checkCommands(findings: Finding[], { commands }: Runtime): Promise<void> {
  const found = await commands.boundary()
  findings.push(
    'problem' in found
      ? { name: 'commands', verdict: 'broken', message: found.problem }
      : fine('commands', `run in ${found.boundary.name}; ${found.boundary.reach}`),
    canStartClean()
      ? fine('secrets', 'serve and chat keep them out of the environment that other processes can read')
      : {
          name: 'secrets',
          verdict: 'doubtful',
          message:
            'serve and chat cannot start without them here: processes of the same user can read their environment',
        },
  )
}

function fine(name: string, message: string): Finding {
  return { name, verdict: 'fine', message }
}
