import assert from 'node:assert/strict'
import { createLearnt } from '@longhaul/engine/advanced'
import type { Learnt } from '@longhaul/engine/advanced'
import { START_AT } from '../build-entries.ts'
import { storeCase } from '../conformance-case.ts'

function learntFrom(billed: number): Learnt {
  return {
    ...createLearnt(),
    rests: [{ estimate: 1_000, billed }],
    wholes: [{ estimate: 2_000, billed: billed * 2.5 }],
  }
}

export const learnedCases = [
  storeCase('nothing learnt yet reads as empty values', async ({ store }) => {
    for (const model of ['never-heard-of', '__proto__', 'constructor']) {
      assert.deepEqual(await store.learned.get(model), { calibrations: {}, window: null })
    }
    assert.deepEqual(await store.learned.list(), [])
  }),

  storeCase('what was learnt is kept by model and estimator; the newest counts', async ({ store }) => {
    await store.learned.setCalibration('gpt-x', 'classes', learntFrom(1_100))
    await store.learned.setCalibration('gpt-x', 'plain', learntFrom(900))
    await store.learned.setCalibration('gpt-x', 'classes', learntFrom(1_200))
    await store.learned.setCalibration('a/b:c@d', 'classes', learntFrom(1_300))
    assert.deepEqual(await store.learned.get('gpt-x'), {
      calibrations: { classes: learntFrom(1_200), plain: learntFrom(900) },
      window: null,
    })
    assert.deepEqual((await store.learned.get('a/b:c@d')).calibrations, { classes: learntFrom(1_300) })
  }),

  storeCase(
    'what was learnt of tool calls and numbered lines is kept; what holds none is read as it was',
    async ({ store }) => {
      const more = {
        calls: [{ estimate: 40, billed: 90, frames: 3 }],
        listings: [{ estimate: 900, billed: 950, numberedLines: 70 }],
      }
      await store.learned.setCalibration('old', 'classes', learntFrom(1_100))
      await store.learned.setCalibration('new', 'classes', { ...learntFrom(1_100), ...more })
      assert.deepEqual((await store.learned.get('old')).calibrations, { classes: learntFrom(1_100) })
      assert.deepEqual((await store.learned.get('new')).calibrations, { classes: { ...learntFrom(1_100), ...more } })
    },
  ),

  storeCase('a learnt window is kept beside it and can be forgotten', async ({ store }) => {
    await store.learned.setWindow('gpt-x', { tokens: 128_000, at: START_AT })
    await store.learned.setCalibration('gpt-x', 'classes', learntFrom(1_100))
    await store.learned.setWindow('gpt-x', { tokens: 64_000, at: START_AT + 1 })
    assert.deepEqual(await store.learned.get('gpt-x'), {
      calibrations: { classes: learntFrom(1_100) },
      window: { tokens: 64_000, at: START_AT + 1 },
    })
    await store.learned.setWindow('gpt-x', null)
    await store.learned.setWindow('never-heard-of', null)
    assert.deepEqual(await store.learned.get('gpt-x'), { calibrations: { classes: learntFrom(1_100) }, window: null })
  }),

  storeCase('all models of which something was learnt are listed', async ({ store }) => {
    await store.learned.setWindow('by-window', { tokens: 8_000, at: START_AT })
    await store.learned.setCalibration('by-calibration', 'plain', learntFrom(1_000))
    const listed = await store.learned.list()
    assert.deepEqual(
      listed.toSorted((first, second) => (first.model < second.model ? -1 : 1)),
      [
        { model: 'by-calibration', calibrations: { plain: learntFrom(1_000) }, window: null },
        { model: 'by-window', calibrations: {}, window: { tokens: 8_000, at: START_AT } },
      ],
    )
  }),

  storeCase('estimators learn at the same time without harming each other', async ({ store }) => {
    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) =>
        store.learned.setCalibration('m', `e${index}`, learntFrom(index + 500)),
      ),
      store.learned.setWindow('m', { tokens: 1, at: START_AT }),
    ])
    const { calibrations, window } = await store.learned.get('m')
    assert.equal(Object.keys(calibrations).length, 8)
    assert.equal(window?.tokens, 1)
  }),

  storeCase('a tool is kept as it was when it was last allowed, and is no model', async ({ store }) => {
    const tool = { digest: 'abc', description: 'odd \u0000 half \ud83d', inputSchema: '{"type":"object"}' }
    for (const name of ['never', '__proto__', 'constructor']) assert.equal(await store.learned.getTool(name), null)
    await store.learned.setTool('files_read', { ...tool, digest: 'before' })
    await store.learned.setTool('files_read', tool)
    assert.deepEqual(await store.learned.getTool('files_read'), tool)
    assert.deepEqual(await store.learned.list(), [])
  }),

  storeCase('a key is made once, whoever asks for it at the same time, and is no model', async ({ store }) => {
    const candidates = Array.from({ length: 8 }, (_, index) => `candidate ${index}`)
    const kept = await Promise.all(candidates.map((candidate) => store.learned.keepKey('gateway', candidate)))
    assert.equal(new Set(kept).size, 1)
    assert.ok(candidates.includes(kept[0] as string))
    assert.equal(await store.learned.keepKey('gateway', 'another'), kept[0])
    assert.equal(await store.learned.keepKey('constructor', 'of its own'), 'of its own')
    assert.deepEqual(await store.learned.list(), [])
  }),
]
