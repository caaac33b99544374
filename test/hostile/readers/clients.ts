import { renderBlock } from '../../../packages/cli/src/cards/render-block.ts'
import { renderResult } from '../../../packages/cli/src/cards/render-result.ts'
import { renderQuestion } from '../../../packages/cli/src/cards/render-question.ts'
import { applyEvent } from '../../../packages/cli/src/chat/conversation/apply-event.ts'
import { EMPTY_CONVERSATION } from '../../../packages/cli/src/chat/conversation/conversation.ts'
import { textOfParts, toBlocks } from '../../../packages/cli/src/chat/conversation/to-blocks.ts'
import { describeCall } from '../../../packages/cli/src/chat/describe-call.ts'
import { describeEvent } from '../../../packages/cli/src/chat/describe-event.ts'
import { describeFailure } from '../../../packages/cli/src/program/describe-failure.ts'
import { shortId } from '../../../packages/cli/src/terminal/format.ts'
import { createPaint } from '../../../packages/cli/src/terminal/paint.ts'
import { renderTable } from '../../../packages/cli/src/terminal/table.ts'
import {
  cleanText,
  fitText,
  guardTerminal,
  oneLine,
  padText,
  padTextStart,
  showText,
  textWidth,
  wrapText,
} from '../../../packages/cli/src/terminal/text-width.ts'
import { askNeedle, createFactBook } from '../../../packages/replay/src/retention/facts/fact-book.ts'
import { baseName, createFileNames } from '../../../packages/replay/src/retention/facts/file-names.ts'
import { findDecisions } from '../../../packages/replay/src/retention/facts/find-decisions.ts'
import { findFigures } from '../../../packages/replay/src/retention/facts/find-figures.ts'
import { findInMessage } from '../../../packages/replay/src/retention/facts/find-in-message.ts'
import { findInstructions } from '../../../packages/replay/src/retention/facts/find-instructions.ts'
import { cleanPath, findPaths, findShellFiles } from '../../../packages/replay/src/retention/facts/find-paths.ts'
import { findIds, findUrls } from '../../../packages/replay/src/retention/facts/find-references.ts'
import {
  callsOf,
  outputsOf,
  personText,
  stripBodies,
  textOf,
} from '../../../packages/replay/src/retention/facts/spoken.ts'
import { foldText, includesWord } from '../../../packages/replay/src/retention/fold-text.ts'
import { createPiece, holdsWords, partText, pieceOf } from '../../../packages/replay/src/retention/pieces.ts'
import { readQuestions } from '../../../packages/replay/src/retention/read-questions.ts'
import { createWordIndex, splitWords } from '../../../packages/replay/src/retention/word-index.ts'
import { isApiPath } from '../../../packages/server/src/guard/api-path.ts'
import { isLoopback } from '../../../packages/server/src/guard/is-loopback.ts'
import { findLimits } from '../../../packages/server/src/guard/route-limits.ts'
import { acceptsOnlyJson } from '../../../packages/server/src/intake/accepts-only-json.ts'
import { idOfKey } from '../../../packages/server/src/intake/idempotency.ts'
import { readChatMessage } from '../../../packages/server/src/intake/read-chat-message.ts'
import { chooseEncoding } from '../../../packages/server/src/static/squeeze.ts'
import { createUiChunks } from '../../../packages/server/src/stream/ui-chunks.ts'
import { findMainArgument } from '../../../packages/web/src/chat/answer/main-argument.ts'
import { findCompletions, isCommand } from '../../../packages/web/src/chat/composer/slash-commands.ts'
import { readRoute } from '../../../packages/web/src/app/route/route.ts'
import { titleOf } from '../../../packages/web/src/memory/order-files.ts'
import { plainPreview } from '../../../packages/web/src/sidebar/plain-preview.ts'
import { readColouredLines } from '../../../packages/web/src/ui/text/code/read-coloured-lines.ts'
import { calling, entries, messages, said } from './materials.ts'
import type { ReaderTable } from './materials.ts'

const PAINT = createPaint(false)
const CARD = { width: 80, paint: PAINT } as const
const tool = (text: string) =>
  ({
    kind: 'tool',
    id: 'c1',
    name: 'run',
    input: { command: text.slice(0, 2_000) },
    output: text,
    isError: false,
    isTruncated: false,
  }) as const
const failed = (text: string) =>
  ({ turnId: 'm1', type: 'tool-result', id: 'c1', name: text, output: text, truncated: false, isError: true }) as const

/** What draws foreign text for people, what servers read of requests, and what replays read of transcripts. */
export const CLIENTS: ReaderTable = {
  'cli/src/cards/render-block.ts': {
    renderBlock: (text) => [
      renderBlock({ kind: 'assistant', text: text.slice(0, text.length / 2) }, { ...CARD, isUnfolded: true }),
      renderBlock(tool(text.slice(text.length / 2)), { ...CARD, isUnfolded: true }),
    ],
  },
  'cli/src/cards/render-question.ts': {
    renderQuestion: (text) => renderQuestion(`run (why)\n  command: ${text}`, CARD),
  },
  'cli/src/cards/render-result.ts': {
    renderResult: (text) => [
      renderResult({ command: 'recall', query: text, found: [{ id: text, seq: 1, at: 0, role: 'user', text }] }, CARD),
      renderResult(
        {
          command: 'memory',
          query: text,
          files: [text],
          hits: [{ document: text, line: 1, text, kind: 'note', score: 1 }],
        } as never,
        CARD,
      ),
    ],
  },
  'cli/src/chat/conversation/apply-event.ts': {
    applyEvent: (text) => applyEvent(EMPTY_CONVERSATION, { turnId: 'm1', type: 'text-delta', text }, true),
  },
  'cli/src/chat/conversation/to-blocks.ts': {
    toBlocks: (text) => toBlocks(entries(text)),
    textOfParts: (text) => textOfParts(said(text).parts),
  },
  'cli/src/chat/describe-call.ts': { describeCall: (text) => describeCall(text, { a: text, b: [text] }) },
  'cli/src/chat/describe-event.ts': { describeEvent: (text) => describeEvent(failed(text), true) },
  'cli/src/program/describe-failure.ts': { describeFailure: (text) => describeFailure(new Error(text), false) },
  'cli/src/terminal/format.ts': { shortId },
  'cli/src/terminal/table.ts': {
    renderTable: (text) => renderTable([{ title: 'a', isFlexible: true }], [[oneLine(text)]], CARD),
  },
  'cli/src/terminal/text-width.ts': {
    cleanText,
    showText,
    guardTerminal,
    oneLine,
    fitText: (text) => fitText(oneLine(text), 80),
    padText: (text) => padText(oneLine(text), 80),
    padTextStart: (text) => padTextStart(oneLine(text), 80),
    wrapText: (text) => wrapText(cleanText(text), 80),
    textWidth: (text) => textWidth(oneLine(text)),
  },
  'replay/src/retention/facts/fact-book.ts': { createFactBook: (text) => createFactBook(messages(text)), askNeedle },
  'replay/src/retention/facts/file-names.ts': {
    createFileNames: (text) => createFileNames([text], [text]).resolve(text),
    baseName,
  },
  'replay/src/retention/facts/find-decisions.ts': { findDecisions },
  'replay/src/retention/facts/find-figures.ts': { findFigures },
  'replay/src/retention/facts/find-in-message.ts': {
    findInMessage: (text) => messages(text).map((message) => findInMessage(message, new Set())),
  },
  'replay/src/retention/facts/find-instructions.ts': { findInstructions },
  'replay/src/retention/facts/find-paths.ts': { findPaths, cleanPath, findShellFiles },
  'replay/src/retention/facts/find-references.ts': { findUrls, findIds },
  'replay/src/retention/facts/spoken.ts': {
    personText: (text) => personText(said(text, 'user')),
    stripBodies,
    textOf: (text) => textOf(said(text).parts),
    callsOf: (text) => callsOf({ role: 'assistant', parts: [calling(text)] }),
    outputsOf: (text) => messages(text).map(outputsOf),
  },
  'replay/src/retention/fold-text.ts': {
    foldText,
    includesWord: (text) => includesWord(text, `${text.slice(0, 100)}b`),
  },
  'replay/src/retention/pieces.ts': {
    createPiece,
    pieceOf: (text) => pieceOf(said(text).parts),
    partText: (text) => partText(calling(text)),
    holdsWords: (text) => holdsWords([createPiece(text)], `${text.slice(0, 100)}b`, false),
  },
  'replay/src/retention/read-questions.ts': {
    readQuestions: (text) => {
      try {
        return readQuestions(text)
      } catch (error) {
        return error
      }
    },
  },
  'replay/src/retention/word-index.ts': { createWordIndex: (text) => createWordIndex([text]), splitWords },
  'server/src/guard/api-path.ts': { isApiPath },
  'server/src/guard/is-loopback.ts': { isLoopback },
  'server/src/guard/route-limits.ts': { findLimits: (text) => [findLimits(text), findLimits(`/api/sessions/${text}`)] },
  'server/src/intake/accepts-only-json.ts': { acceptsOnlyJson },
  'server/src/intake/idempotency.ts': { idOfKey },
  'server/src/intake/read-chat-message.ts': {
    readChatMessage: (text) => {
      const parts = [
        { type: 'text', text },
        { type: 'file', mediaType: 'image/png', url: `data:${text}` },
      ]
      try {
        return readChatMessage({ id: 's', messages: [{ id: 'm', role: 'user', parts }] } as never)
      } catch (error) {
        return error
      }
    },
  },
  'server/src/static/squeeze.ts': { chooseEncoding },
  'server/src/stream/ui-chunks.ts': {
    createUiChunks: (text) => {
      const chunks = createUiChunks('m1')
      return [
        chunks.start(),
        chunks.next({ turnId: 'm1', type: 'text-delta', text }),
        chunks.next(failed(text)),
        chunks.end(),
      ]
    },
  },
  'web/src/app/route/route.ts': { readRoute: (text) => readRoute(`#/s/${encodeURIComponent(text.toWellFormed())}`) },
  'web/src/chat/answer/main-argument.ts': { findMainArgument: (text) => findMainArgument({ command: text }) },
  'web/src/chat/composer/slash-commands.ts': {
    isCommand: (text) => isCommand(`/${text}`),
    findCompletions: (text) => findCompletions(`/${text}`, [{ usage: '/pin TEXT', summary: 'Pins.' }]),
  },
  'web/src/memory/order-files.ts': { titleOf },
  'web/src/sidebar/plain-preview.ts': { plainPreview },
  'web/src/ui/text/code/read-coloured-lines.ts': { readColouredLines },
}
