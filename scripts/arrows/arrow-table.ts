/** The packages below `hosts`: one for each program or library that Longhaul lives in. */
const HOSTS = ['ai-sdk', 'langchain', 'mastra', 'openai-agents', 'openclaw', 'opencode', 'pi'] as const

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
  runtime: ['engine', 'store', 'models', 'tools', 'agent', 'gateway', 'audit'],
  protocol: ['type engine'],
  server: ['runtime', 'protocol'],
  cli: ['runtime', 'protocol', 'replay', 'audit', 'server', 'engine/display'],
  replay: ['engine', 'store/jsonl', 'models/prices'],
  audit: ['engine', 'store/jsonl', 'models/prices', 'replay'],
  web: ['protocol', 'engine/display'],
  gateway: ['engine', 'store/host', 'type store/port', 'models/overflow', 'models/prices'],
  ...Object.fromEntries(HOSTS.map((name) => [name, ['engine', 'store/host', 'models/overflow']])),
}

/** What test files may import besides: they use the real thing, and nothing depends on them. */
export const testArrows: Readonly<Record<string, readonly string[]>> = {
  store: ['models'],
  models: ['store'],
  tools: ['engine'],
  agent: ['store', 'models', 'tools'],
  protocol: ['engine'],
  server: ['engine', 'store', 'models', 'audit'],
  cli: ['engine', 'store', 'models', 'server'],
  replay: ['store', 'models'],
  audit: ['store', 'models'],
  web: ['engine'],
  gateway: ['store', 'models'],
  ...Object.fromEntries(HOSTS.map((name) => [name, ['store', 'models']])),
}

/** Packages a browser loads: their sources import nothing from `node:`. */
export const browserPackages: readonly string[] = ['engine', 'protocol', 'web']

/** Packages that import no outside library at all. */
export const dependencyFreePackages: readonly string[] = ['engine']

/** Outside libraries that only tests and `testing/` folders use. */
export const testLibraries: readonly string[] = ['vitest', 'fast-check']

const groundFloor = ['transcript', 'messages', 'tokens', 'policy']
const mechanisms = ['truncation', 'pruning', 'summary', 'compaction', 'flush']

const engineRooms = {
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

const agentGround = ['port', 'agent-error.ts', 'session']

/** `session ← maintenance ← recovery ← turn ← owner`; memory, approval, inspect and commands stand beside them. */
const agentRooms = {
  port: [],
  'agent-error.ts': ['port'],
  session: ['port', 'agent-error.ts'],
  memory: agentGround,
  approval: agentGround,
  inspect: agentGround,
  maintenance: [...agentGround, 'memory'],
  recovery: [...agentGround, 'maintenance'],
  turn: [...agentGround, 'maintenance', 'recovery'],
  owner: [...agentGround, 'approval', 'maintenance', 'recovery', 'turn'],
  'create-agent.ts': [...agentGround, 'memory', 'owner'],
  commands: ['agent-error.ts', 'inspect', 'memory', 'create-agent.ts'],
}

/** The program loads commands by name, and commands know the program's options and errors: these arrows go both ways. */
const cliRooms = {
  program: ['terminal', 'completion', 'commands', 'chat', 'run'],
  terminal: ['program'],
  system: ['program'],
  completion: ['program', 'terminal', 'system'],
  cards: ['terminal', 'chat'],
  run: ['program', 'terminal'],
  chat: ['program', 'terminal', 'system', 'cards', 'commands'],
  commands: ['program', 'terminal', 'system', 'cards', 'chat', 'run'],
  'run-main.ts': ['program', 'terminal'],
  'start-program.ts': ['system', 'run-main.ts'],
}

const serverGround = ['api-failure.ts', 'server-error.ts', 'next-or-tick.ts', 'server-context.ts']

/** `server-context.ts` names the types of the rooms that it holds, and the rooms are handed the context. */
const serverRooms = {
  'api-failure.ts': [],
  'server-error.ts': [],
  'next-or-tick.ts': [],
  'server-context.ts': ['guard', 'present', 'stream', 'telemetry'],
  samples: [],
  telemetry: serverGround,
  listen: serverGround,
  present: serverGround,
  stream: serverGround,
  guard: serverGround,
  static: [...serverGround, 'guard'],
  intake: [...serverGround, 'guard', 'stream', 'routes'],
  routes: [...serverGround, 'guard', 'present', 'stream', 'intake', 'samples'],
  'create-server-context.ts': [...serverGround, 'guard', 'present', 'stream', 'telemetry'],
  'answer-faults.ts': [...serverGround, 'telemetry'],
  'create-app.ts': [...serverGround, 'answer-faults.ts', 'guard', 'routes', 'telemetry'],
  'start-gateway-server.ts': [
    ...serverGround,
    'answer-faults.ts',
    'create-server-context.ts',
    'guard',
    'listen',
    'routes',
    'telemetry',
  ],
  'start-server.ts': [
    ...serverGround,
    'create-app.ts',
    'create-server-context.ts',
    'guard',
    'listen',
    'static',
    'stream',
    'telemetry',
  ],
}

const screens = ['ui', 'api', 'session']

/** The sidebar and the settings know the routes of the app that shows them. */
const webRooms = {
  ui: [],
  api: ['ui'],
  session: ['api'],
  chat: screens,
  context: ['ui', 'api'],
  memory: ['ui', 'api'],
  audit: ['ui', 'api'],
  settings: ['ui', 'api', 'app'],
  sidebar: ['ui', 'api', 'app'],
  app: [...screens, 'chat', 'context', 'memory', 'audit', 'settings', 'sidebar'],
  'main.tsx': ['app', 'styles.css'],
}

/**
 * Which room of a package may import which other room. A row is a folder below `src`, or a file beside the folders. The
 * rooms of a package that is not listed are not checked.
 */
export const roomArrows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  engine: engineRooms,
  agent: agentRooms,
  cli: cliRooms,
  server: serverRooms,
  web: webRooms,
}

/** Names that say nothing about what lies inside. */
export const emptyFolderNames: readonly string[] = ['core', 'utils', 'helpers', 'common', 'manager']
