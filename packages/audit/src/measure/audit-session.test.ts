import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { auditSession } from './audit-session.ts'
import { writeSession } from './testing/write-session.ts'
import type { SessionWriter } from './testing/write-session.ts'

const options = { signal: new AbortController().signal }

const FILE = Array.from({ length: 40 }, (_, line) => `export const limit${line} = readLimit('${line}')`).join('\n')

function writeBefore(): SessionWriter {
  return writeSession()
    .says(
      'The tenant code is TC-48213, and the service listens on port 4173. Look at src/billing/limit-table.ts first.',
    )
    .calls('Read', { file_path: '/srv/app/src/billing/limit-table.ts' }, FILE)
    .calls('Bash', { command: 'cat /srv/app/deploy/targets.yaml' }, 'region: eu-north-7\nreplicas: 3\n'.repeat(20))
    .answers('I have read the table of limits.')
}

describe('auditSession', () => {
  it('tells a tenant code that the summary dropped and somebody used again, and the file that was read again', async () => {
    const session = writeBefore()
      .compacts('The service listens on port 4173. Next: the limits in src/billing/limit-table.ts.', 150_000)
      .calls('Read', { file_path: '/srv/app/src/billing/limit-table.ts' }, FILE)
      .answers('The limits of tenant TC-48213 are in the table, and port 4173 stays.')
      .session()
    const { compactions, withLonghaul } = await auditSession(session, options)
    expect(compactions).toHaveLength(1)
    const [compaction] = compactions
    expect(compaction).toMatchObject({ trigger: 'auto', tokensBefore: 150_000, tokensSource: 'recorded' })
    expect(compaction?.lost).toMatchObject([
      { kind: 'code', text: 'TC-48213', saidAt: { message: 1, by: 'user' }, neededAt: { by: 'assistant', message: 9 } },
    ])
    expect(compaction?.lost[0]?.neededAt.excerpt).toContain('The limits of tenant TC-48213')
    expect(compaction?.refetched).toMatchObject([{ path: '/srv/app/src/billing/limit-table.ts', command: null }])
    expect(compaction?.refetched[0]?.tokens).toBeGreaterThan(300)
    expect(compaction?.cost.summaryUsd).toBeGreaterThan(0)
    expect(compaction?.cost.refetchUsd).toBeGreaterThan(0)
    expect(compaction?.costUsd).toBeGreaterThan(0)
    // Half a window was never full, so that Longhaul would have kept everything.
    expect(withLonghaul).toMatchObject({ lost: 0, compactions: 0, refetchedTokensAtMost: 0 })
  })

  it('counts a value that the user had to say again, and one that came back with a file read again', async () => {
    const repeated = writeBefore().compacts('Limits were read.', 150_000).says('As I said: tenant TC-48213.').session()
    const { compactions } = await auditSession(repeated, options)
    expect(compactions[0]?.lost).toMatchObject([{ text: 'TC-48213', neededAt: { by: 'user' } }])
    const refetched = writeBefore()
      .compacts('Limits were read.', 150_000)
      .calls('Grep', { pattern: 'region' }, 'deploy/targets.yaml: region: eu-north-7')
      .calls('Bash', { command: 'cat /srv/app/deploy/targets.yaml' }, 'region: eu-north-7\n'.repeat(30))
      .answers('It goes to eu-north-7 then.')
      .session()
    const again = await auditSession(refetched, options)
    // A search told it first; the model did not have to remember.
    expect(again.compactions[0]?.lost.map(({ text }) => text)).not.toContain('eu-north-7')
    expect(again.compactions[0]?.refetched).toMatchObject([{ path: '/srv/app/deploy/targets.yaml' }])
  })

  it('a password is neither a fact nor in an excerpt, also where the excerpt begins behind its label', async () => {
    const session = writeSession()
      .says(`The password: hunter-2254x ${'and so on '.repeat(7)} for tenant TC-48213.`)
      .answers('Noted.')
      .compacts('Nothing was decided.', 150_000)
      .says('The password: hunter-2254x is for tenant TC-48213.')
      .calls('Bash', { command: `deploy --note ${'x'.repeat(1_980)} --password=hunter-2254x` }, 'done')
      .session()
    const audit = await auditSession(session, options)
    expect(audit.compactions[0]?.lost.map(({ text }) => text)).toEqual(['TC-48213'])
    expect(JSON.stringify(audit)).not.toMatch(/hunter|2254x/)
  })

  it('a file that the agent itself changed in between is read for what is new in it, whatever its tool is called', async () => {
    const session = writeBefore()
      .compacts('Limits were read.', 150_000)
      .calls('modify_file', { path: '/srv/app/src/billing/limit-table.ts', changes: 'limit0 is 3' }, 'done')
      .calls('Read', { file_path: '/srv/app/src/billing/limit-table.ts' }, FILE)
      .session()
    expect((await auditSession(session, options)).compactions[0]?.refetched).toEqual([])
  })

  it('knows a file by its whole path and by a part of it, whatever the tool is called', async () => {
    const session = writeBefore()
      .compacts('Limits were read.', 150_000)
      .calls('view_file', { path: 'src/billing/limit-table.ts' }, FILE)
      .calls('shell', { command: ['bash', '-lc', 'cat deploy/targets.yaml'] }, 'region: eu-north-7\n'.repeat(30))
      .calls('view_file', { path: 'src/billing/limit-table.ts' }, FILE)
      .session()
    const { compactions } = await auditSession(session, options)
    const paths = compactions[0]?.refetched.map(({ path }) => path)
    expect(paths).toEqual(['src/billing/limit-table.ts', 'deploy/targets.yaml'])
  })

  it('does not count a file that the agent changed after the compaction, nor tests that answer otherwise', async () => {
    const session = writeBefore()
      .calls('Bash', { command: 'npm test' }, `41 passed in 1.3 s\n${FILE}`)
      .compacts('The tests passed.', 150_000)
      .calls('Edit', { file_path: '/srv/app/src/billing/limit-table.ts', old_string: 'a', new_string: 'b' }, 'done')
      .calls('Read', { file_path: '/srv/app/src/billing/limit-table.ts' }, FILE)
      .calls('Bash', { command: 'npm test' }, `42 passed in 1.2 s\n${FILE}`)
      .session()
    const { compactions } = await auditSession(session, options)
    expect(compactions[0]?.refetched).toEqual([])
  })

  it('knows no price where nobody does, and measures what no agent wrote down', async () => {
    const session = writeBefore().compacts('Limits were read.', 0).answers('Go on.').session()
    const { model: _, ...told } = session.imported.session
    const entries = session.imported.entries.map((entry) => {
      if (entry.type !== 'message') return entry
      const { usage: _usage, model: _model, ...rest } = entry
      return rest
    })
    const imported = { ...session.imported, session: told, entries }
    const { compactions, windowTokens } = await auditSession({ ...session, imported, recorded: new Map() }, options)
    expect(windowTokens).toBeNull()
    expect(compactions[0]).toMatchObject({
      costUsd: null,
      cost: { summaryUsd: null, refetchUsd: null },
      tokensSource: 'measured',
    })
    expect(compactions[0]?.tokensBefore).toBeGreaterThan(400)
  })

  it('says nothing of a session without a compaction, and takes the word of the user on the window', async () => {
    const audit = await auditSession(writeBefore().session(), { ...options, windowTokens: 90_000 })
    expect(audit).toMatchObject({ compactions: [], withLonghaul: null, windowTokens: 90_000, windowSource: 'told' })
  })
})

const codes = fc.uniqueArray(
  fc.integer({ min: 10_000, max: 99_999 }).map((digits) => `KV-${digits}`),
  { minLength: 2, maxLength: 12 },
)
const runs = { numRuns: 40 }

describe('the same number', () => {
  it.each([
    ['The tenant code is 4471.', 'Tenant 4471 is ready.', ['4471']],
    ['The tenant code is 4471.', 'It listens on port 4471.', []],
    ['The tenant code is 4471.', 'It took 4471 steps.', []],
    ['Invoice 20481337 is open.', 'I paid 20481337.', ['20481337']],
  ])('is told by its words: %s %s', async (said, used, lost) => {
    const session = writeSession().says(said).answers('Noted.').compacts('Go on.', 9_000).answers(used).session()
    const { compactions } = await auditSession(session, options)
    expect(compactions[0]?.lost.map(({ text }) => text)).toEqual(lost)
  })
})

describe('losses', () => {
  const said = (list: readonly string[]): SessionWriter =>
    writeSession()
      .says(`Orders: ${list.join(', ')}.`)
      .answers('Noted.')
  const lostIn = async (writer: SessionWriter): Promise<readonly string[]> => {
    const { compactions } = await auditSession(writer.session(), options)
    return compactions.flatMap(({ lost }) => lost.map(({ text }) => text))
  }

  it('are none where the summary has everything', async () => {
    await fc.assert(
      fc.asyncProperty(codes, async (list) => {
        const writer = said(list)
          .compacts(`Orders so far: ${list.join(' and ')}`, 9_000)
          .answers(`Ship ${list.join(', ')}.`)
        expect(await lostIn(writer)).toEqual([])
      }),
      runs,
    )
  })

  it('are exactly what the summary dropped and somebody used', async () => {
    await fc.assert(
      fc.asyncProperty(codes, fc.integer({ min: 1, max: 11 }), async (list, cut) => {
        const kept = list.slice(0, cut)
        const dropped = list.slice(cut)
        const used = dropped.slice(0, Math.ceil(dropped.length / 2))
        const writer = said(list)
          .compacts(`Orders: ${kept.join(', ')}`, 9_000)
          .answers(`Ship ${[...kept, ...used].join(', ')}.`)
        expect(await lostIn(writer)).toEqual(used)
      }),
      runs,
    )
  })

  it('are never of what nobody uses again, and noise adds none', async () => {
    const noise = fc.array(fc.lorem({ mode: 'sentences', maxCount: 3 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(codes, noise, async (list, sentences) => {
        const writer = said(list).compacts('Orders were taken.', 9_000)
        for (const sentence of sentences) writer.says(sentence).answers('Fine.')
        expect(await lostIn(writer)).toEqual([])
        expect(await lostIn(writer.answers(`Ship ${list[0]}.`))).toEqual([list[0]])
      }),
      runs,
    )
  })
})
