import type { Store } from '../port/store.ts'
import type { SharedStoreHarness, StoreHarness } from './store-harness.ts'

/** One promise of the port. `run` rejects if the store does not keep it. */
export interface ConformanceCase {
  readonly title: string
  readonly run: (harness: StoreHarness) => Promise<void>
}

/** A promise that takes more than one store on the same data to test. */
export interface SharedConformanceCase {
  readonly title: string
  readonly run: (harness: SharedStoreHarness) => Promise<void>
}

export interface CaseContext {
  readonly store: Store
  readonly passTime: (ms: number) => Promise<void>
  /** Another empty store; closed and removed with the first. */
  readonly openOther: () => Promise<Store>
}

export interface SharedCaseContext extends CaseContext {
  readonly openAgain: () => Promise<Store>
}

export function storeCase(title: string, test: (context: CaseContext) => Promise<void>): ConformanceCase {
  return {
    title,
    async run(harness) {
      const cleanUp: (() => Promise<void>)[] = []
      try {
        const { store, passTime } = await openTracked(harness, cleanUp)
        await test({ store, passTime, openOther: async () => (await openTracked(harness, cleanUp)).store })
      } finally {
        await runLastFirst(cleanUp)
      }
    },
  }
}

export function sharedStoreCase(
  title: string,
  test: (context: SharedCaseContext) => Promise<void>,
): SharedConformanceCase {
  return {
    title,
    async run(harness) {
      const cleanUp: (() => Promise<void>)[] = []
      try {
        const { store, passTime, openAgain } = await openTracked(harness, cleanUp)
        await test({
          store,
          passTime,
          openOther: async () => (await openTracked(harness, cleanUp)).store,
          async openAgain() {
            const again = await openAgain()
            cleanUp.push(() => again.close())
            return again
          },
        })
      } finally {
        await runLastFirst(cleanUp)
      }
    },
  }
}

/** Closing twice is allowed, so a case may close a store by itself. */
async function openTracked<T extends { readonly store: Store; remove(): Promise<void> }>(
  harness: { open(): Promise<T> },
  cleanUp: (() => Promise<void>)[],
): Promise<T> {
  const opened = await harness.open()
  cleanUp.push(
    () => opened.remove(),
    () => opened.store.close(),
  )
  return opened
}

async function runLastFirst(cleanUp: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of cleanUp.toReversed()) await step()
}
