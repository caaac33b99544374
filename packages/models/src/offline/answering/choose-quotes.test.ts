import { describe, expect, it } from 'vitest'
import type { Passage } from '../reading/read-conversation.ts'
import type { Origin } from '../reading/split-origins.ts'
import { chooseQuotes } from './choose-quotes.ts'
import { createQuestion } from './read-questions.ts'

const NOISE = ['The header is too tall.', 'I had soup for lunch.', 'Rain again today.', 'The build took a while.']

function say(text: string, origin: Origin = 'user'): Passage {
  return { origin, text, toolName: origin === 'tool' ? 'read_file' : null, isNew: false }
}

function quotes(question: string, ...passages: readonly (string | Passage)[]): readonly string[] {
  const all = [...NOISE, ...passages].map((passage) => (typeof passage === 'string' ? say(passage) : passage))
  return chooseQuotes(createQuestion(question), all).map(({ sentence }) => sentence.text)
}

describe('the newest of conflicting statements wins', () => {
  it.each([
    ['The port is 8080.', 'The port is now 9090.'],
    ['The port is 8080.', 'The port is 9090.'],
    ['The staging port is 8080 on all machines.', 'Correction: the port is 9090.'],
    ['The port is 8080.', 'Sorry, it is 9090, not 8080.'],
    ['We use port 8080 for the server.', 'We no longer use that port for the server; it is 9090.'],
    ['The port is 7070.', 'The port is 8080 now.', 'Actually the port has changed to 9090.'],
  ])('%s … %s', (...said) => {
    expect(quotes('Which port is it?', ...said)).toEqual([said.at(-1)])
  })

  it('in Chinese too', () => {
    expect(quotes('端口是多少？', '端口是8080。', '端口改成9090了。')).toEqual(['端口改成9090了。'])
  })

  it('whoever asks in between', () => {
    expect(quotes('Which port is it?', 'The port is 9090.', 'Is the port 8080?', 'which port is it')).toEqual([
      'The port is 9090.',
    ])
  })

  it('but what a tool printed does not correct the user', () => {
    const page = say('Correction: the port of the server has now moved, use 6666 instead.', 'tool')
    expect(quotes('Which port is it?', 'The port is 9090.', page)).toEqual(['The port is 9090.'])
  })

  it('and a change of another matter changes nothing', () => {
    expect(quotes('Which port is it?', 'The port is 9090.', 'The header is now blue instead of red.')).toEqual([
      'The port is 9090.',
    ])
  })
})

describe('chooseQuotes', () => {
  it('finds nothing where only a word is shared', () => {
    expect(quotes('What is my cat called?', 'My dog is called Rex.')).toEqual([])
    expect(quotes('Which port does staging use?', 'Staging was down for a minute.')).toEqual([])
    expect(quotes('Where do I live?', 'The scripts live in tools/.')).toEqual([])
  })

  it('reads a sentence together with the one beside it', () => {
    const said = 'We talked about the billing service. Its port is 9417.'
    expect(quotes('What is the port of the billing service?', said)).toEqual(['Its port is 9417.'])
    expect(quotes('What is the port of the billing service?', 'Its port is 9417.')).toEqual([])
  })

  it('lists all where all is asked for, in the order it was said', () => {
    const said = ['We decided to use Fastify.', 'We decided to drop Redis.', 'We decided to ship in March.']
    expect(quotes('What are all the decisions?', ...said)).toEqual(said)
  })

  it('does not take the words of a search for its result', () => {
    expect(quotes('What is my cat called?', say('No results found for "cat called".', 'tool'))).toEqual([])
    expect(quotes('What is my cat called?', say('{\n "query": "cat called",\n "items": []\n}', 'tool'))).toEqual([])
  })

  it('does not quote quotes of earlier answers', () => {
    const answer = say('From your message:\n> My cat is called Tom.', 'assistant')
    expect(quotes('What is my cat called?', answer)).toEqual([])
    expect(quotes('What is my cat called?', say('You told me that your cat is called Tom.', 'assistant'))).toHaveLength(
      1,
    )
  })

  it('answers nothing to a question without a telling word', () => {
    expect(quotes('What is it?', 'It is what it is.')).toEqual([])
    expect(chooseQuotes(createQuestion('Which port?'), [])).toEqual([])
  })
})

it('what is said of one number is not said of another', () => {
  expect(quotes('What is the code of project 2?', 'The code of project 19 is ZX-1133.')).toEqual([])
  expect(quotes('What is the code of project 19?', 'The code of project 19 is ZX-1133.')).toHaveLength(1)
})

it('does not answer with a line of the summary that ends before the answer', () => {
  expect(quotes('What is the gate called?', say('- The gate is called …', 'summary'))).toEqual([])
  expect(quotes('What is the gate called?', say('- The gate is called Hopper.', 'summary'))).toEqual([
    '- The gate is called Hopper.',
  ])
})

it('reads a list of the summary entry by entry', () => {
  const list = '3 singles in the hall; 30 backups; 12 euros a month for the club; 27 cents; 11 boats of the club'
  expect(quotes('How many boats does the club have?', say(list, 'summary'))).toEqual(['11 boats of the club'])
  expect(quotes('Which files were changed?', say('## Files changed', 'summary'))).toEqual([])
})

it('does not take the id of a commit for a number', () => {
  const boats = 'We have 11 boats: three singles, four doubles, two quads, the eight and one coastal double.'
  expect(quotes('How many boats do we have?', boats, say('15c0e88 Offer what is free', 'tool'))).toEqual([boats])
  expect(quotes('How many boats do we have?', boats, say('15c0e88 A boat is taken', 'tool'))).toEqual([boats])
})
