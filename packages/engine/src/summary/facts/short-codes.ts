import type { AddMention } from './fact-collector.ts'
import { wordsBeside } from './words-beside.ts'
import type { Said } from './reference-facts.ts'

/** `WP3`, `B12`, `Q4`, `R-7`, `WP3.2`: what people call pieces of work, rooms and quarters. */
const SHORT_CODE = /(?<![\w@/\\.$#%&+-])[A-Z]{1,4}-?\d{1,3}(?:\.\d{1,2}|[a-z])?(?![\w/\\@(+-]|\.\w)/g
/** The same form, but the name of a technique, a format or a key: it comes back in every text about software. */
const NO_CODE =
  /^(?:A[0-6]|[HF]\d{1,3}|S3|R2|D3|V8|X\d+|[IUV]\d+|EC2?|CO2|(?:UTF|UCS|SHA|MD|BASE|ES|ARM|AMD|IPV|MP|INT|UINT|FP|BF|HTTP|HTML|CSS|TLS|SSL|AES|RSA|ISO|IEC|IEEE|PEP|GPT|CP|WIN|IE|PS|PM|AV|VP|PHP|PY|USB|DDR|CAT|RC|TOP|UTC|GMT|CTRL|ANSI|LINE|STEP|PAGE|PART|COL|ROW|TEST|DAY|V)-?\d+)/

/** In what a person or a model wrote, each counts; in traffic with tools only if it comes up again. */
export function collectShortCodes(
  { text, by, entry }: Said,
  { maxCodes, isPassing }: { readonly maxCodes: number; readonly isPassing: boolean },
  add: AddMention,
): void {
  const codes = new Map<string, string>()
  for (const { 0: code, index } of text.matchAll(SHORT_CODE)) {
    if (codes.has(code) || NO_CODE.test(code)) continue
    codes.set(code, wordsBeside(text, index, index + code.length))
    if (codes.size >= maxCodes) break
  }
  for (const [code, note] of codes) add({ kind: 'id', text: code, note, by, entry, isPassing })
}
