import { askText, collectAsks, isAnswered } from '../../../packages/engine/src/summary/facts/ask-facts.ts'
import { collectCommands } from '../../../packages/engine/src/summary/facts/command-facts.ts'
import { splitFolder } from '../../../packages/engine/src/summary/facts/command-folder.ts'
import {
  cleanLine,
  collectConfirmation,
  collectDecisions,
} from '../../../packages/engine/src/summary/facts/decision-facts.ts'
import { combineFacts, factKey } from '../../../packages/engine/src/summary/facts/fact-collector.ts'
import { collectFailures, findErrorLine } from '../../../packages/engine/src/summary/facts/failure-facts.ts'
import {
  collectDates,
  collectFigures,
  collectResultFigures,
} from '../../../packages/engine/src/summary/facts/figure-facts.ts'
import {
  collectFiles,
  collectNameMentions,
  collectPathMentions,
} from '../../../packages/engine/src/summary/facts/file-facts.ts'
import { findFileNames, findPaths } from '../../../packages/engine/src/summary/facts/find-paths.ts'
import { pickSentences, scoreSentence } from '../../../packages/engine/src/summary/facts/informative-sentences.ts'
import {
  collectInstructions,
  isStanding,
  writtenPart,
} from '../../../packages/engine/src/summary/facts/instruction-facts.ts'
import {
  isMachineMade,
  proseOf,
  sampleText,
  withoutMachineBlocks,
  wordsOf,
} from '../../../packages/engine/src/summary/facts/message-words.ts'
import { collectOpenWork } from '../../../packages/engine/src/summary/facts/open-work-facts.ts'
import { readPatchPaths } from '../../../packages/engine/src/summary/facts/patch-paths.ts'
import { collectReferences } from '../../../packages/engine/src/summary/facts/reference-facts.ts'
import type { Said } from '../../../packages/engine/src/summary/facts/reference-facts.ts'
import { readShellPaths } from '../../../packages/engine/src/summary/facts/shell-paths.ts'
import { collectShortCodes } from '../../../packages/engine/src/summary/facts/short-codes.ts'
import { splitSentences } from '../../../packages/engine/src/summary/facts/split-sentences.ts'
import { readToolUses } from '../../../packages/engine/src/summary/facts/tool-use.ts'
import { wordsBeside } from '../../../packages/engine/src/summary/facts/words-beside.ts'
import { calling, collecting, entries, entry, fact, said, toolUse } from './materials.ts'
import type { ReaderTable } from './materials.ts'

const ENTRY = entry(said('hello', 'user'))
const from = (text: string): Said => ({ text, by: 'tool', entry: ENTRY })

/** The rules that take facts out of messages. */
export const ENGINE_FACTS: ReaderTable = {
  'engine/src/summary/facts/ask-facts.ts': {
    collectAsks: (text) => collecting((add) => collectAsks(entries(text), add)),
    isAnswered: (text) => isAnswered(entries(text)),
    askText: (text) => askText(entry(said(text, 'user'))),
  },
  'engine/src/summary/facts/command-facts.ts': {
    collectCommands: (text) => collecting((add) => collectCommands(toolUse(text), add)),
  },
  'engine/src/summary/facts/command-folder.ts': {
    splitFolder: (text) => [splitFolder(text), splitFolder(`cd ${text}`)],
  },
  'engine/src/summary/facts/decision-facts.ts': {
    collectDecisions: (text) => collecting((add) => collectDecisions(text, 'user', ENTRY, add)),
    collectConfirmation: (text) =>
      collecting((add) => {
        collectConfirmation(text, text, ENTRY, add)
        collectConfirmation('yes', text, ENTRY, add)
      }),
    cleanLine,
  },
  'engine/src/summary/facts/fact-collector.ts': {
    createFactCollector: (text) =>
      collecting((add) => add({ kind: 'failure', text, note: text, by: 'tool', entry: ENTRY })),
    factKey: (text) => factKey(fact(text, 'failure')),
    combineFacts: (text) => combineFacts(fact(text), fact(text, 'command', 'user')),
  },
  'engine/src/summary/facts/failure-facts.ts': {
    collectFailures: (text) => collecting((add) => collectFailures(toolUse(text), add)),
    findErrorLine,
  },
  'engine/src/summary/facts/figure-facts.ts': {
    collectFigures: (text) => collecting((add) => collectFigures(from(text), 40, add)),
    collectDates: (text) => collecting((add) => collectDates(from(text), add)),
    collectResultFigures: (text) => collecting((add) => collectResultFigures(from(text), add)),
  },
  'engine/src/summary/facts/file-facts.ts': {
    collectFiles: (text) =>
      collecting((add) => {
        collectFiles(toolUse(text), add)
        collectFiles({ ...toolUse('ls'), call: calling(text, 'apply_patch', 'path'), outcome: null }, add)
      }),
    collectPathMentions: (text) => collecting((add) => collectPathMentions(from(text), 60, add)),
    collectNameMentions: (text) => collecting((add) => collectNameMentions(from(text), 60, add)),
  },
  'engine/src/summary/facts/find-paths.ts': {
    findPaths: (text) => findPaths(text, 60),
    findFileNames: (text) => findFileNames(text, 60),
  },
  'engine/src/summary/facts/informative-sentences.ts': {
    scoreSentence: (text) => scoreSentence(text, 'user'),
    pickSentences: (text) => pickSentences(text, 400, 'assistant'),
  },
  'engine/src/summary/facts/instruction-facts.ts': {
    collectInstructions: (text) => collecting((add) => collectInstructions(text, ENTRY, add)),
    isStanding,
    writtenPart,
  },
  'engine/src/summary/facts/message-words.ts': {
    sampleText,
    wordsOf: (text) => wordsOf(entry(said(text))),
    isMachineMade,
    proseOf,
    withoutMachineBlocks,
  },
  'engine/src/summary/facts/open-work-facts.ts': {
    collectOpenWork: (text) =>
      collecting((add) => {
        collectOpenWork([{ ...toolUse(text), outcome: null }], add)
        collectOpenWork([{ ...toolUse('ls'), call: calling(text, 'todo_write', 'list'), words: ['todo'] }], add)
      }),
  },
  'engine/src/summary/facts/patch-paths.ts': { readPatchPaths },
  'engine/src/summary/facts/reference-facts.ts': {
    collectReferences: (text) =>
      collecting((add) => collectReferences(from(text), { strict: false, maxUrls: 40, maxIds: 40 }, add)),
  },
  'engine/src/summary/facts/shell-paths.ts': { readShellPaths },
  'engine/src/summary/facts/short-codes.ts': {
    collectShortCodes: (text) =>
      collecting((add) => collectShortCodes(from(text), { maxCodes: 40, isPassing: false }, add)),
  },
  'engine/src/summary/facts/split-sentences.ts': { splitSentences },
  'engine/src/summary/facts/tool-use.ts': {
    readToolUses: (text) => readToolUses(entries(text)),
  },
  'engine/src/summary/facts/words-beside.ts': {
    wordsBeside: (text) => wordsBeside(text, Math.floor(text.length / 2), Math.floor(text.length / 2) + 3),
  },
}
