import { expect, it } from 'vitest'
import { isQuestion } from './is-question.ts'

it.each([
  'Which port is it?',
  'which port does staging use',
  'Tell me the port.',
  'What is the port of staging.',
  'can you remind me of the date',
  'Do we have tests',
  'Wo steht das',
  '我的猫叫什么',
  '住所は何ですか',
])('asks: %s', (sentence) => {
  expect(isQuestion(sentence)).toBe(true)
})

it.each([
  'The port is 8080.',
  'When we deploy, we tag it.',
  'Will is my brother.',
  'What I want is a short report.',
  '我的猫叫汤圆。',
  '',
])('tells: %s', (sentence) => {
  expect(isQuestion(sentence)).toBe(false)
})
