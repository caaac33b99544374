import type { ConformanceCase, SharedConformanceCase } from './conformance-case.ts'
import { artifactCases } from './port-cases/artifacts.ts'
import { entryCases } from './port-cases/entries.ts'
import { eventCases } from './port-cases/events.ts'
import { inboxCases } from './port-cases/inbox.ts'
import { learnedCases } from './port-cases/learned.ts'
import { leaseCases } from './port-cases/leases.ts'
import { longSessionCases } from './port-cases/long-sessions.ts'
import { memoryCases } from './port-cases/memory.ts'
import { memoryVectorCases, sharedMemoryVectorCases } from './port-cases/memory-vectors.ts'
import { requestCases } from './port-cases/requests.ts'
import { searchCases } from './port-cases/search.ts'
import { sessionListCases } from './port-cases/session-lists.ts'
import { sessionCases } from './port-cases/sessions.ts'
import { textCases } from './port-cases/texts.ts'
import { createRandomCase, createSharedRandomCase } from './random/random-operations.ts'
import { concurrencyCases, sharedConcurrencyCases } from './store-cases/concurrency.ts'
import { dumpCases } from './store-cases/dump.ts'
import { durabilityCases } from './store-cases/durability.ts'
import { purgeCases } from './store-cases/purge.ts'
import { upkeepCases } from './store-cases/upkeep.ts'
import { sharedWatchCases, watchCases } from './store-cases/watch.ts'

/** What every store keeps. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...sessionCases,
  ...longSessionCases,
  ...sessionListCases,
  ...entryCases,
  ...textCases,
  ...inboxCases,
  ...leaseCases,
  ...requestCases,
  ...eventCases,
  ...artifactCases,
  ...learnedCases,
  ...memoryCases,
  ...memoryVectorCases,
  ...searchCases,
  ...watchCases,
  ...purgeCases,
  ...dumpCases,
  ...concurrencyCases,
  ...upkeepCases,
  ...[1, 2, 3, 4].map(createRandomCase),
]

/** What a store keeps besides if its data outlives it or is used by several processes. */
export const sharedConformanceCases: readonly SharedConformanceCase[] = [
  ...durabilityCases,
  ...sharedMemoryVectorCases,
  ...sharedConcurrencyCases,
  ...sharedWatchCases,
  ...[5, 6].map(createSharedRandomCase),
]
