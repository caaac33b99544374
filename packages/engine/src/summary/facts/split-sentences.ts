/** Abbreviations that end in a dot without ending a sentence. */
const NOT_AN_END =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|mr|mrs|ms|dr|prof|st|no|nr|z\.B|bzw|ca|usw|d\.h|p\.ej)\.$/i
/** Begins where a run of marks begins: tried from each mark of a long run anew, it would take the square of its length. */
const END = /(?<![.!?…])[.!?…]+["'”’»)\]]*\s+|[。！？；]+[”’」』）]*/g

/** Sentences in their own words, trimmed, in order; line breaks end one too. CJK ends without a space. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = []
  for (const line of text.split('\n')) {
    let start = 0
    for (const match of line.matchAll(END)) {
      const end = match.index + match[0].length
      if (NOT_AN_END.test(line.slice(Math.max(0, end - 12), end).trimEnd())) continue
      push(sentences, line.slice(start, end))
      start = end
    }
    push(sentences, line.slice(start))
  }
  return sentences
}

function push(sentences: string[], text: string): void {
  const sentence = text.trim()
  if (sentence !== '') sentences.push(sentence)
}
