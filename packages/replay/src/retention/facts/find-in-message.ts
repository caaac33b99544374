import type { Message } from '@longhaul/engine/advanced'
import type { Effect, FactKind, Finding } from './fact.ts'
import { findFigures } from './find-figures.ts'
import { cleanPath, findPaths, findShellFiles } from './find-paths.ts'
import { findIds, findUrls } from './find-references.ts'
import { findDecisions, findInstructions } from './find-statements.ts'
import { callsOf, outputsOf, personText, stripBodies, textOf } from './spoken.ts'
import type { Call } from './spoken.ts'

/** Shorter asks (“ok”, “go on”) say nothing by themselves. */
const MIN_ASK_CHARS = 12

/** Every fact in a message, however often. `failed` holds the ids of calls that ended in an error. */
export function findInMessage(message: Message, failed: ReadonlySet<string>): readonly Finding[] {
  const person = personText(message)
  return [
    ...(person === null ? [] : findPersonWords(person)),
    ...(message.role === 'tool' ? [] : findInText(textOf(message.parts), 'said')),
    ...(person === null && message.role !== 'assistant' ? [] : findSettled(textOf(message.parts))),
    ...callsOf(message).flatMap((call) => findInCall(call, failed.has(call.id))),
    ...outputsOf(message).flatMap((output) => findInText(output, 'output')),
  ]
}

function findPersonWords(text: string): readonly Finding[] {
  const instructions = findInstructions(text).map((sentence) => finding('instruction', sentence))
  return text.trim().length < MIN_ASK_CHARS ? instructions : [finding('ask', text), ...instructions]
}

function findSettled(text: string): readonly Finding[] {
  return findDecisions(text).map((sentence) => finding('decision', sentence))
}

function findInText(text: string, origin: Finding['origin']): readonly Finding[] {
  return [
    ...findPaths(text).map((path) => finding('file', path, origin)),
    ...findUrls(text).map((url) => finding('url', url, origin)),
    ...findIds(text).map((id) => finding('id', id, origin)),
    ...findFigures(text).map((figure) => finding('figure', figure, origin)),
  ]
}

/** A change that failed has changed nothing. */
function findInCall({ paths, changesFiles, commands, texts }: Call, isFailed: boolean): readonly Finding[] {
  const settle = (effect: Effect): Effect => (isFailed ? 'read' : effect)
  const files = paths
    .filter((path) => /\.\w+$/.test(path))
    .map((path) => finding('file', cleanPath(path), 'said', settle(changesFiles ? 'changed' : 'read')))
  const run = commands.flatMap((command) => {
    const bare = stripBodies(command)
    return [
      finding('command', command),
      ...findShellFiles(bare).map(({ path, effect }) => finding('file', path, 'said', settle(effect))),
      ...findInText(bare, 'said').filter(({ kind }) => kind !== 'file'),
    ]
  })
  return [...files, ...run, ...texts.flatMap((text) => findInText(text, 'said'))]
}

function finding(
  kind: FactKind,
  text: string,
  origin: Finding['origin'] = 'said',
  effect: Effect | null = null,
): Finding {
  return { kind, text, origin, effect }
}
