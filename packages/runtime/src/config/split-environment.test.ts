import { describe, expect, it } from 'vitest'
import { createMayStay } from './environment-names.ts'
import { splitEnvironment } from './split-environment.ts'

const plain = {
  PATH: '/bin',
  HOME: '/home/ada',
  LC_ALL: 'C.UTF-8',
  TZ: 'Europe/Berlin',
  https_proxy: 'http://proxy:3128',
  CARGO_HOME: '/opt/cargo',
}

const environment = {
  ...plain,
  EMPTY: '',
  GONE: undefined,
  ANTHROPIC_API_KEY: ' sk-anthropic ',
  OPENAI_API_KEY: 'sk-openai-1',
  LONGHAUL_TOKEN: 'server-token',
  LONGHAUL_DATA: '/data',
  GITHUB_PAT: 'gh',
  DB_PASS: 'pw',
  MYSQL_PWD: 'pw',
  JWT: 'ey',
  SENTRY_DSN: 'https://abc@sentry.example.org/1',
  SSH_AUTH_SOCK: '/run/agent',
  LC_SECRET_1: 'not a locale',
  LC_PASS: 'not a locale',
  NODE_AUTH_TOKEN: 'npm',
  HTTP_PROXY: 'http://ada:secret@proxy:3128',
  ALL_PROXY: 'token@proxy:3128',
  FTP_PROXY: 'http://ada:with/slash@proxy:3128',
  TMPDIR: '/tmp/the-file-secret',
  LANG: 'prefix sk-openai-1 suffix',
}

describe('splitEnvironment', () => {
  it('gives commands the few variables that are known to be plain, and nothing that repeats a secret', () => {
    const split = splitEnvironment(environment, { secrets: ['the-file-secret', 'de'], letThrough: [] })
    expect(split.commandEnvironment).toStrictEqual(plain)
    expect(split.providerKeys).toStrictEqual({ ANTHROPIC_API_KEY: 'sk-anthropic', OPENAI_API_KEY: 'sk-openai-1' })
  })

  it('lets through what the configuration names, but never keys of providers or our own', () => {
    const letThrough = ['GITHUB_PAT', 'HTTP_PROXY', 'OPENAI_API_KEY', 'LONGHAUL_TOKEN']
    const { commandEnvironment } = splitEnvironment(environment, { secrets: ['the-file-secret'], letThrough })
    expect(commandEnvironment).toStrictEqual({
      ...plain,
      GITHUB_PAT: 'gh',
      HTTP_PROXY: 'http://ada:secret@proxy:3128',
    })
  })
})

describe('createMayStay', () => {
  it.each([
    ['NODE_OPTIONS', '--max-old-space-size=512', true],
    ['NODE_AUTH_TOKEN', 'npm', false],
    ['PGHOST', 'db', true],
    ['PGPASSWORD', 'pw', false],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318', true],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://ada:pw@127.0.0.1:4318', false],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://127.0.0.1:4318/v1/traces', true],
    ['OTEL_SERVICE_NAME', 'longhaul', true],
    ['OTEL_TRACES_SAMPLER', 'always_on', true],
    ['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', 'true', true],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=x', false],
    ['OTEL_COLLECTOR_AUTH', 'x', false],
    ['LC_ALL', 'C', true],
    ['LC_PASS', 'x', false],
    ['OPENAI_BASE_URL', 'http://127.0.0.1/v1', true],
    ['OPENAI_BASE_URL', 'http://ada:pw@127.0.0.1/v1', false],
    ['LONGHAUL_STORE', 'postgres://ada:pw@db/x', false],
    ['WANTED', 'x', true],
  ])('%s=%s: %s', (name, value, stays) => {
    expect(createMayStay({ LONGHAUL_KEEP: 'OTHER, WANTED' })(name, value)).toBe(stays)
  })
})
