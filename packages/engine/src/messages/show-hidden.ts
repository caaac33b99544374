/**
 * An emoji with what joins its parts and chooses its look. A joiner between two pictures hides nothing, so such a run
 * stays as it is.
 */
const EMOJI = String.raw`[\d#*]\uFE0F\u20E3|\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?(?:\u200D(?=\p{Extended_Pictographic}))?`
/**
 * Controls except the tab and the line feed, format characters (bidi and zero-width ones among them), line and paragraph
 * separators, lone surrogates, fillers, tags and variation selectors, and spaces of unusual width. The no-break space
 * and the ideographic space stand in ordinary text and show as spaces.
 */
const HIDDEN = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n \u00A0\u3000]]`
const SHOWN = new RegExp(`${EMOJI}|\\r\\n|(${HIDDEN})\\1*`, 'gv')
const MAY_HIDE = new RegExp(HIDDEN, 'v')

/**
 * A text as a person must see it before they judge it: what prints nothing, or changes how other characters are read, is
 * written out, such as `⟨U+202E⟩`; several of one kind in a row once, with their number. Takes linear time.
 *
 * @example
 * showHidden('rm \u202Etxt.exe') // 'rm ⟨U+202E⟩txt.exe'
 */
export function showHidden(text: string): string {
  if (!MAY_HIDE.test(text)) return text
  return text.replace(SHOWN, (match: string, hidden: string | undefined) => {
    if (hidden === undefined) return match === '\r\n' ? '\n' : match
    const code = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    const count = match.length / hidden.length
    return count === 1 ? `⟨U+${code}⟩` : `⟨U+${code} ×${count}⟩`
  })
}

/** Escape sequences that do nothing but colour the text; programs print them, and nothing is hidden where they are left out. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const COLOURS = /\u001B\[[\d;:]{0,64}m/g

/** The same for what a program printed: colours are left out, everything else that is hidden is shown. */
export function showPrinted(text: string): string {
  return showHidden(text.replace(COLOURS, ''))
}
