import { describe, expect, it } from 'vitest'
import { explainConfig } from '../explain/explain-config.ts'
import { loadFile, refusalOf } from './testing/load-file.ts'

describe('gateway', () => {
  it('has the two vendors where nothing is said, and the preset of the file', async () => {
    const { gateway } = await loadFile('{ preset: "openclaw" }')
    expect(gateway).toStrictEqual({
      upstreams: {
        anthropic: { type: 'anthropic', baseURL: 'https://api.anthropic.com' },
        openai: { type: 'openai', baseURL: 'https://api.openai.com' },
      },
      preset: 'openclaw',
    })
  })

  it('takes addresses for vendors, a type with an address for others, and a preset of its own', async () => {
    const { gateway } = await loadFile(`{ preset: "openclaw", gateway: {
      upstreams: { openai: "http://127.0.0.1:1/v1", claude: { type: "anthropic", baseURL: "https://proxy.example/a" } },
      preset: "micro",
    } }`)
    expect(gateway).toStrictEqual({
      upstreams: {
        anthropic: { type: 'anthropic', baseURL: 'https://api.anthropic.com' },
        openai: { type: 'openai', baseURL: 'http://127.0.0.1:1/v1' },
        claude: { type: 'anthropic', baseURL: 'https://proxy.example/a' },
      },
      preset: 'micro',
    })
  })

  it('refuses whatever else stands there, with path, line and the nearest key', async () => {
    const source = `{ gateway: {
      upstream: {},
      preset: "longhual",
      upstreams: {
        local: "http://127.0.0.1:8080",
        other: { type: "opanai", baseUrl: "http://127.0.0.1:8080" },
        anthropic: "ftp://files.example",
        openai: "https://me:secret@proxy.example",
        s: "http://127.0.0.1:1",
        "a/b": { type: "openai", baseURL: "http://127.0.0.1:1" },
        asked: { type: "openai", baseURL: "http://127.0.0.1:1/?key=secret" },
        number: 5,
        "__proto__": { type: "openai", baseURL: "http://127.0.0.1:1" },
      },
    } }`
    const told = await refusalOf(source)
    expect(told).toStrictEqual([
      'config.json5:2: gateway.upstream: unknown key; did you mean upstreams?',
      'config.json5:3: gateway.preset: expected one of oneclaw, openclaw, micro, spec008, longhaul, got "longhual"; did you mean longhaul?',
      'config.json5:5: gateway.upstreams.local: say which wire it speaks: { type: "openai", baseURL: "…" }',
      'config.json5:6: gateway.upstreams.other.baseUrl: unknown key; did you mean baseURL?',
      'config.json5:6: gateway.upstreams.other.type: expected one of anthropic, openai; did you mean openai?',
      'config.json5:6: gateway.upstreams.other.baseURL: expected an http or https address',
      'config.json5:7: gateway.upstreams.anthropic: expected an http or https address',
      'config.json5:8: gateway.upstreams.openai: expected an address without a password: each program that calls the gateway sends its own credentials',
      'config.json5:9: gateway.upstreams.s: this name stands for something else in the paths of the gateway; choose another',
      'config.json5:10: gateway.upstreams.a/b: expected a name of letters, digits, dots, dashes and underscores',
      'config.json5:11: gateway.upstreams.asked.baseURL: expected an address without ? and #',
      'config.json5:12: gateway.upstreams.number: expected an address, or { type, baseURL }',
      'config.json5:13: gateway.upstreams.__proto__: expected a name of letters, digits, dots, dashes and underscores',
    ])
    expect(told.join()).not.toContain('secret')
  })

  it('is explained with the line of each value', async () => {
    const rows = explainConfig(
      await loadFile(`{ gateway: { upstreams: {
        openai: "http://127.0.0.1:1",
        local: { type: "openai", baseURL: "http://127.0.0.1:2" },
      } } }`),
    )
    const file = (line: number): string => `file /etc/longhaul/config.json5:${line}`
    expect(rows.filter(({ key }) => key.startsWith('gateway'))).toStrictEqual([
      { key: 'gateway.upstreams.anthropic', value: 'https://api.anthropic.com', source: 'default' },
      { key: 'gateway.upstreams.openai', value: 'http://127.0.0.1:1', source: file(2) },
      { key: 'gateway.upstreams.local.type', value: 'openai', source: file(3) },
      { key: 'gateway.upstreams.local.baseURL', value: 'http://127.0.0.1:2', source: file(3) },
      { key: 'gateway.preset', value: 'longhaul', source: 'default' },
    ])
  })
})
