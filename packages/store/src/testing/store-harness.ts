import type { Store } from '../port/store.ts'

/** A store under test. */
export interface TestStore {
  readonly store: Store
  /** Lets this much time pass for leases: moves the clock that was handed in, or waits. */
  readonly passTime: (ms: number) => Promise<void>
  /** Removes its data. Every store that was opened on it is closed before. */
  readonly remove: () => Promise<void>
}

/** How the suite gets at a store. Each case asks for one of its own. */
export interface StoreHarness {
  /** A new store without anything in it. */
  readonly open: () => Promise<TestStore>
}

/** A store whose data outlives it, or is used by several processes at once. */
export interface SharedTestStore extends TestStore {
  /** One more store on the same data, as another process would open it. The ones before it may still be open. */
  readonly openAgain: () => Promise<Store>
}

export interface SharedStoreHarness {
  readonly open: () => Promise<SharedTestStore>
}
