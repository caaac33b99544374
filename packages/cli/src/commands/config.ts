import { RuntimeError, explainConfig } from '@longhaul/runtime'
import { report } from '../program/invocation.ts'
import type { ExitCode, Invocation } from '../program/invocation.ts'
import { readConfig } from '../system/open-system.ts'
import { oneLine } from '../terminal/text-width.ts'

/** Says what is wrong with a configuration, all of it at once. */
export async function runConfigCheck(invocation: Invocation, file?: string): Promise<ExitCode> {
  try {
    const { places, hasFile, notes } = await readConfig(invocation, file)
    const path = places.configFile.value
    report(invocation, { file: path, exists: hasFile, ok: true, issues: [], notes }, () => [
      hasFile ? `${path} is fine.` : `${path} is not there; everything has its default.`,
      ...notes.map(({ path: key, line, replacedBy }) => `line ${line}: ${key} is called ${replacedBy} now`),
    ])
    return 0
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.issues.length === 0 || invocation.options.json !== true) throw error
    report(invocation, { ok: false, issues: error.issues, notes: [] }, () => [])
    return 1
  }
}

/** Every value in force and who said it, and which of them no session can go beyond. */
export async function runConfigShow(invocation: Invocation): Promise<void> {
  const rows = explainConfig(await readConfig(invocation))
  const { paint } = invocation.output
  report(invocation, { items: rows }, () =>
    rows.map(({ key, value, source, note = '', isCeiling = false }) => {
      const shown = oneLine(typeof value === 'string' ? value : JSON.stringify(value))
      const words = [source, note, isCeiling ? 'ceiling' : ''].filter((word) => word !== '')
      return `${key} = ${shown}  ${paint.dim(words.join(', '))}`
    }),
  )
}
