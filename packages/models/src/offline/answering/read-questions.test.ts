import { expect, it } from 'vitest'
import { readQuestions } from './read-questions.ts'

const texts = (ask: string): readonly string[] => readQuestions(ask).map(({ text }) => text)

it('finds every question of a message', () => {
  expect(texts('Hi. What is my name and where do I live? By the way, it rains.')).toEqual([
    'What is my name',
    'where do I live?',
  ])
  expect(texts('My name is Anna.')).toEqual([])
  expect(texts('?'.repeat(5_000))).toHaveLength(1)
  expect(texts('What is it? '.repeat(50))).toHaveLength(6)
})

it('knows what kind of answer fits', () => {
  const [when, many, why, what] = readQuestions('When is it? How many are there? Why is that? What is a gate?')
  expect(when?.expects?.test('on Friday')).toBe(true)
  expect(when?.expects?.test('in the kitchen')).toBe(false)
  expect(many?.expects?.test('seven of them')).toBe(true)
  expect(why?.expects?.test('because it rains')).toBe(true)
  expect(what?.expects).toBeNull()
})
