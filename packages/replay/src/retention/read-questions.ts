import { isRecord } from '@longhaul/engine/advanced'
import type { Question } from './retention.ts'

/** A file of questions: a JSON array, or one object a line, each with `question` and `answer`. Throws where it is neither. */
export function readQuestions(text: string): readonly Question[] {
  const values: readonly unknown[] = text.trimStart().startsWith('[')
    ? (JSON.parse(text) as unknown[])
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line): unknown => JSON.parse(line))
  return values.map((value, place) => {
    if (!isRecord(value) || typeof value['question'] !== 'string' || typeof value['answer'] !== 'string') {
      throw new Error(`Question ${place + 1} needs the texts "question" and "answer".`)
    }
    return { question: value['question'], answer: value['answer'] }
  })
}
