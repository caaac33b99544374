// The gateway: one address for programs that speak a vendor's wire.
export { createGateway } from './create-gateway.ts'
export type { Gateway } from './create-gateway.ts'
export type { GatewayOptions, GatewayReport, SummaryCosts, Upstream } from './gateway-options.ts'
