// For whoever calls models with a library of another kind and wants to know when a request was too long.
export { findOverflow } from './overflow/find-overflow.ts'
export type { Overflow } from './overflow/find-overflow.ts'
