import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { NOT_IN_CONTEXT } from './own-words.ts'
import { askOffline } from './testing/ask-offline.ts'
import { assistant, user } from './testing/build-prompt.ts'
import { SMALL_TALK, THIRTY_FACTS } from './testing/thirty-facts.ts'
import type { SaidFact } from './testing/thirty-facts.ts'

describe('30 facts said in a conversation', () => {
  it('are thirty', () => {
    expect(THIRTY_FACTS).toHaveLength(30)
  })

  it.each(THIRTY_FACTS)('30 facts: "$question" is answered while it is in context', async (fact) => {
    const { text } = await askOffline({ prompt: [...converse(THIRTY_FACTS), user(fact.question)] })
    expect(text).toContain(fact.answer)
    expect(text).not.toContain(NOT_IN_CONTEXT)
    if (fact.outdated !== undefined) expect(text).not.toContain(fact.outdated)
  })

  it.each(THIRTY_FACTS)('30 facts: "$question" is not in context once it is dropped', async (fact) => {
    const others = THIRTY_FACTS.filter((other) => other !== fact)
    for (const prompt of [converse(others), converse([])]) {
      const { text } = await askOffline({ prompt: [...prompt, user(fact.question)] })
      expect(text).toContain(NOT_IN_CONTEXT)
      expect(text).not.toContain(fact.answer)
    }
  })

  it('30 facts: asked twice, the question and the first answer are no evidence', async () => {
    const [fact] = THIRTY_FACTS as readonly [SaidFact]
    const first = await askOffline({ prompt: [...converse(THIRTY_FACTS), user(fact.question)] })
    expect(first.text).toContain(fact.answer)
    const prompt = [...converse([]), user(fact.question), assistant(first.text), user(fact.question)]
    expect((await askOffline({ prompt })).text).toContain(NOT_IN_CONTEXT)
  })

  it('30 facts: a summary and a tool result hold them as well', async () => {
    for (const fact of THIRTY_FACTS) {
      const said = fact.said.map((line) => `- ${line}`).join('\n')
      const summary = user(
        `[Summary of the conversation so far. The messages it covers are not shown.]\n\n## Facts\n${said}`,
        'Go on, please.',
      )
      const { text } = await askOffline({ prompt: [summary, assistant('Fine.'), user(fact.question)] })
      expect(text).toContain(fact.answer)
      expect(text).toContain('From the summary:')
    }
  })
})

/** Each fact in a message of its own, among others; corrections come later. */
function converse(facts: readonly SaidFact[]): LanguageModelV4Prompt {
  const first = facts.map(({ said }, index) => `${said[0]} ${talkAt(index)}`)
  const later = facts.flatMap(({ said }) => said.slice(1)).map((line, index) => `${line} ${talkAt(index + 7)}`)
  const lines = [...first, ...SMALL_TALK, ...later]
  return [
    { role: 'system', content: 'You are a helpful assistant.' },
    ...lines.flatMap((line) => [user(line), assistant('All right.')]),
  ]
}

function talkAt(index: number): string {
  return SMALL_TALK[index % SMALL_TALK.length] ?? ''
}
