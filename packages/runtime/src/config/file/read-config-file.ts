import { RuntimeError } from '../../runtime-error.ts'
import { toCanonicalKey } from './aliases.ts'
import { checkAgents } from './check-agents.ts'
import { checkModels, readModelSettings } from './check-models.ts'
import { checkShape } from './check-shape.ts'
import { checkUpstreams } from './check-upstreams.ts'
import type { FileContent } from './file-schema.ts'
import { findOrigin, gatherSettings } from './gather-settings.ts'
import type { Origins } from './gather-settings.ts'
import { showPath, valueAt } from './key-path.ts'
import { readSettings } from './read-settings.ts'
import type { Setting, SettingProblem } from './read-settings.ts'

/** A name that was understood although it has another one now. */
export interface ConfigNote {
  readonly path: string
  readonly line: number
  /** Its one name, under which `explainConfig` lists it. */
  readonly replacedBy: string
}

export interface ConfigFile {
  readonly content: FileContent
  readonly origins: Origins
  readonly notes: readonly ConfigNote[]
}

/** Throws one `RuntimeError` with everything that is wrong, in the order of the lines. */
export function readConfigFile(source: string, name: string): ConfigFile {
  const file = readSettings(source)
  const { content: gathered, origins, problems } = gatherSettings(file)
  const { content, problems: ofShape } = checkShape(gathered)
  const ofKeys = [
    ...ofShape,
    ...checkModels(readModelSettings(gathered)),
    ...checkAgents(gathered, origins),
    ...checkUpstreams(valueAt(gathered, ['gateway', 'upstreams'])),
  ]
  const found = [
    ...file.problems,
    ...problems,
    ...ofKeys.map(({ path, message }) => ({ ...findOrigin(origins, path), message })),
  ]
  if (found.length > 0 || content === null) throw refuse(found, name)
  return { content, origins, notes: file.settings.flatMap(noteOldName) }
}

function noteOldName({ path, line }: Setting): readonly ConfigNote[] {
  const [written, replacedBy] = [showPath(path), showPath(toCanonicalKey(path).path)]
  return written === replacedBy ? [] : [{ path: written, line, replacedBy }]
}

function refuse(problems: readonly SettingProblem[], name: string): RuntimeError {
  const issues = problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ path, line, column, message }) => {
      const where = column === undefined ? `${name}:${line}` : `${name}:${line}:${column}`
      return { path: showPath(path), where, line, message }
    })
  const text = issues.map(({ path, where, message }) => `${where}: ${path === '' ? '' : `${path}: `}${message}`)
  return new RuntimeError('invalid-configuration', text.join('\n'), { issues })
}
