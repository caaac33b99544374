import { applyChanges } from '../../../packages/engine/src/summary/apply-changes.ts'
import { addProse, applyReply } from '../../../packages/engine/src/summary/apply-reply.ts'
import { parseChanges } from '../../../packages/engine/src/summary/change-lines.ts'
import { checkSummary } from '../../../packages/engine/src/summary/check-summary.ts'
import { scoreCoverage } from '../../../packages/engine/src/summary/coverage.ts'
import { detectLanguage } from '../../../packages/engine/src/summary/detect-language.ts'
import { createCiteSources } from '../../../packages/engine/src/summary/draft/cite-sources.ts'
import { createDocumentDraft } from '../../../packages/engine/src/summary/draft/document-draft.ts'
import { createSaidBefore } from '../../../packages/engine/src/summary/draft/said-before.ts'
import { extractFacts } from '../../../packages/engine/src/summary/extract-facts.ts'
import { createExtractiveSummary } from '../../../packages/engine/src/summary/extractive-summary.ts'
import { fitDocument } from '../../../packages/engine/src/summary/fit-document.ts'
import { divideRoom } from '../../../packages/engine/src/summary/ledger/divide-room.ts'
import {
  renderAddresses,
  renderCommands,
  renderFiles,
} from '../../../packages/engine/src/summary/ledger/grouped-lines.ts'
import { joinPaths } from '../../../packages/engine/src/summary/ledger/join-paths.ts'
import { renderLines } from '../../../packages/engine/src/summary/ledger/ledger-lines.ts'
import { mergeLedgers, settleLatestAsk, updateLedger } from '../../../packages/engine/src/summary/ledger/ledger.ts'
import { isPrinted, rankFacts } from '../../../packages/engine/src/summary/ledger/rank-facts.ts'
import { renderFact } from '../../../packages/engine/src/summary/ledger/render-fact.ts'
import { renderLedger, requiredTokens } from '../../../packages/engine/src/summary/ledger/render-ledger.ts'
import { createTold } from '../../../packages/engine/src/summary/ledger/told.ts'
import { redactSecrets } from '../../../packages/engine/src/summary/redact-secrets.ts'
import { createProseDocument, renderDocument } from '../../../packages/engine/src/summary/render-document.ts'
import { renderSummary } from '../../../packages/engine/src/summary/render-summary.ts'
import { extractSummary } from '../../../packages/engine/src/summary/reply/extract-summary.ts'
import { isListed, isTitle, ownLines, withoutCode } from '../../../packages/engine/src/summary/reply/prose-lines.ts'
import {
  answersTheChat,
  continuesTheChat,
  hasToolSyntax,
  isErrorText,
} from '../../../packages/engine/src/summary/reply/reply-signs.ts'
import { createTimeline, scoreTimelineItem, timelineSeq } from '../../../packages/engine/src/summary/timeline.ts'
import { verifyQuotes } from '../../../packages/engine/src/summary/verify-quotes.ts'
import { withoutForgedSections } from '../../../packages/engine/src/summary/reply/forged-sections.ts'
import { document, entries, fact, facts, items } from './materials.ts'
import type { ReaderTable } from './materials.ts'

const SOURCES = { sources: [{ id: 'm1', seq: 1 }] }
const LINES = { budgetTokens: 20_000, estimator: 'classes' } as const
const ITEM = { id: 'i1', sources: [], status: 'open' } as const
const MEASURE = { replacedTokens: 10_000_000, readTokens: 100_000, estimator: 'classes' } as const

/** Readers of a summarizer's reply, and what renders notes and ledger. */
export const ENGINE_SUMMARIES: ReaderTable = {
  'engine/src/summary/apply-changes.ts': {
    applyChanges: (text) => applyChanges(document(text), parseChanges(text), SOURCES),
  },
  'engine/src/summary/apply-reply.ts': {
    applyReply: (text) => applyReply(document('They met.'), text, SOURCES),
    addProse: (text) => addProse(document(text), text, SOURCES),
  },
  'engine/src/summary/change-lines.ts': { parseChanges },
  'engine/src/summary/check-summary.ts': {
    checkSummary: (text) => [
      checkSummary({ text, finish: 'stop' }, { ...MEASURE, userText: text, assistantText: text }),
      checkSummary({ text: `They met. ${text}`, finish: 'length' }, { ...MEASURE, userText: 'hi', assistantText: '' }),
    ],
  },
  'engine/src/summary/coverage.ts': {
    scoreCoverage: (text) => scoreCoverage([...facts('src/a.ts 12'), fact(text)], text),
  },
  'engine/src/summary/detect-language.ts': { detectLanguage },
  'engine/src/summary/draft/cite-sources.ts': {
    createCiteSources: (text) =>
      createCiteSources(text.split(' ').map((id, seq) => ({ id, seq })))(text.split(/[\s,]/)),
  },
  'engine/src/summary/draft/document-draft.ts': {
    createDocumentDraft: (text) => {
      const draft = createDocumentDraft(document(text))
      for (const line of text.split('\n')) draft.add(line, line, [])
      return [draft.update(text, text, []), draft.close(text), draft.build()]
    },
  },
  'engine/src/summary/draft/said-before.ts': {
    createSaidBefore: (text) => {
      const said = createSaidBefore()
      return text.split('\n').map((line, index) => {
        said.set(index, line)
        return said.find(`${line} again`)
      })
    },
  },
  'engine/src/summary/extract-facts.ts': { extractFacts: (text) => extractFacts(items(text)) },
  'engine/src/summary/extractive-summary.ts': {
    createExtractiveSummary: (text) =>
      createExtractiveSummary(items(text), { ...LINES, previousDocument: document('They met.') }),
  },
  'engine/src/summary/fit-document.ts': {
    fitDocument: (text) => fitDocument(document(text), { ...LINES, budgetTokens: 500 }),
  },
  'engine/src/summary/redact-secrets.ts': { redactSecrets },
  'engine/src/summary/render-document.ts': {
    createProseDocument: (text) => createProseDocument(text, []),
    renderDocument: (text) => renderDocument(document(text), { ids: true }),
  },
  'engine/src/summary/render-summary.ts': { renderSummary: (text) => renderSummary(document(text)) },
  'engine/src/summary/timeline.ts': {
    createTimeline: (text) => createTimeline(entries(text)),
    scoreTimelineItem: (text) => scoreTimelineItem({ ...ITEM, id: 'a1', text }, 9),
    timelineSeq: (text) => timelineSeq({ ...ITEM, id: text, text }),
  },
  'engine/src/summary/verify-quotes.ts': {
    verifyQuotes: (text) => [
      verifyQuotes(text, ['Plant the garden.', text]),
      verifyQuotes(`The user said "${text}".`, [text]),
    ],
  },
  'engine/src/summary/ledger/divide-room.ts': {
    divideRoom: (text) =>
      divideRoom({
        byKind: new Map([['command', [fact(text)]]]),
        said: createTold(text),
        left: 9_000,
        estimator: 'classes',
      }),
  },
  'engine/src/summary/ledger/grouped-lines.ts': {
    renderFiles: (text) => renderFiles([fact(text, 'file-read')], { ...LINES, title: 'Files' }),
    renderAddresses: (text) => renderAddresses([fact(text, 'url')], { ...LINES, title: 'Addresses' }),
    renderCommands: (text) => renderCommands([fact(text)], { ...LINES, budgetTokens: 1_000_000, title: 'Commands' }),
  },
  'engine/src/summary/ledger/join-paths.ts': {
    joinPaths: (text) =>
      joinPaths([fact(text, 'file-read'), fact(`./${text}`, 'file-changed'), fact(`/app/${text}`, 'file-read')]),
  },
  'engine/src/summary/ledger/ledger-lines.ts': {
    renderLines: (text) =>
      [fact(text, 'id'), ...facts(text.slice(0, 4_000))].map((one) => renderLines([one], createTold(), LINES)),
  },
  'engine/src/summary/ledger/ledger.ts': {
    updateLedger: (text) => updateLedger(facts(text), items(text)),
    settleLatestAsk: (text) => settleLatestAsk(facts(text), items(text)),
    mergeLedgers: (text) => mergeLedgers(facts(text), facts(`${text}b`)),
  },
  'engine/src/summary/ledger/rank-facts.ts': {
    isPrinted: (text) => isPrinted(fact(text)),
    rankFacts: (text) => rankFacts(facts(text)),
  },
  'engine/src/summary/ledger/render-fact.ts': { renderFact: (text) => facts(text).map((one) => renderFact(one, true)) },
  'engine/src/summary/ledger/render-ledger.ts': {
    renderLedger: (text) => renderLedger(facts(text), { ...LINES, besides: text }),
    requiredTokens: (text) => requiredTokens(facts(text), 'classes'),
  },
  'engine/src/summary/ledger/told.ts': {
    createTold: (text) => {
      const told = createTold(text)
      told.add(text)
      return [told.holds(`${text.slice(0, 50)}b`), told.holds(text.slice(1)), told.copy()]
    },
  },
  'engine/src/summary/reply/extract-summary.ts': { extractSummary },
  'engine/src/summary/reply/forged-sections.ts': { withoutForgedSections },
  'engine/src/summary/reply/prose-lines.ts': { ownLines, withoutCode, isListed, isTitle },
  'engine/src/summary/reply/reply-signs.ts': {
    hasToolSyntax,
    isErrorText: (text) => [isErrorText(text, true), isErrorText(text, false)],
    answersTheChat: (text) => [answersTheChat(text, true), answersTheChat(text, false)],
    continuesTheChat,
  },
}
