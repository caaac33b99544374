/**
 * The promises of the port as cases that any test runner can run, against a store of your own too. With vitest:
 *
 *   import { conformanceCases } from '@longhaul/store/testing'
 *
 *   let now = Date.now()
 *   const harness = {
 *     async open() {
 *       const store = await openMyStore({ name: randomUUID(), clock: () => now })
 *       return { store, passTime: async (ms) => void (now += ms), remove: () => deleteMyData(store) }
 *     },
 *   }
 *   for (const { title, run } of conformanceCases) it(title, () => run(harness))
 *
 * Every case opens a store of its own and closes it. If the data outlives a store or several processes share it, let
 * `open` return `openAgain` besides, which opens one more store on the same data, and run `sharedConformanceCases` too.
 * Refusals are expected as a `StoreError` of this package.
 */
export type { ConformanceCase, SharedConformanceCase } from './testing/conformance-case.ts'
export { conformanceCases, sharedConformanceCases } from './testing/conformance.ts'
export type { SharedStoreHarness, SharedTestStore, StoreHarness, TestStore } from './testing/store-harness.ts'
