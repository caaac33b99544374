import { relative, resolve } from 'node:path'
import { ALLOW } from '../define-tool.ts'
import { findGuarded } from './guarded-path.ts'
import type { GuardedPath } from './guarded-path.ts'
import type { JudgePlace } from './judge-path.ts'
import { readHead } from './read-place.ts'
import { findSteeringReason } from './steering-files.ts'
import type { Place, Workspace } from './workspace.ts'

/** For writing: asks about all that would run or steer something later, and says why and where it really lies. */
export function judgeWriting(workspace: Workspace, guarded: readonly GuardedPath[] = []): JudgePlace {
  return async (place) => {
    const { path, shown, isInside, isLinked } = place
    const steering = (await findGuarded(workspace, guarded, place)) ?? findReasonByName(workspace, place)
    const reasons = [
      ...(isInside ? [] : ['It lies outside the workspace.']),
      ...(isLinked ? [`It is reached through a link: what is written is ${shown}.`] : []),
      ...(steering === null ? [] : [steering]),
      ...(await describeFile(place)),
    ]
    return reasons.length === 0 ? ALLOW : { verdict: 'ask', reason: `Write ${path}? ${reasons.join(' ')}` }
  }
}

/** By the name that was asked for, and by the one behind its links. */
function findReasonByName({ folder }: Workspace, { path, shown, isInside }: Place): string | null {
  if (!isInside) return null
  const asked = relative(folder, resolve(folder, path))
  return findSteeringReason(shown) ?? findSteeringReason(asked)
}

const ANYBODY_EXECUTES = 0o111

/** Reasons that lie in the file that is there already. */
async function describeFile(place: Place): Promise<readonly string[]> {
  const { stats } = place
  if (stats === null || !stats.isFile()) return []
  const isExecutable = (stats.mode & ANYBODY_EXECUTES) !== 0
  // Outside the workspace nothing is opened before somebody said yes.
  const isScript = isExecutable || (place.isInside && (await beginsAsScript(place)))
  return [
    ...(isScript ? [`It is ${isExecutable ? 'executable' : 'a script'}: who runs it next runs what is written.`] : []),
    ...(stats.nlink > 1 ? ['The same file has another name, which may lie outside the workspace.'] : []),
  ]
}

async function beginsAsScript(place: Place): Promise<boolean> {
  // A file that cannot be read is told of when it is written.
  const head = await readHead(place, 2).catch(() => null)
  return head?.bytes.toString('latin1') === '#!'
}
