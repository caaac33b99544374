/**
 * What a model proposes to do with a document. References are as it wrote them: message ids or `#seq`. `line` is all it
 * wrote: where the id names nothing, the line was a point of its own ("Removed moment.js, replaced by date-fns").
 */
export type DocumentChange =
  | { readonly action: 'add'; readonly section: string; readonly text: string; readonly references: readonly string[] }
  | {
      readonly action: 'update'
      readonly id: string
      readonly text: string
      readonly references: readonly string[]
      readonly line: string
    }
  | { readonly action: 'close'; readonly id: string; readonly line: string }

/** The format as a prompt states it; `parseChanges` reads this and whatever comes near it. */
export const CHANGE_FORMAT = [
  'One change a line:',
  '+ Section: new point (#12, #15)',
  '~ id: the point as it reads now (#20)',
  'x id',
  'A plus adds a point to a section, a tilde rewrites the point with that id, an x closes it because it is done or void.',
  'The numbers in brackets are the messages it rests on, as they are numbered in the transcript. Points you do not mention stay as they are.',
].join('\n')

const BULLET = /^\s*(?:[-*•>]\s+(?=\S)|\d{1,3}[.)]\s+)*/
const ADD =
  /^(?:\+|➕|add(?:ed)?\b:?|new\b:)\s*(?:\[([^\]\n]{1,60})\]|\*\*([^*\n]{1,60}?):?\*\*|([^:：\n`]{1,60}?))\s*[:：]\s*(\S.*)$/i
const ADD_BARE = /^(?:\+|➕)\s*(\S.*)$/
const UPDATE =
  /^(?:~{1,2}|±|update[ds]?\b:?|change[ds]?\b:?)\s*[[(`"*]{0,3}([\w.-]{1,40})[\])`"*]{0,3}\s*(?:[:：=]|->|→|–|—)\s*(\S.*)$/i
const CLOSE =
  /^(?:[x✓✔✗✘×]|\[x\]|close[ds]?\b:?|done\b:?|remove[ds]?\b:?|delete[ds]?\b:?)\s+[[(`"*]{0,3}([\w.-]{1,40})[\])`"*]{0,3}\s*(?:$|[.:：,(–—-])/i
/** A line of the document as it was shown, given back: the same words change nothing. */
const ECHO = /^\[((?:[a-z]{1,3}|summary-?)\d{1,9}|summary)\]\s+(?:\[(?:done|open)\]\s+)?(\S.*)$/i
const HEADING = /^(?:#{1,6}\s+(.{1,80}?)|\*\*([^*]{1,80}?):?\*\*:?)\s*[:：]?\s*$/
const REFERENCES =
  /\s*[([](?:(?:sources?|from|see|refs?)\s*:?\s*)?((?:#\d{1,9}|#?m\d{1,9}|(?=[\w-]*\d)[\w-]{8,64})(?:\s*[,;]?\s+(?:and\s+)?(?:#\d{1,9}|#?m\d{1,9}|(?=[\w-]*\d)[\w-]{8,64})){0,30})[)\]]\s*\.?$/i

/**
 * Changes out of whatever a model wrote. Bullets, numbering, fences, bold marks and words instead of signs are understood;
 * lines under a heading count as additions to it; a line after a change and not set off from it continues it; other prose
 * is passed over. An empty list means that the text is no list of changes.
 */
export function parseChanges(text: string): readonly DocumentChange[] {
  const changes: DocumentChange[] = []
  let section: string | null = null
  let mayContinue = false
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd().slice(0, MAX_LINE_CHARS)
    if (line.trim() === '' || /^\s*(?:```|~~~)/.test(line)) {
      mayContinue = false
      continue
    }
    const bullet = BULLET.exec(line)?.[0] ?? ''
    const content = line.slice(bullet.length).trim()
    const heading = HEADING.exec(content)
    if (heading !== null && bullet.trim() === '') {
      section = (heading[1] ?? heading[2] ?? '').trim()
      mayContinue = false
      continue
    }
    const change = parseLine(content) ?? (bullet.trim() !== '' && section !== null ? addition(section, content) : null)
    const last = changes.at(-1)
    if (change !== null) changes.push(change)
    else if (mayContinue && last !== undefined && last.action !== 'close')
      changes[changes.length - 1] = continued(last, content)
    else continue
    mayContinue = true
  }
  return changes
}

const MAX_LINE_CHARS = 8_000

function parseLine(line: string): DocumentChange | null {
  const update = UPDATE.exec(line)
  if (update !== null) return { action: 'update', id: update[1] ?? '', ...splitReferences(update[2] ?? ''), line }
  const echo = ECHO.exec(line)
  if (echo !== null) return { action: 'update', id: echo[1] ?? '', ...splitReferences(echo[2] ?? ''), line }
  const add = ADD.exec(line)
  if (add !== null) return addition((add[1] ?? add[2] ?? add[3] ?? '').trim(), add[4] ?? '')
  const close = CLOSE.exec(line)
  if (close !== null) return { action: 'close', id: close[1] ?? '', line }
  const bare = ADD_BARE.exec(line)
  return bare === null ? null : addition('', bare[1] ?? '')
}

function addition(section: string, text: string): DocumentChange | null {
  const split = splitReferences(text)
  return split.text === '' ? null : { action: 'add', section, ...split }
}

function continued(change: Exclude<DocumentChange, { action: 'close' }>, line: string): DocumentChange {
  const { text, references } = splitReferences(line)
  return { ...change, text: `${change.text} ${text}`.trim(), references: [...change.references, ...references] }
}

function splitReferences(text: string): { text: string; references: readonly string[] } {
  const match = REFERENCES.exec(text)
  if (match === null) return { text: text.trim(), references: [] }
  const references = (match[1] ?? '').split(/[\s,;]+/).filter((word) => word !== '' && word !== 'and')
  return { text: text.slice(0, match.index).trim(), references }
}
