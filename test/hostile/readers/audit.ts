import { classifyToken } from '../../../packages/audit/src/measure/facts/classify-token.ts'
import { isFileName } from '../../../packages/audit/src/measure/facts/common-names.ts'
import { createMentionFinder } from '../../../packages/audit/src/measure/facts/find-mentions.ts'
import { findLabeled, isNameable } from '../../../packages/audit/src/measure/facts/find-labeled.ts'
import { findNumber } from '../../../packages/audit/src/measure/facts/find-number.ts'
import { findPhrases } from '../../../packages/audit/src/measure/facts/find-phrases.ts'
import { createPrintedCheck } from '../../../packages/audit/src/measure/facts/find-printed.ts'
import { foldName } from '../../../packages/audit/src/measure/facts/fold-name.ts'
import type { Mention } from '../../../packages/audit/src/measure/facts/mention.ts'
import { createFollower } from '../../../packages/audit/src/measure/session/follow-session.ts'
import { createMentionReader } from '../../../packages/audit/src/measure/session/mention-reader.ts'
import { createSecondLook } from '../../../packages/audit/src/measure/session/second-look.ts'
import { createPathResolver } from '../../../packages/audit/src/measure/session/same-file.ts'
import { splitMessage } from '../../../packages/audit/src/measure/session/segment.ts'
import { readToolAction } from '../../../packages/audit/src/measure/session/tool-action.ts'
import { createPlaces } from '../../../packages/audit/src/measure/tell-places.ts'
import { calling, entries, entry, messages, said } from './materials.ts'
import type { ReaderTable } from './materials.ts'

/** The longest token and the longest number that their callers hand on. */
const TOKEN_CHARS = 300

function collect(read: (found: (mention: Mention) => void) => void): number {
  let found = 0
  read(() => {
    found += 1
  })
  return found
}

/** A session whose text is said, compacted away, and said again, read by all that the audit measures with. */
function follow(text: string): unknown {
  const follower = createFollower(createMentionReader())
  follower.addHead(text.slice(0, 2_000))
  for (const message of messages(text)) follower.add(message)
  const summary = { key: 'summary', message: said(text.slice(0, text.length / 8), 'user') }
  follower.compactTo({ messages: new Set([3]), texts: [summary] }, 0)
  for (const message of messages(text)) follower.add(message)
  follower.reset()
  return follower.losses.length
}

/** The functions of the audit that measure sessions; the tests feed them hostile text. */
export const AUDIT: ReaderTable = {
  'audit/src/measure/facts/classify-token.ts': {
    classifyToken: (text) => {
      let found = 0
      for (let start = 0; start < text.length; start += TOKEN_CHARS)
        found += classifyToken(text.slice(start, start + TOKEN_CHARS)).mentions.length
      return found
    },
  },
  'audit/src/measure/facts/common-names.ts': { isFileName: (text) => isFileName(text, true) },
  'audit/src/measure/facts/find-mentions.ts': {
    createMentionFinder: (text) => collect((found) => createMentionFinder()(text, true, found)),
  },
  'audit/src/measure/facts/find-labeled.ts': {
    findLabeled: (text) => collect((found) => findLabeled(text, found)),
    isNameable,
  },
  'audit/src/measure/facts/find-number.ts': {
    findNumber: (text) => collect((found) => findNumber({ token: text, start: 0, text }, found)),
  },
  'audit/src/measure/facts/find-phrases.ts': { findPhrases: (text) => collect((found) => findPhrases(text, found)) },
  'audit/src/measure/facts/find-printed.ts': {
    createPrintedCheck: (text) => createPrintedCheck(text)(text.length / 2),
  },
  'audit/src/measure/facts/fold-name.ts': { foldName },
  'audit/src/measure/session/follow-session.ts': { createFollower: follow },
  'audit/src/measure/session/mention-reader.ts': {
    createMentionReader: (text) => messages(text).map((message) => createMentionReader().read(message)),
  },
  'audit/src/measure/session/second-look.ts': {
    createSecondLook: (text) => {
      const look = createSecondLook()
      for (const [number, message] of messages(text).entries()) look.addMessage(number, message)
      const fact = {
        key: 'blue door',
        kind: 'name',
        text: 'Blue Door',
        alias: null,
        labels: new Set<string>(),
      } as const
      const spot = { message: 0, segment: 0, start: 0 }
      const state = { held: 0, saidIn: 1, isPersons: true, lastSaid: spot, lostAt: 0, isRefetched: false, toldAt: null }
      return look.isKnown({ ...fact, ...state })
    },
  },
  'audit/src/measure/session/same-file.ts': {
    createPathResolver: (text) => [text.slice(1), text].map(createPathResolver()),
  },
  'audit/src/measure/session/segment.ts': {
    splitMessage: (text) => messages(text).map((message) => splitMessage(message)),
  },
  'audit/src/measure/session/tool-action.ts': {
    readToolAction: (text) => [readToolAction(calling(text)), readToolAction(calling(text, 'read_file', 'path'))],
  },
  'audit/src/measure/tell-places.ts': {
    createPlaces: (text) => {
      const list = entries(text).map((message, place) => entry(message, place + 1))
      return createPlaces(list, list)({ message: 0, segment: 0, start: Math.floor(text.length / 4) })
    },
  },
}
