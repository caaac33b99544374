import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { readColouredLines } from './read-coloured-lines.ts'
import type { CodeToken } from './read-coloured-lines.ts'

/** Their own aliases come with them: `ts`, `py`, `sh`, `html`, `toml` … */
const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}

for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language)

/** Grammars try patterns again from every place: code longer than this, or with a longer line, could hold up the page. */
const MAX_CHARS = 10_000
const LONG_LINE = /[^\n]{1000}/

/** Lines of coloured tokens; null: nothing is known of this language, or the code is too long to be coloured. */
export function colourCode(code: string, language: string): readonly (readonly CodeToken[])[] | null {
  if (highlighter.getLanguage(language) === undefined || code.length > MAX_CHARS || LONG_LINE.test(code)) return null
  return readColouredLines(highlighter.highlight(code, { language, ignoreIllegals: true }).value)
}
