import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { createProseDocument } from '../../summary/render-document.ts'
import { assistant, user } from '../../testing/build-conversation.ts'
import { ref } from '../../testing/build-entries.ts'
import { driveSession } from '../../testing/drive-session.ts'
import type { DrivenSession } from '../../testing/drive-session.ts'
import { estimateView } from '../view/measure-view.ts'
import { createMoveMeter } from './measure-move.ts'

const words = (tokens: number): string => 'x'.repeat(tokens * 4)
const move = (fromSeq: number, carried: readonly number[] = []) => ({
  fromSeq,
  firstKept: { ...ref(fromSeq), at: 0 },
  carried: carried.map(ref),
  previous: null,
})

function start(): DrivenSession {
  const session = driveSession({ policy: PRESETS.oneclaw, windowTokens: 200_000 })
  for (const message of [user(words(1_000)), assistant(words(1_000)), user(words(1_000))])
    session.append({ type: 'message', ...message })
  return session
}

describe('createMoveMeter', () => {
  it('measures what a move would leave by the yardstick of what there is: nothing moved, nothing gained', () => {
    const session = start()
    const measure = createMoveMeter(session.context())
    expect(measure({ move: move(0), document: null })).toBe(3_002)
    expect(measure({ move: move(2), document: null })).toBe(2_002)
    expect(measure({ move: move(3, [1]), document: null })).toBe(2_002)
  })

  it('counts the summary as it would be sent, system prompt included', () => {
    const session = start()
    const document = createProseDocument(words(500), [])
    const after = createMoveMeter(session.context())({ move: move(3), document })
    expect(after).toBeGreaterThanOrEqual(1_502)
    expect(after).toBeLessThan(1_530)
  })

  it('scales estimates to the bill, so that "strictly smaller" compares like with like', () => {
    const session = start()
    const { anchor } = session.seal()
    session.append({ type: 'message', ...assistant(words(1_000)), usage: { input: 6_004, output: 2_000 }, anchor })
    const measure = createMoveMeter(session.context())
    const before = session.view()
    expect(estimateView(before, { ...session.context(), estimator: 'plain' })).toBe(4_002)
    expect(measure({ move: move(0), document: null })).toBe(8_004)
    expect(measure({ move: move(3), document: null })).toBe(Math.ceil((2_002 * 8_004) / 4_002))
  })

  it('tells that a long summary makes it no smaller', () => {
    const session = start()
    const measure = createMoveMeter(session.context())
    expect(measure({ move: move(2), document: createProseDocument(words(1_001), []) })).toBeGreaterThan(3_002)
  })

  it('changes nothing', () => {
    const session = start()
    const before = session.view()
    createMoveMeter(session.context())({ move: move(3), document: createProseDocument('s', []) })
    expect(session.view()).toEqual(before)
  })
})
