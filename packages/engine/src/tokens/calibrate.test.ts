import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../testing/deep-freeze.ts'
import { createLearnt, learnFromBill, toCalibration } from './calibrate.ts'
import type { BillObservation, Learnt } from './calibrate.ts'
import { UNCALIBRATED } from './meter.ts'
import type { Calibration } from './meter.ts'

const UNKNOWN = { source: 'unknown', tokens: null, reportedTokens: 0 } as const

/** A bill for what came after an earlier one. */
function rest(estimate: number, billed: number, reportedTokens = 50_000): BillObservation {
  return {
    reading: { source: 'reported', tokens: reportedTokens + estimate, reportedTokens },
    lesson: { rest: { tokens: estimate, frames: 0, numberedLines: 0 }, answer: null },
    usage: { input: reportedTokens + billed },
  }
}

/** A bill for a request that no earlier one covers. */
function whole(estimate: number, billed: number): BillObservation {
  return {
    reading: { source: 'estimated', tokens: estimate, reportedTokens: 0 },
    lesson: { rest: { tokens: estimate, frames: 0, numberedLines: 0 }, answer: null },
    usage: { input: billed },
  }
}

/** The next bill shows nothing but what an answer was billed for. */
function answer(tokens: number, billed: number, frames = 2): BillObservation {
  const bill = rest(100, 100)
  return { ...bill, lesson: { ...bill.lesson, answer: { tokens, frames, numberedLines: 0, billed } } }
}

/** Calls whose own bill could not be believed, with their results. */
function restWithCalls(estimate: number, billed: number, frames: number): BillObservation {
  return { ...rest(estimate, billed), lesson: { rest: { tokens: estimate, frames, numberedLines: 0 }, answer: null } }
}

/** A file with numbers before its lines. */
function listing(estimate: number, billed: number, numberedLines: number): BillObservation {
  return { ...rest(estimate, billed), lesson: { rest: { tokens: estimate, frames: 0, numberedLines }, answer: null } }
}

function learn(bills: readonly BillObservation[], learnt: Learnt = createLearnt()): Learnt {
  return bills.reduce(learnFromBill, learnt)
}

function calibrate(bills: readonly BillObservation[]): Calibration {
  return toCalibration(learn(bills))
}

/** The same every time, between -1 and 1. */
function noise(index: number): number {
  return Math.sin(index * 12.9898) * Math.cos(index * 78.233)
}

describe('toCalibration', () => {
  it('LH-01 trusts the estimate while nothing was billed', () => {
    expect(calibrate([])).toStrictEqual(UNCALIBRATED)
  })

  it('LH-01 finds ratio and overhead of a model within eight noisy bills', () => {
    const bills = Array.from({ length: 7 }, (_, index) => {
      const estimate = 300 + index * 700
      return rest(estimate, Math.round(estimate * 1.4 * (1 + noise(index) * 0.15)))
    })
    const { ratio, overheadTokens } = calibrate([whole(2_000, 2_000 * 1.4 + 600), ...bills])
    expect(ratio).toBeGreaterThan(1.4 * 0.93)
    expect(ratio).toBeLessThan(1.4 * 1.07)
    expect(Math.abs(overheadTokens - 600)).toBeLessThan(2_000 * 1.4 * 0.07)
  })

  it('LH-01 is helped by the first bill and does not overshoot', () => {
    expect(calibrate([rest(300, 450)]).ratio).toBeGreaterThan(1.1)
    expect(calibrate([rest(300, 450)]).ratio).toBeLessThan(1.5)
    expect(calibrate([rest(30_000, 24_000)]).ratio).toBeLessThan(0.85)
    expect(calibrate([rest(30_000, 24_000)]).ratio).toBeGreaterThan(0.8)
  })

  it('LH-01 sees in a small first request what the model adds', () => {
    const { ratio, overheadTokens } = calibrate([whole(20, 25_880)])
    expect(ratio).toBe(1)
    expect(Math.abs(overheadTokens - 25_860)).toBeLessThan(10)
  })

  it('LH-01 takes what a large first request was over its estimate for the ratio, not for overhead', () => {
    const { ratio, overheadTokens } = calibrate([whole(80_000, 100_000)])
    expect(ratio).toBeGreaterThan(1.15)
    expect(overheadTokens).toBeLessThan(2_000)
  })

  it('LH-01 corrects the overhead once the ratio is known', () => {
    const first = whole(10_000, 13_000)
    expect(calibrate([first]).overheadTokens).toBeGreaterThan(2_000)
    const { overheadTokens } = calibrate([first, ...Array.from({ length: 8 }, () => rest(2_000, 2_600))])
    expect(overheadTokens).toBeLessThan(300)
  })

  it('LH-01 lowers the ratio where whole requests are billed below their estimate, and never goes below no overhead', () => {
    const { ratio, overheadTokens } = calibrate(Array.from({ length: 4 }, () => whole(12_000, 9_000)))
    expect(overheadTokens).toBe(0)
    expect(ratio).toBeLessThan(0.8)
  })

  it('LH-01 takes out of a whole request what bills of its answers cover', () => {
    const { reading, ...bill } = whole(20, 25_880)
    const covered = { ...bill, reading: { ...reading, reportedTokens: 20_000 } }
    expect(Math.abs(calibrate([covered as BillObservation]).overheadTokens - 5_860)).toBeLessThan(10)
  })

  it('LH-01 finds what a model adds to a tool call and each of its arguments from the bills of its answers', () => {
    const rests = Array.from({ length: 8 }, () => rest(1_000, 1_200))
    const answers = Array.from({ length: 12 }, (_, index) => {
      const [estimate, frames] = [30 + index * 20, 2 + (index % 4)]
      return answer(estimate, Math.round(estimate * 1.2 * (1 + noise(index) * 0.05)) + 14 * frames, frames)
    })
    const { ratio, frameTokens } = calibrate([...rests, ...answers])
    expect(Math.abs(frameTokens - 14)).toBeLessThan(2)
    expect(ratio).toBe(calibrate(rests).ratio)
  })

  it('LH-01 tells calls from text where both are billed together', () => {
    const mixed = Array.from({ length: 16 }, (_, index) => {
      const estimate = index % 2 === 0 ? 60 + index * 10 : 1_500 + index * 200
      return restWithCalls(estimate, Math.round(estimate * 1.2) + 14 * 6, 6)
    })
    const { ratio, frameTokens } = calibrate(mixed)
    expect(Math.abs(frameTokens - 14)).toBeLessThan(3)
    expect(Math.abs(ratio - 1.2)).toBeLessThan(0.03)
  })

  it('LH-01 adds nothing to a call that is billed below its estimate, and never more than 30 to it and each argument', () => {
    expect(calibrate(Array.from({ length: 9 }, () => answer(60, 40))).frameTokens).toBe(0)
    expect(calibrate(Array.from({ length: 9 }, () => answer(60, 470))).frameTokens).toBe(30)
  })

  it('LH-01 tells the numbers of lines from the text, so that a file read does not spoil what commands taught', () => {
    const outputs = Array.from({ length: 6 }, (_, index) =>
      rest(500 + index * 90, Math.round((500 + index * 90) * 1.22)),
    )
    const files = Array.from({ length: 12 }, (_, index) => {
      const lines = 40 + index * 90
      return listing(lines * 13, Math.round(lines * 13 * 1.22 * (1 + noise(index) * 0.02) - lines * 2), lines)
    })
    const { ratio, lineTokens } = calibrate([...outputs, ...files])
    expect(ratio).toBe(calibrate(outputs).ratio)
    expect(Math.abs(ratio - 1.22)).toBeLessThan(0.02)
    expect(Math.abs(lineTokens + 2)).toBeLessThan(0.3)
  })

  it('LH-01 is moved most of the way by the first long file', () => {
    const outputs = Array.from({ length: 6 }, () => rest(900, 1_098))
    const { lineTokens } = calibrate([...outputs, listing(18_000, 18_900, 1_400)])
    expect(lineTokens).toBeLessThan(-1.2)
    expect(lineTokens).toBeGreaterThan(-2.2)
  })

  it('LH-01 takes everything for the ratio while nothing but numbered lines was billed', () => {
    const files = Array.from({ length: 8 }, () => listing(5_000, 5_400, 380))
    const { ratio, lineTokens } = calibrate(files)
    expect(Math.abs(ratio - 1.08)).toBeLessThan(0.01)
    expect(lineTokens).toBe(0)
  })

  it('LH-01 takes a few numbered lines in much text for text', () => {
    const bill = listing(2_000, 2_400, 20)
    expect(calibrate([bill, bill])).toStrictEqual(calibrate([rest(2_000, 2_400), rest(2_000, 2_400)]))
  })

  it('LH-01 does not forget what text teaches over many files', () => {
    const outputs = Array.from({ length: 6 }, () => rest(900, 1_098))
    const files = Array.from({ length: 100 }, () => listing(5_000, 5_340, 380))
    expect(calibrate([...outputs, ...files]).ratio).toBe(calibrate(outputs).ratio)
  })

  it('LH-01 is not moved by answers of which only the beginning was counted', () => {
    const complete = Array.from({ length: 12 }, (_, index) => answer(40 + index, 40 + index + 30))
    const cut = [answer(45, 25), answer(300, 2), answer(80, 1), answer(50, 900), answer(40, 25)]
    expect(Math.abs(calibrate([...complete, ...cut]).frameTokens - 15)).toBeLessThan(2)
  })

  it('LH-01 starts anew where calls were counted without their arguments', () => {
    const stored =
      '{"estimatorVersion":1,"rests":[{"estimate":1000,"billed":1300}],"wholes":[],"calls":[{"estimate":40,"billed":90,"toolCalls":1}]}'
    const old = JSON.parse(stored) as Learnt
    expect(toCalibration(old)).toStrictEqual(UNCALIBRATED)
    expect(learn([rest(1_000, 1_320)], old)).toStrictEqual(learn([rest(1_000, 1_320)]))
  })

  it('LH-01 is not moved by stray bills', () => {
    const steady = Array.from({ length: 24 }, (_, index) => rest(800, Math.round(960 * (1 + noise(index) * 0.05))))
    const stray = [rest(300, 2_300), rest(5_000, 38_000), rest(400, 6_000), rest(4_000, 700), rest(900, -40)]
    const before = calibrate([whole(100, 700), ...steady])
    const after = calibrate([whole(100, 700), ...steady, ...stray])
    expect(Math.abs(after.ratio / before.ratio - 1)).toBeLessThan(0.02)
    expect(Math.abs(after.overheadTokens - before.overheadTokens)).toBeLessThan(10)
  })

  it('LH-01 follows a model that changes', () => {
    const old = Array.from({ length: 100 }, () => rest(1_000, 1_000))
    const { ratio } = calibrate([...old, ...Array.from({ length: 32 }, () => rest(1_000, 1_420))])
    expect(ratio).toBeGreaterThan(1.4)
  })

  it('LH-01 is the same object while nothing new is learnt, so that views stay measured', () => {
    const learnt = learn([whole(300, 900), rest(1_000, 1_300)])
    expect(toCalibration(learn([rest(1_000, 0)], learnt))).toBe(toCalibration(learnt))
  })

  it('LH-01 starts anew with another estimator', () => {
    const old = { ...learn([whole(20, 25_880), rest(2_000, 3_000)]), estimatorVersion: -1 }
    expect(toCalibration(old)).toStrictEqual(UNCALIBRATED)
    expect(learn([whole(20, 520)], old)).toStrictEqual(learn([whole(20, 520)]))
  })
})

describe('learnFromBill', () => {
  it.each([
    ['nothing', rest(1_000, 0, 0)],
    ['less than nothing', { ...rest(1_000, 1_200), usage: { input: -5 } }],
    ['no number', { ...rest(1_000, 1_200), usage: { input: Number.NaN } }],
    ['no end', { ...whole(1_000, 1_200), usage: { input: Infinity } }],
    ['less than was billed before', rest(1_000, -200)],
    ['too little to tell', rest(199, 400)],
    ['far too much', rest(1_000, 30_000)],
    ['an estimate that is no number', whole(Number.NaN, 1_200)],
    ['an answer without calls', answer(1_000, 1_200, 0)],
    ['an answer far from what it visibly holds', answer(1_000, 9_000)],
    ['calls that are no number', answer(Number.NaN, 90)],
    ['numbered lines that are billed far too high', listing(1_000, 30_000, 80)],
    ['a request without its system prompt and tools', { ...whole(1_000, 1_200), reading: UNKNOWN }],
  ])('LH-01 learns nothing from %s', (_, bill) => {
    const learnt = learn([whole(300, 900), rest(1_000, 1_300)])
    expect(learn([bill], learnt)).toStrictEqual(learnt)
  })

  it('LH-01 keeps the newest bills only', () => {
    const learnt = learn(
      Array.from({ length: 500 }, (_, index) => [
        rest(1_000, 1_000 + index),
        whole(500, 900),
        answer(50, 90 + (index % 9)),
        listing(1_000, 1_000 + index, 80),
      ]).flat(),
    )
    expect(learnt.calls).toHaveLength(32)
    expect(learnt.listings).toHaveLength(32)
    expect(learnt.rests).toHaveLength(32)
    expect(learnt.rests.at(-1)).toStrictEqual({ estimate: 1_000, billed: 1_499 })
    expect(JSON.stringify(learnt).length).toBeLessThan(8_000)
  })
})

const anyNumber = fc.oneof(fc.integer({ min: -1_000, max: 300_000 }), fc.double())
const anyBill: fc.Arbitrary<BillObservation> = fc.record({
  reading: fc.oneof(
    fc.constant(UNKNOWN),
    fc.record({
      source: fc.constantFrom('reported', 'estimated'),
      tokens: fc.nat(200_000),
      reportedTokens: fc.nat(200_000),
    }),
  ),
  lesson: fc.record({
    rest: fc.record({ tokens: anyNumber, frames: fc.nat(9), numberedLines: fc.nat(9_000) }),
    answer: fc.option(
      fc.record({ tokens: anyNumber, frames: fc.nat(9), numberedLines: fc.nat(900), billed: anyNumber }),
    ),
  }),
  usage: fc.record({ input: anyNumber }),
})

describe('any bills', () => {
  it('LH-01 give values within their bounds, the same after a restart', () => {
    fc.assert(
      fc.property(fc.array(anyBill, { maxLength: 60 }), (bills) => {
        const learnt = deepFreeze(learn(deepFreeze(bills)))
        const calibration = toCalibration(learnt)
        const { ratio, frameTokens, lineTokens, overheadTokens } = calibration
        expect(frameTokens >= 0 && frameTokens <= 30).toBe(true)
        expect(Math.abs(lineTokens)).toBeLessThanOrEqual(4)
        expect(ratio).toBeGreaterThanOrEqual(0.3)
        expect(ratio).toBeLessThanOrEqual(4)
        expect(Number.isInteger(overheadTokens) && overheadTokens >= 0).toBe(true)
        expect(toCalibration(JSON.parse(JSON.stringify(learnt)) as Learnt)).toStrictEqual(calibration)
      }),
    )
  })

  it('LH-01 of an exact model are foreseen within 3 % after a first request and ten more', () => {
    const model = fc.record({ ratio: fc.double({ min: 0.5, max: 3, noNaN: true }), overhead: fc.nat(30_000) })
    const sizes = fc.array(fc.integer({ min: 400, max: 20_000 }), { minLength: 10, maxLength: 40 })
    fc.assert(
      fc.property(model, fc.integer({ min: 50, max: 3_000 }), sizes, (truth, first, rests) => {
        const bill = (estimate: number): number => Math.round(estimate * truth.ratio)
        const { ratio, overheadTokens } = calibrate([
          whole(first, bill(first) + truth.overhead),
          ...rests.map((estimate) => rest(estimate, bill(estimate))),
        ])
        const billed = bill(30_000) + truth.overhead
        expect(Math.abs(30_000 * ratio + overheadTokens - billed) / billed).toBeLessThan(0.03)
      }),
    )
  })
})
