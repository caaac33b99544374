import { describe, expect, test } from 'vitest'
import { assistant, call, items, result, tool, user } from '../../testing/build-conversation.ts'
import { extractFacts } from '../extract-facts.ts'

function said(kind: 'url' | 'id' | 'figure', text: string): readonly string[] {
  return extractFacts(items(user(text))).flatMap((fact) => (fact.kind === kind ? [fact.text] : []))
}

describe('collectReferences', () => {
  test.each([
    ['see https://example.com/a?b=1#c.', ['https://example.com/a?b=1#c']],
    ['(http://example.com/x) and [y](https://y.dev/z)', ['http://example.com/x', 'https://y.dev/z']],
    ['https://en.wikipedia.org/wiki/A_(b)', ['https://en.wikipedia.org/wiki/A_(b)']],
    ['it runs on localhost:3000 and 10.0.0.1:8080', ['localhost:3000', '10.0.0.1:8080']],
    ['请看https://example.com/路径。谢谢', ['https://example.com/路径']],
    ['no address: here', []],
  ])('addresses in %j', (text, expected) => {
    expect(said('url', text)).toEqual(expected)
  })

  test.each([
    [
      'commit 934c2bc on 0629d16a1b2c3d4e5f60718293a4b5c6d7e8f901',
      ['934c2bc', '0629d16a1b2c3d4e5f60718293a4b5c6d7e8f901'],
    ],
    ['session 258c7280-ae70-4798-800f-63464d01a85d', ['258c7280-ae70-4798-800f-63464d01a85d']],
    ['fix ABC-123, TEST-7 and #451, see owner/repo#12', ['ABC-123', 'TEST-7', '#451', 'owner/repo#12']],
    ['my user id is mia_li_3668, reservation 4WQ150', ['mia_li_3668', '4WQ150']],
    ['certificate 7504069, write to a.b@example.com', ['7504069', 'a.b@example.com']],
    ['start WP3 and P2-17 as RFC-12 says, room B12 in Q4', ['P2-17', 'RFC-12', 'WP3', 'B12', 'Q4']],
    ['booking K7XQ2M, then H8K2QP and V1X9ZZ', ['K7XQ2M', 'H8K2QP', 'V1X9ZZ']],
    ['HTTP2, SHA256, MP3 on A4 paper, S3, UTF8, IPV4, F5, H1', []],
    ['UTF-8, SHA-256, sha256, base64, ES2022 and v1.2.3', []],
    ['on 2024-05-20 at 12:30', []],
  ])('ids in %j', (text, expected) => {
    expect(said('id', text)).toEqual(expected)
  })

  test('an id has the words beside it', () => {
    const [fact] = extractFacts(items(assistant('Use certificate 7504069 for it.'))).filter(({ kind }) => kind === 'id')
    expect(fact).toMatchObject({ note: 'Use certificate', by: 'assistant' })
  })

  test('a short code a program prints counts once it comes up elsewhere', () => {
    const printed = (id: string, output: string) => [assistant(call(id, 'search', {})), tool(result(id, output))]
    const ids = extractFacts(
      items(...printed('a', 'rows WP1 WP2 WP3 WP4'), ...printed('b', 'only WP2'), assistant('I go on with **WP3**.')),
    ).flatMap(({ kind, text, by }) => (kind === 'id' ? [`${by} ${text}`] : []))
    expect(ids.toSorted()).toEqual(['assistant WP3', 'tool WP2'])
  })

  test('what a long listing calls an id is not lost behind other ids', () => {
    const rows = Array.from({ length: 30 }, (_, index) => `{"hash": "${(index + 1_000_000).toString(16)}a1b2c3"}`)
    const output = [...rows, '{"reservation_id": "K7XQ2M"}'].join('\n')
    const facts = extractFacts(items(assistant(call('a', 'find', {})), tool(result('a', output))))
    expect(facts.map(({ text }) => text)).toContain('K7XQ2M')
  })

  test('a printed listing gives a few ids, and only unmistakable ones', () => {
    const listing = Array.from(
      { length: 500 },
      (_, index) => `${(index + 1_000_000).toString(16)}a1b2c3 #333 bg-gray-800`,
    ).join('\n')
    const facts = extractFacts(
      items(assistant(call('a', 'bash', { command: 'find .git' })), tool(result('a', listing))),
    )
    expect(facts.filter(({ kind }) => kind === 'id')).toHaveLength(20)
  })
})

describe('collectFigures', () => {
  test.each([
    ['set the timeout to 30 s', ['30 s']],
    ['it costs $12.50, 3 of 17 failed, 45% done', ['$12.50', '3 of 17 failed', '45%']],
    ['upgrade to v1.2.3 by May 20th, 2024 or 2024-06-01', ['v1.2.3', 'May 20th, 2024', '2024-06-01']],
    ['AgentSession has 885 lines and 12 tests', ['885 lines', '12 tests']],
    ['port 8080, retries: 5', ['port 8080', 'retries: 5']],
    ['蒸10分钟左右', ['10分钟左右']],
    ['use left-pad@1.3.0, @scope/core@2.0.0-beta.1 and actions/checkout@v4.1.2', ['1.3.0', '2.0.0-beta.1', 'v4.1.2']],
    ['log in as root@10.0.0.5, deploy@10.0.10.25 or a.b@4.example.com', []],
    ['1. first\n2. second\nsee line 42 and step 3', []],
  ])('figures in %j', (text, expected) => {
    expect(said('figure', text)).toEqual(expected)
  })

  test('its words come along', () => {
    const [fact] = extractFacts(items(assistant('The **AgentSession** (885 lines) is done.'))).filter(
      ({ kind }) => kind === 'figure',
    )
    expect(fact).toMatchObject({ text: '885 lines', note: 'The AgentSession (885 lines' })
  })

  test('a version keeps the name it is of, and packages of one version are one figure', () => {
    const [written] = extractFacts(items(assistant('I pinned left-pad@1.3.0 for now.'))).filter(
      ({ kind }) => kind === 'figure',
    )
    expect(written).toMatchObject({ text: '1.3.0', note: 'I pinned left-pad@1.3.0 for now' })
    const output = '> @app/core@0.4.2 check\n\n> @app/web@0.4.2 check\n'
    const check = (id: string) => [assistant(call(id, 'bash', { command: 'npm run check' })), tool(result(id, output))]
    const printed = extractFacts(items(...check('a'), ...check('b'))).filter(({ kind }) => kind === 'figure')
    expect(printed).toMatchObject([{ text: '0.4.2', note: '> @app/web@0.4.2 check', by: 'tool', count: 2 }])
  })

  test('days in the input of a tool count, with the name they stand under', () => {
    const input = { trip: { departure_date: '2024-05-15' }, dates: ['2024-05-20T10:30'] }
    const [departure, second] = extractFacts(items(assistant(call('a', 'book', input)))).filter(
      ({ kind }) => kind === 'figure',
    )
    expect(departure).toMatchObject({ text: '2024-05-15', note: 'departure_date: 2024-05-15', by: 'assistant' })
    expect(second).toMatchObject({ text: '2024-05-20T10:30', by: 'assistant' })
  })

  test('days a program printed count once they come up elsewhere', () => {
    const span = items(
      assistant(call('a', 'find', {})),
      tool(result('a', '{"from": "2024-05-15", "to": "2024-06-01"}')),
      user('Take the one on 2024-05-15.'),
    )
    const dates = extractFacts(span).flatMap(({ kind, text, by }) => (kind === 'figure' ? [`${by} ${text}`] : []))
    expect(dates).toEqual(['user 2024-05-15'])
  })

  test('of what a command printed, the lines that sum up', () => {
    const output = `const x = 3 files;\n${'line 1 of a log\n'.repeat(50)}Tests  12 passed (12)\nDuration 340ms`
    const facts = extractFacts(items(assistant(call('a', 'bash', { command: 'npm test' })), tool(result('a', output))))
    expect(facts.flatMap(({ kind, text, note }) => (kind === 'figure' ? [[text, note]] : []))).toEqual([
      ['12 passed', 'Tests 12 passed (12)'],
      ['340ms', 'Duration 340ms'],
    ])
  })
})
