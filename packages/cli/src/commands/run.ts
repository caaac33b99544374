import type { LogLine } from '@longhaul/runtime'
import { CliError } from '../program/cli-error.ts'
import type { ExitCode, Invocation } from '../program/invocation.ts'
import { UsageError } from '../program/usage-error.ts'
import type { AgentSetup } from '../run/agent-setup.ts'
import { describeReport } from '../run/describe-report.ts'
import { findProgram } from '../run/find-program.ts'
import { openGateway } from '../run/open-gateway.ts'
import { setUpAgent, setUpCommand } from '../run/set-up-agent.ts'
import type { AgentName } from '../run/set-up-agent.ts'
import { startChild } from '../run/start-child.ts'
import { readConfig } from '../system/open-system.ts'

export interface RunOptions {
  readonly port?: number
  /** null: the first of the words is the program. */
  readonly agent: AgentName | null
  /** The program's own words. */
  readonly words: readonly string[]
}

const DEFAULT_PORT = 4750
const MAX_WARNINGS = 5

/** Runs a program behind the gateway, in this terminal, and says at its end what the gateway did. */
export async function runRun(invocation: Invocation, { port, agent, words }: RunOptions): Promise<ExitCode> {
  const { environment, output } = invocation
  const [first, ...rest] = words
  if (agent === null && first === undefined)
    throw new UsageError('Say what to run: longhaul run claude, longhaul run codex, or longhaul run -- COMMAND.')
  const setup = agent === null ? setUpCommand(first as string, environment) : setUpAgent(agent, environment)
  const program = findProgram(setup.program, environment)
  if (program === null) throw new CliError(describeMissing(setup))
  const warnings = new Set<string>()
  const gateway = await openGateway({
    config: await readConfig(invocation),
    port: port ?? DEFAULT_PORT,
    upstreams: setup.upstreams,
    // The terminal belongs to the program now, so warnings wait for its end.
    log: ({ level, message }: LogLine) => void (level === 'warn' || level === 'error' ? warnings.add(message) : null),
  })
  try {
    const { words: own, variables } = setup.connect(gateway.root)
    invocation.leaveSignals()
    const code = await startChild({
      program,
      words: [...own, ...(agent === null ? rest : words)],
      environment: { ...environment, ...besideProxy(environment), ...variables },
    })
    for (const warning of [...warnings].slice(0, MAX_WARNINGS)) output.note(`Longhaul: ${warning}`)
    const report = await gateway.report()
    const lines = report === null ? ['Longhaul: the gateway does not answer any more.'] : describeReport(report)
    for (const line of lines) output.note(line)
    if (gateway.isShared) output.note('  The gateway was running before, so requests of other programs count too.')
    return code
  } finally {
    await gateway.close()
  }
}

function describeMissing({ program, install }: AgentSetup): string {
  const how = install === null ? 'Check its name and your PATH.' : `Install it: ${install}`
  return `There is no program called ${program} here. ${how}`
}

/** A proxy in front of the internet cannot reach this machine's own addresses. */
function besideProxy({ NO_PROXY, no_proxy: small, ...rest }: Invocation['environment']): Record<string, string> {
  if (!Object.keys(rest).some((name) => /_proxy$/i.test(name))) return {}
  const all = [NO_PROXY ?? small ?? '', '127.0.0.1'].filter((each) => each !== '').join(',')
  return { NO_PROXY: all, no_proxy: all }
}
