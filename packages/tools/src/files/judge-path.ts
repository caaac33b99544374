import { ALLOW } from '../define-tool.ts'
import type { Permission, ToolContext } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import { findGuarded, keepPrivate } from './guarded-path.ts'
import type { GuardedPath } from './guarded-path.ts'
import type { Place, Workspace } from './workspace.ts'

/** Says whether a place may be used without asking. Links that lead out of the workspace do not come here. */
export type JudgePlace = (place: Place) => Permission | Promise<Permission>

/** A tool's way to the path that a model gave it. */
export interface PathGuard {
  readonly permit: (path: string) => Promise<Permission>
  /**
   * Judges again right before the path is used: what it leads to may have changed since the question. Rejects if it
   * would have to be asked for now and was not allowed, or if something else was allowed.
   */
  readonly enter: (path: string, context: ToolContext) => Promise<Place>
}

export function createPathGuard(workspace: Workspace, judge: JudgePlace): PathGuard {
  async function look(path: string): Promise<{ readonly place: Place; readonly permission: Permission }> {
    const place = await tellFileProblems(path, () => workspace.find(path))
    if (!place.leadsOut) return { place, permission: await judge(place) }
    return { place, permission: { verdict: 'deny', reason: `${path} is a link that leads out of the workspace.` } }
  }
  return {
    permit: async (path) => (await look(path)).permission,
    async enter(path, { isApproved = false, approvedReason }) {
      const { place, permission } = await look(path)
      if (permission.verdict === 'allow') return place
      if (permission.verdict === 'deny') throw new Error(permission.reason)
      if (!isApproved) throw new Error(`Not done, because somebody has to be asked first: ${permission.reason}`)
      if (approvedReason !== undefined && approvedReason !== permission.reason)
        throw new Error(`Not done, because it is not any more what was allowed. Ask again: ${permission.reason}`)
      return place
    },
  }
}

interface Reading {
  readonly workspace: Workspace
  /** Said to the person who is asked. */
  readonly verb: string
  readonly guarded?: readonly GuardedPath[]
}

/** For tools that only read: what lies in the workspace is free, except what is private to this installation. */
export function judgeReading({ workspace, verb, guarded = [] }: Reading): JudgePlace {
  return async (place) => {
    const { path, real, isInside, isLinked } = place
    const reason = await findGuarded(workspace, keepPrivate(guarded), place)
    if (isInside && reason === null) return ALLOW
    const target = isLinked ? `${isInside ? ', which' : ' and'} leads to ${real}` : ''
    const question = `${verb} ${path}${isInside ? '' : ', which lies outside the workspace'}${target}?`
    return { verdict: 'ask', reason: reason === null ? question : `${question} ${reason}` }
  }
}
