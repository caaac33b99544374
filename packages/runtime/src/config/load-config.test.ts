import { resolveLimits } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import { createPolicyFor } from '../policy/create-policy-for.ts'
import { RuntimeError } from '../runtime-error.ts'
import { loadConfig } from './load-config.ts'
import type { LoadOptions } from './load-config.ts'
import { loadFile, refusalOf } from './testing/load-file.ts'

describe('loadConfig: where things are', () => {
  const base: LoadOptions = {
    environment: {},
    homeFolder: '/home/ada',
    currentFolder: '/work',
    readFile: () => Promise.resolve(null),
  }

  it('has a default for everything when there is no file', async () => {
    const config = await loadConfig(base)
    expect(config.places).toStrictEqual({
      dataFolder: { value: '/home/ada/.longhaul', source: 'default' },
      configFile: { value: '/home/ada/.longhaul/config.json5', source: 'default' },
      store: { value: 'sqlite:/home/ada/.longhaul/longhaul.db', source: 'default' },
      workspace: { value: '/home/ada/.longhaul/workspace', source: 'default' },
      memoryFolder: { value: '/home/ada/.longhaul/workspace', source: 'default' },
    })
    expect(config).toMatchObject({
      hasFile: false,
      token: null,
      preset: 'longhaul',
      limits: { maintenanceUsdPerDay: 1, sessionUsd: null, retentionDays: null },
      memory: { embeddingModel: null },
      server: { allowedHosts: [], allowedOrigins: [] },
      agents: { defaults: { model: null, policy: {} }, list: {} },
    })
  })

  it('takes the environment before the default, and options before the environment', async () => {
    const environment = {
      LONGHAUL_DATA: '~/data',
      LONGHAUL_CONFIG: 'conf.json5',
      LONGHAUL_STORE: 'sqlite:x.db',
      LONGHAUL_TOKEN: ' secret ',
    }
    const fromEnvironment = await loadConfig({ ...base, environment })
    expect(fromEnvironment.token).toBe('secret')
    expect(fromEnvironment.places).toMatchObject({
      dataFolder: { value: '/home/ada/data', source: 'environment LONGHAUL_DATA' },
      configFile: { value: '/work/conf.json5', source: 'environment LONGHAUL_CONFIG' },
      store: { value: 'sqlite:/work/x.db', source: 'environment LONGHAUL_STORE' },
      workspace: { value: '/home/ada/data/workspace' },
    })
    const overrides = { data: 'mine', config: 'own.json5', store: 'postgres://db/longhaul' }
    const fromOptions = await loadConfig({ ...base, environment, overrides, readFile: () => Promise.resolve('{}') })
    expect(fromOptions.places).toMatchObject({
      dataFolder: { value: '/work/mine', source: 'option --data' },
      configFile: { value: '/work/own.json5', source: 'option --config' },
      store: { value: 'postgres://db/longhaul', source: 'option --store' },
    })
  })

  it('takes an empty variable for none', async () => {
    const { places } = await loadConfig({ ...base, environment: { LONGHAUL_DATA: ' ', LONGHAUL_STORE: '' } })
    expect(places.dataFolder).toStrictEqual({ value: '/home/ada/.longhaul', source: 'default' })
    expect(places.store.source).toBe('default')
  })

  it('reads paths of the file from the folder it lies in', async () => {
    const { places } = await loadFile(`{
      store: "sqlite:db/sessions.db",
      workspace: "../project",
      memory: { folder: "~/notes" },
    }`)
    expect(places).toMatchObject({
      store: { value: 'sqlite:/etc/longhaul/db/sessions.db', source: 'file /etc/longhaul/config.json5:2' },
      workspace: { value: '/etc/project', source: 'file /etc/longhaul/config.json5:3' },
      memoryFolder: { value: '/home/ada/notes', source: 'file /etc/longhaul/config.json5:4' },
    })
  })

  it('keeps memory in the store on PostgreSQL, unless a folder is named that servers share', async () => {
    const alone = await loadFile('{ store: "postgres://db/longhaul" }')
    expect(alone.places.memoryFolder).toStrictEqual({ value: null, source: 'default' })
    const shared = await loadFile('{ store: "postgres://db/longhaul", memory: { folder: "/mnt/shared" } }')
    expect(shared.places.memoryFolder.value).toBe('/mnt/shared')
  })

  it('refuses a store nobody knows, wherever it was said', async () => {
    const store = 'mysql://db'
    await expect(loadConfig({ ...base, overrides: { store } })).rejects.toThrow(
      'option --store: expected sqlite:FILE or postgres://…',
    )
    expect(await refusalOf(`{ store: "${store}" }`)).toStrictEqual([
      'config.json5:1: store: expected sqlite:FILE or postgres://…, got another text',
    ])
  })

  it('refuses a file that the command line names and that is not there, or cannot be read', async () => {
    const overrides = { config: 'missing.json5' }
    await expect(loadConfig({ ...base, overrides })).rejects.toThrow('There is no file /work/missing.json5')
    const readFile = () => Promise.reject(new Error('permission denied'))
    const refused = await loadConfig({ ...base, readFile }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RuntimeError)
    expect(refused).toMatchObject({ code: 'unreadable-configuration' })
  })
})

describe('loadConfig: the file', () => {
  it('OPEN-17 reads the whole example of the contract', async () => {
    const config = await loadFile(
      `{
  providers: {
    anthropic: { apiKey: "k", baseURL: "http://127.0.0.1:9/v1", models: { "some-model": { contextWindow: 200000, maxOutput: 8000 } } },
    local: { type: "openai-compatible", baseURL: "http://127.0.0.1:8080/v1", models: { "my-model": { contextWindow: 32768, maxOutput: 4096 } } },
  },
  models: { "openai/gpt-4o": { contextWindow: 64000 } },     // overrides; null = unknown
  mcp: { files: { command: "mcp-files", args: [] } },
  server: { allowedHosts: ["chat.example.org"], allowedOrigins: [] },
  limits: { maintenanceUsdPerDay: 1.00, sessionUsd: null, retentionDays: null },
  preset: "openclaw",
  agents: {
    defaults: { model: "local/my-model", contextTokens: 200000, contextPruning: { ttl: "10m" } },
    list: { researcher: { compaction: { keepRecentTokens: 15000 }, model: "openai/gpt-4o" } },
  },
}`,
    )
    expect(config).toMatchObject({
      preset: 'openclaw',
      mcp: { files: { command: 'mcp-files', args: [] } },
      server: { allowedHosts: ['chat.example.org'] },
      models: { 'openai/gpt-4o': { contextWindow: 64000 } },
      agents: {
        defaults: { model: 'local/my-model', policy: { contextTokens: 200000, contextPruning: { ttl: '10m' } } },
        list: { researcher: { model: 'openai/gpt-4o', policy: { compaction: { keepRecentTokens: 15000 } } } },
      },
      notes: [],
    })
  })

  it.each(['', '  \n', '{}', '// nothing yet\n{}'])('takes %j for all defaults', async (source) => {
    expect((await loadFile(source)).agents.defaults.policy).toStrictEqual({})
  })

  it('names line and column of a syntax error', async () => {
    expect(await refusalOf('{\n  preset: "longhaul"\n  limits: {}\n}')).toStrictEqual([
      "config.json5:3:3: invalid character 'l'",
    ])
    expect(await refusalOf('{ preset: ')).toStrictEqual(['config.json5:1:11: invalid end of input'])
    expect(await refusalOf('[1]')).toStrictEqual(['config.json5:1: the file must hold an object: { … }'])
  })

  it('lists everything that is wrong at once, in the order of the lines', async () => {
    expect(
      await refusalOf(`{
  provders: {},
  limits: { sessionUsd: "5", maintenanceUsdPerDy: 1 },
  preset: "longhual",
  mcp: { a: { comand: "x" }, b: { url: "ftp://x" } },
  server: { allowedHosts: ["a", 7] },
  providers: {
    anthropic: { apikey: "k" },
    mine: { baseURL: "http://x" },
  },
  models: { "openai/gpt-4o": { contextWindow: "big" } },
  tools: { permissions: { run_command: "alow" } },
  agents: {
    defaults: {
      modle: "a/b",
      contextPruning: { tll: "5m", mode: "cach-ttl" },
      compaction: { triggerRatio: 2 },
    },
    list: {
      researcher: { model: "gpt-4o", bootstrapMaxChar: 5 },
    },
  },
}`),
    ).toStrictEqual([
      'config.json5:2: provders: unknown key; did you mean providers?',
      'config.json5:3: limits.sessionUsd: expected US dollars, 0 or more, or null for no limit, got another text',
      'config.json5:3: limits.maintenanceUsdPerDy: unknown key; did you mean maintenanceUsdPerDay?',
      'config.json5:4: preset: expected one of oneclaw, openclaw, micro, spec008, longhaul, got "longhual"; did you mean longhaul?',
      'config.json5:5: mcp.a.comand: unknown key; did you mean command?',
      'config.json5:5: mcp.b.url: expected an http or https address, got another text',
      'config.json5:6: server.allowedHosts.1: expected a text, got 7',
      'config.json5:8: providers.anthropic.apikey: unknown key; did you mean apiKey?',
      'config.json5:11: models.openai/gpt-4o.contextWindow: expected number, received string',
      'config.json5:12: tools.permissions.run_command: expected one of allow, ask, deny, got "alow"; did you mean allow?',
      'config.json5:15: agents.defaults.modle: unknown key; did you mean model?',
      'config.json5:16: agents.defaults.contextPruning.tll: expected a known key, got an unknown one; did you mean ttl?',
      'config.json5:16: agents.defaults.contextPruning.mode: expected "off", "cache-ttl", "age", "size", got "cach-ttl"',
      'config.json5:17: agents.defaults.compaction.triggerRatio: expected a number above 0 and at most 1, or "off", got 2',
      'config.json5:20: agents.list.researcher.model: expected a model id: provider/model, got another text',
      'config.json5:20: agents.list.researcher.bootstrapMaxChar: unknown key; did you mean bootstrapMaxChars?',
    ])
  })

  it.each([
    ['{ agents: 5 }', 'config.json5:1: agents: expected an object, got 5'],
    ['{ agents: { list: [] } }', 'config.json5:1: agents.list: expected an object, got a list'],
    ['{ agents: { list: { a: null } } }', 'config.json5:1: agents.list.a: expected an object, got null'],
    [
      '{ memory: { embeddingModel: "small" } }',
      'config.json5:1: memory.embeddingModel: expected a model id: provider/model, got another text',
    ],
    [
      '{ memory: { embedingModel: "a/b" } }',
      'config.json5:1: memory.embedingModel: unknown key; did you mean embeddingModel?',
    ],
    ['{\nmcp: { a: {} } }', 'config.json5:2: mcp.a: say how to reach it: command, or url'],
    [
      '{ mcp: { a: { command: "x", url: "http://x" } } }',
      'config.json5:1: mcp.a.url: expected command or url, not both',
    ],
    [
      '{ mcp: { a: { url: "http://x", env: { A: "b" } } } }',
      'config.json5:1: mcp.a.env: belongs to a command, not to a url',
    ],
    [
      '{ limits: { retentionDays: 0 } }',
      'config.json5:1: limits.retentionDays: expected a number of days above 0, or null to keep everything, got 0',
    ],
    ['{ overflowPatterns: ["x"] }', 'config.json5:1: overflowPatterns.0: expected an object, got another text'],
    ['{ workspace: " " }', 'config.json5:1: workspace: expected a text that is not empty, got an empty text'],
    [
      '{ agents: { defaults: { preset: "mirco" } } }',
      'config.json5:1: agents.defaults.preset: expected one of oneclaw, openclaw, micro, spec008, longhaul, got "mirco"; did you mean micro?',
    ],
    ['{ __proto__: { preset: "x" } }', expect.stringContaining('config.json5:1: __proto__: unknown key; known are')],
    ['{ a: 1,\n\n a: 2 }', expect.stringContaining('config.json5:3: a: unknown key')],
  ])('refuses %s', async (source, expected) => {
    expect((await refusalOf(source)).at(-1)).toStrictEqual(expected)
  })

  it('names an unusable overflow pattern', async () => {
    const source = '{\n  overflowPatterns: [{ pattern: "(", kind: "input-overflow" }] }'
    expect(await refusalOf(source)).toStrictEqual([
      expect.stringMatching(/^config\.json5:2: overflowPatterns: .*regular/),
    ])
  })

  it('refuses a key that is written twice, because JSON5 would forget the first', async () => {
    const source = '{ limits: { sessionUsd: 1 },\n  limits: { retentionDays: 1 } }'
    expect(await refusalOf(source)).toStrictEqual(['config.json5:2: limits: is written twice, first in line 1'])
  })

  it('refuses values that do not hold together, at the line of the one that is named', async () => {
    const source = `{ agents: {
  defaults: { contextPruning: { softTrimRatio: 0.6 } },
  list: { a: { contextPruning: { hardClearRatio: 0.5 } } },
} }`
    expect(await refusalOf(source)).toStrictEqual([
      'config.json5:2: agents.defaults.contextPruning.softTrimRatio: expected at most hardClearRatio, got 0.6',
    ])
  })

  it('never shows a secret in a refusal', async () => {
    const source =
      '{ providers: { anthropic: { apiKey: 5, apiky: "sk-secret-value" } }, mcp: { a: { url: "sk-secret-value" } } }'
    const refused = await refusalOf(source)
    expect(refused).toHaveLength(3)
    expect(refused.join('\n')).not.toContain('sk-secret')
  })
})

describe('loadConfig: names of older systems', () => {
  it.each([
    ['agents.defaults', '{ agents: { defaults: {\n KEYS } } }'],
    ['agent', '{ agent: {\n KEYS } }'],
    ['the top', '{\n KEYS }'],
  ])('OPEN-17 understands the keys of 001 under %s', async (_root, frame) => {
    const keys = `contextTokens: 200000, bootstrapMaxChars: 15000, workspaceAccess: "ro", heartbeat: { every: "30m" },
      contextPruning: { mode: "cache-ttl", ttl: "5m", keepLastAssistants: 2, softTrimRatio: 0.3, hardClearRatio: 0.5,
        minPrunableToolChars: 50000, softTrim: { maxChars: 4000, headChars: 1500, tailChars: 1500 },
        hardClear: { enabled: true, placeholder: "[Old tool result content cleared]" } },
      compaction: { enabled: true, reserveTokens: 16384, keepRecentTokens: 15000, reserveTokensFloor: 20000,
        memoryFlush: { enabled: true, softThresholdTokens: 4000, systemPrompt: "Store now.", prompt: "Write to memory/YYYY-MM-DD.md" } }`
    const { agents } = await loadFile(frame.replace('KEYS', keys))
    expect(agents.defaults.policy).toMatchObject({
      contextTokens: 200000,
      workspaceAccess: 'ro',
      contextPruning: { mode: 'cache-ttl', softTrim: { headChars: 1500 } },
      compaction: { keepRecentTokens: 15000, reserveTokensFloor: 20000, memoryFlush: { prompt: expect.any(String) } },
    })
  })

  it('SPEC-08 understands the settings of an older service, and says which key replaces each', async () => {
    const config = await loadFile(`{
  preset: "spec008",
  context_window: 100000,
  reserve_tokens: 10000,
  flush_threshold: 2000,
  keep_recent_turns: 4,
  prune_keep_last_assistants: 2,
  prune_soft_trim_chars: 3000,
  compaction_model: "claude-haiku-4-5-20251001",
}`)
    const policy = createPolicyFor(config)({ agent: null, preset: null, policy: null })
    expect(policy).toMatchObject({
      contextTokens: 100_000,
      contextPruning: { mode: 'age', keepLastAssistants: 2, softTrimAfterTurns: 2, softTrim: { maxChars: 3_000 } },
      compaction: {
        keepTurns: 4,
        model: 'anthropic/claude-haiku-4-5-20251001',
        memoryFlush: { softThresholdTokens: 2_000 },
      },
    })
    const limits = resolveLimits(policy, { windowTokens: 100_000, maxOutputTokens: 8_000 })
    expect(limits).toMatchObject({ triggerTokens: 90_000, flushTokens: 88_000 })
    expect(config.notes.map(({ path, line, replacedBy }) => [path, line, replacedBy])).toStrictEqual([
      ['context_window', 3, 'agents.defaults.contextTokens'],
      ['reserve_tokens', 4, 'agents.defaults.compaction.reserveTokens'],
      ['flush_threshold', 5, 'agents.defaults.compaction.memoryFlush.softThresholdTokens'],
      ['keep_recent_turns', 6, 'agents.defaults.compaction.keepTurns'],
      ['prune_keep_last_assistants', 7, 'agents.defaults.contextPruning.keepLastAssistants'],
      ['prune_soft_trim_chars', 8, 'agents.defaults.contextPruning.softTrim.maxChars'],
      ['compaction_model', 9, 'agents.defaults.compaction.model'],
    ])
  })

  it('SPEC-08 a key that is written itself wins over what an older name implies, for each agent by itself', async () => {
    const { agents } = await loadFile(`{
  agents: {
    defaults: { reserve_tokens: 30000, compaction: { reserveTokensFloor: 5000 } },
    list: { small: { prune_keep_last_assistants: 1, compaction_model: "local/tiny" } },
  },
}`)
    expect(agents.defaults.policy).toStrictEqual({ compaction: { reserveTokens: 30_000, reserveTokensFloor: 5_000 } })
    expect(agents.list['small']?.policy).toStrictEqual({
      contextPruning: { keepLastAssistants: 1, softTrimAfterTurns: 1 },
      compaction: { model: 'local/tiny' },
    })
    expect(await refusalOf('{ reserve_tokens: "many" }')).toStrictEqual([
      'config.json5:1: reserve_tokens: expected a whole number, 0 or more, or "off", got "many"',
    ])
  })

  it('OPEN-17 says which key replaces one', async () => {
    const { notes, agents } = await loadFile(`{
  CompactionStrategy: "summarize",
  CompactionThresholdTokens: 80000,
  ProtectedTailMessages: 6,
  agent: { MaxToolResultChars: 40000 },
  agents: { list: { small: { MaxConversationMessages: 50 } } },
}`)
    expect(agents.defaults.policy).toStrictEqual({
      compaction: { strategy: 'summarize', triggerTokens: 80000, keepMessages: 6 },
      toolResults: { maxChars: 40000 },
    })
    expect(agents.list['small']?.policy).toStrictEqual({ compaction: { maxMessages: 50 } })
    expect(notes).toStrictEqual([
      { path: 'CompactionStrategy', line: 2, replacedBy: 'agents.defaults.compaction.strategy' },
      { path: 'CompactionThresholdTokens', line: 3, replacedBy: 'agents.defaults.compaction.triggerTokens' },
      { path: 'ProtectedTailMessages', line: 4, replacedBy: 'agents.defaults.compaction.keepMessages' },
      { path: 'agent.MaxToolResultChars', line: 5, replacedBy: 'agents.defaults.toolResults.maxChars' },
      {
        path: 'agents.list.small.MaxConversationMessages',
        line: 6,
        replacedBy: 'agents.list.small.compaction.maxMessages',
      },
    ])
  })

  it('understands a preset and a model under each root too', async () => {
    expect(await loadFile('{ agent: { preset: "micro", model: "local/m" } }')).toMatchObject({
      preset: 'micro',
      agents: { defaults: { model: 'local/m', preset: null } },
    })
    expect((await loadFile('{ model: "local/m" }')).agents.defaults.model).toBe('local/m')
  })

  it('refuses one value under two names', async () => {
    expect(await refusalOf('{ agent: { contextTokens: 1 },\n  contextTokens: 2 }')).toStrictEqual([
      'config.json5:2: contextTokens: says the same as agent.contextTokens in line 1; keep one of them',
    ])
  })

  it('refuses two ways to say when, at the line and under the name they were written', async () => {
    const source = '{ CompactionThresholdTokens: 80000,\n  compaction: { reserveTokens: 20000 } }'
    expect(await refusalOf(source)).toStrictEqual([
      expect.stringMatching(/^config\.json5:1: CompactionThresholdTokens: expected only one of triggerRatio, /),
    ])
  })

  it('reports what is wrong with an old name under that name', async () => {
    expect(await refusalOf('{\n  agent: { compaction: { reserveToken: 1 } } }')).toStrictEqual([
      'config.json5:2: agent.compaction.reserveToken: expected a known key, got an unknown one; did you mean reserveTokens?',
    ])
  })
})

describe('loadConfig: what commands run in', () => {
  it('is found out by itself unless the file says otherwise; paths start from the folder of the file', async () => {
    expect((await loadFile('{}')).tools.command).toStrictEqual({ sandbox: 'auto' })
    const { tools, places } = await loadFile(
      '{ tools: { command: { sandbox: "bubblewrap", network: true, readable: ["tools", "/opt/x"] } } }',
    )
    expect(tools.command).toStrictEqual({
      sandbox: 'bubblewrap',
      network: true,
      readable: [places.configFile.value.replace(/[^/]+$/, 'tools'), '/opt/x'],
    })
  })

  it('a key that the sandbox does not know is refused, and so is a container without an image', async () => {
    expect(await refusalOf('{ tools: { command: { sandbox: "docker" } } }')).toStrictEqual([
      expect.stringContaining('docker needs tools.command.image'),
    ])
    expect(await refusalOf('{ tools: { command: { image: "debian", network: false, readable: [] } } }')).toHaveLength(3)
    expect(await refusalOf('{ tools: { command: { sandbox: "bubblewarp" } } }')).toStrictEqual([
      expect.stringContaining('did you mean bubblewrap?'),
    ])
  })

  it('the password of the database may come by the environment, and no command sees it', async () => {
    const config = await loadFile('{ tools: { environment: ["COPY"] } }', { PGPASSWORD: 'hunter22', COPY: 'hunter22' })
    expect(config).toMatchObject({ storePassword: 'hunter22', commandEnvironment: {} })
  })
})
