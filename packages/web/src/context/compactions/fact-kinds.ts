/** What a kind of fact in the ledger is called; a kind that this version does not know is shown by its own name. */
export function nameFactKind(kind: string): string {
  return NAMES[kind] ?? kind.replaceAll('-', ' ')
}

const NAMES: Readonly<Record<string, string>> = {
  'first-ask': 'First request, word for word',
  'latest-ask': 'Latest request, word for word',
  ask: 'Asked before',
  instruction: 'Standing instructions',
  decision: 'Decisions',
  'open-work': 'Open work',
  failure: 'Failures',
  'file-changed': 'Files changed',
  'file-read': 'Files read or named',
  command: 'Commands',
  url: 'Addresses',
  id: 'Ids',
  figure: 'Figures',
}
