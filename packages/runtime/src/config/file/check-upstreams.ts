import { findNearestName, isRecord } from '@longhaul/engine/advanced'
import { describeUnknown } from './check-shape.ts'
import type { KeyProblem } from './check-shape.ts'

/** The wires that the gateway speaks. */
const WIRES = ['anthropic', 'openai'] as const
type WireType = (typeof WIRES)[number]

/** A provider, or a server that speaks a provider's wire, as the gateway calls it. */
export interface ConfiguredUpstream {
  readonly type: WireType
  readonly baseURL: string
}

/** Paths such as `/gateway/s/ID/…` and `/gateway/t/TOKEN/…` begin with these. */
const RESERVED = ['s', 't']
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/
const KEYS = ['type', 'baseURL']

/** An upstream is an address where its name says which wire it speaks; else it says its type beside the address. */
export function checkUpstreams(upstreams: unknown): readonly KeyProblem[] {
  return Object.entries(isRecord(upstreams) ? upstreams : {}).flatMap(([name, upstream]) => {
    const problem = (message: string, ...key: string[]): KeyProblem => ({
      path: ['gateway', 'upstreams', name, ...key],
      message,
    })
    const refusal = refuseUpstreamName(name)
    if (refusal !== null) return [problem(refusal)]
    if (typeof upstream === 'string') {
      if (!isWire(name)) return [problem(`say which wire it speaks: { type: "openai", baseURL: "…" }`)]
      return refuseAddress(upstream).map((message) => problem(message))
    }
    if (!isRecord(upstream)) return [problem('expected an address, or { type, baseURL }')]
    const { type, baseURL } = upstream
    return [
      ...Object.keys(upstream)
        .filter((key) => !KEYS.includes(key))
        .map((key) => problem(describeUnknown(key, KEYS), key)),
      ...(isWire(type) ? [] : [problem(describeType(type), 'type')]),
      ...refuseAddress(baseURL).map((message) => problem(message, 'baseURL')),
    ]
  })
}

/** null: an upstream may be called so. */
export function refuseUpstreamName(name: string): string | null {
  if (RESERVED.includes(name)) return 'this name stands for something else in the paths of the gateway; choose another'
  return NAME.test(name) ? null : 'expected a name of letters, digits, dots, dashes and underscores'
}

function isWire(value: unknown): value is WireType {
  return WIRES.some((wire) => wire === value)
}

function describeType(type: unknown): string {
  const choices = `expected one of ${WIRES.join(', ')}`
  const nearest = typeof type === 'string' ? findNearestName(type, WIRES) : undefined
  return nearest === undefined ? choices : `${choices}; did you mean ${nearest}?`
}

/** Empty: it is an address that the gateway can call. The address is not quoted, because it may hold a password. */
export function refuseAddress(address: unknown): readonly string[] {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return ['expected an http or https address']
  if (url.username !== '' || url.password !== '')
    return ['expected an address without a password: each program that calls the gateway sends its own credentials']
  return url.search === '' && url.hash === '' ? [] : ['expected an address without ? and #']
}

const OFFICIAL: Readonly<Record<WireType, ConfiguredUpstream>> = {
  anthropic: { type: 'anthropic', baseURL: 'https://api.anthropic.com' },
  openai: { type: 'openai', baseURL: 'https://api.openai.com' },
}

/** The official ones, and those of the file over them. They have been checked. */
export function readUpstreams(
  upstreams: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, ConfiguredUpstream>> {
  const own = Object.entries(upstreams).map(([name, upstream]): [string, ConfiguredUpstream] => [
    name,
    typeof upstream === 'string' ? { type: name as WireType, baseURL: upstream } : (upstream as ConfiguredUpstream),
  ])
  return { ...OFFICIAL, ...Object.fromEntries(own) }
}
