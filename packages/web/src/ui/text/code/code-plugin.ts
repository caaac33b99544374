import type { CodeHighlighterPlugin } from 'streamdown'
import type { CodeToken } from './read-coloured-lines.ts'

type HighlightResult = Exclude<ReturnType<CodeHighlighterPlugin['highlight']>, null>

/** Longer code stays plain: nobody reads its colours, and everybody would wait for them. */
const MOST_CHARS = 60_000

/**
 * Colours for streamdown's code blocks. A block stands plain while it is being written and until the grammars are there,
 * then takes its colours once: nothing flickers, and nothing moves.
 */
export const CODE_PLUGIN: CodeHighlighterPlugin = {
  name: 'shiki',
  type: 'code-highlighter',
  // Nobody asks for these three here: colours come from the style sheet, and grammars know their own names.
  getSupportedLanguages: () => [],
  supportsLanguage: () => true,
  getThemes: () => ['', ''],
  highlight({ code, language, isIncomplete = false }, callback) {
    if (!isIncomplete && language !== '' && code.length <= MOST_CHARS) void colour(code, language, callback)
    return createResult(code.split('\n').map((content) => [{ content }]))
  },
}

/** Grammars that cannot be loaded are no reason to say anything: the code is there. */
async function colour(code: string, language: string, show?: (result: HighlightResult) => void): Promise<void> {
  const grammars = await import('./colour-code.ts').catch(() => null)
  const lines = grammars?.colourCode(code, language.toLowerCase()) ?? null
  if (lines !== null) show?.(createResult(lines))
}

function createResult(lines: readonly (readonly CodeToken[])[]): HighlightResult {
  return {
    tokens: lines.map((line) =>
      line.map(({ content, className }) => ({
        content,
        ...(className === undefined ? {} : { htmlAttrs: { className } }),
      })),
    ),
  }
}
