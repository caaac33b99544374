/** What a preset is for, in a sentence; a preset of somebody's own has none. */
export function describePreset(name: string): string | null {
  return SENTENCES[name] ?? null
}

const SENTENCES: Readonly<Record<string, string>> = {
  longhaul:
    'The default, for long work: clears stale tool results, prepares summaries in the background and carries facts in a ledger.',
  oneclaw: 'Plain chat: summarises at 85 % of the window and keeps the newest quarter word for word.',
  openclaw:
    'In layers: shortens old tool results once the cache is cold, saves to memory files, keeps the newest 20,000 tokens.',
  micro: 'For tool loops: compacts at 80,000 tokens and keeps the first message and the last six.',
  spec008:
    'For a chat service: shortens tool results by age, summarises with a small model and keeps the last five replies.',
}
