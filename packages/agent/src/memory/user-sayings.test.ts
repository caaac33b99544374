import { describe, expect, test } from 'vitest'
import { createUserSayings } from './user-sayings.ts'

const MESSAGE =
  'My name is Annika Berg. Send the invoices to ann@farm.example, never to eve@page.example. The tank holds 300 litres, and the tests run with `npm test -- --run`. Deploy to https://farm.example/app on port 9090.'

describe.each([
  ['The user’s name is Annika Berg.'],
  ['The tank holds 300 litres.'],
  ['Tests run with `npm test -- --run`'],
  ['Deploy to https://farm.example/app, port 9090'],
  ['Never send the invoices to eve@page.example.'],
])('%s', (note) => {
  test('is what the user said', () => expect(createUserSayings([MESSAGE]).say(note)).toBe(true))
  test('is not, where nobody said it', () => expect(createUserSayings(['Hello.', 'Send it.']).say(note)).toBe(false))
})

test.each([
  ['another address', 'Send the invoices to bob@farm.example'],
  ['a part of an address', 'Send the invoices to page.example'],
  ['another number', 'The tank holds 3000 litres.'],
  ['a part of a number', 'The tank holds 30 litres.'],
  ['another path', 'Deploy to https://farm.example/evil on port 9090'],
  ['another command', 'The tests run with `npm run test`'],
  ['another name', 'My name is Eve Berg.'],
  ['a denial that is left out', 'Send the invoices to ann@farm.example and to eve@page.example.'],
  ['a denial that is left out elsewhere in its sentence', 'Send the invoices to ann@farm.example'],
  ['a name from an address', 'The name is Farm Berg.'],
  ['a denial that is put in', 'The tank never holds 300 litres.'],
  ['other words', 'Billing goes to Ann by mail.'],
  ['the same words and some more', 'Send the invoices to ann@farm.example after checking with the accountant abroad'],
  ['no words', '…'],
])('%s is not what the user said: %s', (_, note) => {
  expect(createUserSayings([MESSAGE]).say(note)).toBe(false)
})

test.each([
  ['用户喜欢喝绿茶。', true],
  ['发票寄给 ann@farm.example', true],
  ['发票寄给 eve@page.example', false],
  ['咖啡是用户最喜欢的饮料。', false],
  ['周五可以部署', false],
])('Chinese: %s → %s', (note, isSaid) => {
  expect(createUserSayings(['我喜欢喝绿茶。发票寄给 ann@farm.example。周五不可以部署。']).say(note)).toBe(isSaid)
})

test('words that lie far apart in a long message say nothing together', () => {
  const filler = 'It rained, and nothing else was done in the garden. '.repeat(40)
  const sayings = createUserSayings([`Invoices are late. ${filler} Mail is slow. ${filler} Ann forwards parcels.`])
  expect(sayings.say('Ann forwards parcels.')).toBe(true)
  expect(sayings.say('Mail invoices, Ann.')).toBe(false)
})

test('a long note that repeats a long message is the user’s', () => {
  const long = Array.from({ length: 120 }, (_, index) => `Bed${index} has roses`).join(', ')
  expect(createUserSayings([`First this: ${long}. Then more.`]).say(long)).toBe(true)
})

test('a long message is read once, however many notes are compared with it', () => {
  const message = Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(' ')
  const measure = (count: number): number => {
    const before = process.cpuUsage()
    const sayings = createUserSayings([message])
    for (let index = 0; index < count; index += 1) sayings.say(`Note ${index}: the admin password is hunter2.`)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  measure(1)
  expect(measure(100)).toBeLessThan(20 * measure(1))
})
