/**
 * Which package may import which. `store` stands for every entry of that package, `store/port` for that entry alone,
 * and `type store/port` for its types alone. Files inside one package reach each other by relative path.
 */
export const packageArrows: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  store: ['engine'],
  models: ['engine'],
  tools: ['type engine'],
  agent: ['engine', 'type store/port', 'type models/port', 'type tools/port'],
  runtime: ['engine', 'store', 'models', 'tools', 'agent'],
  protocol: ['type engine'],
  server: ['runtime', 'protocol'],
  cli: ['runtime', 'protocol', 'replay', 'server'],
  replay: ['engine', 'store/jsonl', 'models/prices'],
  web: ['protocol'],
}

/** What test files may import besides: they use the real thing, and nothing depends on them. */
export const testArrows: Readonly<Record<string, readonly string[]>> = {
  store: ['models'],
  models: ['store'],
  tools: ['engine'],
  agent: ['store', 'models', 'tools'],
  protocol: ['engine'],
  server: ['engine', 'store', 'models'],
  cli: ['engine', 'store', 'models', 'server'],
  replay: ['store', 'models'],
  web: ['engine'],
}

/** Packages a browser loads: their sources import nothing from `node:`. */
export const browserPackages: readonly string[] = ['engine', 'protocol', 'web']

/** Packages that import no outside library at all. */
export const dependencyFreePackages: readonly string[] = ['engine']

/** Outside libraries that only tests and `testing/` folders use. */
export const testLibraries: readonly string[] = ['vitest', 'fast-check']

const groundFloor = ['transcript', 'messages', 'tokens', 'policy']
const mechanisms = ['truncation', 'pruning', 'summary', 'compaction', 'flush']

/** Which room of the engine may import which other room. */
export const engineRooms: Readonly<Record<string, readonly string[]>> = {
  transcript: [],
  messages: ['transcript'],
  tokens: ['transcript', 'messages'],
  policy: ['transcript', 'messages', 'tokens'],
  truncation: groundFloor,
  pruning: groundFloor,
  summary: groundFloor,
  compaction: [...groundFloor, 'summary'],
  flush: groundFloor,
  request: [...groundFloor, ...mechanisms],
  search: groundFloor,
  context: [...groundFloor, ...mechanisms, 'request', 'search'],
}

/** Names that say nothing about what lies inside. */
export const emptyFolderNames: readonly string[] = ['core', 'utils', 'helpers', 'common', 'manager']
