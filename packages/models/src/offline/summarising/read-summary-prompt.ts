/** What a prompt that wants a summary hands over and asks for. */
export interface SummaryPrompt {
  /** `changes`: a list of changes to notes; `prose`: a text that replaces everything. */
  readonly form: 'changes' | 'prose'
  readonly transcript: string
  /** Notes or summaries of what happened before the transcript, oldest first. */
  readonly earlier: readonly string[]
  /** Titles the prompt wants points under; empty where it leaves them open. */
  readonly sections: readonly string[]
  readonly maxWords: number | null
}

const BLOCK = /^----- BEGIN (.{1,80}) (\S{8,}) -----\n([\s\S]*?)\n?----- END \1 \2 -----$/gm

/**
 * A summary prompt is known by its form, whatever its material says: fenced blocks with one mark, and after the last of
 * them instructions that name the tags of the reply. Anything else is null.
 */
export function readSummaryPrompt(message: string): SummaryPrompt | null {
  const blocks = message.includes('\n----- END ') ? [...message.matchAll(BLOCK)] : []
  const last = blocks.at(-1)
  if (last === undefined) return null
  const instructions = message.slice(last.index + last[0].length)
  const labelled = blocks.map(([, label = '', , text = '']) => ({ label, text }))
  if (!instructions.includes('<summary>') || !labelled.some(({ label }) => isMaterial(label))) return null
  return {
    form: /^\+ \w+: /m.test(instructions) ? 'changes' : 'prose',
    transcript: labelled.find(({ label }) => label === 'TRANSCRIPT')?.text ?? '',
    earlier: labelled.flatMap(({ label, text }) => (isEarlier(label) ? [text] : [])),
    sections: readSections(instructions),
    maxWords: Number(/\bbetween \d+ and (\d+) words\b/.exec(instructions)?.[1] ?? 0) || null,
  }
}

function isEarlier(label: string): boolean {
  return label === 'NOTES' || label === 'EARLIER SUMMARY' || label.startsWith('PART ')
}

function isMaterial(label: string): boolean {
  return label === 'TRANSCRIPT' || isEarlier(label)
}

/** `Use these sections: Goal (what the user wants); Decisions (each with its reason).` */
function readSections(instructions: string): readonly string[] {
  const list = /^Use these sections: (.+)$/m.exec(instructions)?.[1] ?? ''
  return list
    .split(/;\s+(?=\p{Lu})/u)
    .map((section) =>
      section
        .replace(/\s*\(.*$/, '')
        .replace(/\.$/, '')
        .trim(),
    )
    .filter((title) => title !== '')
}
