import type { CompactionPolicy } from '../../policy/policy.ts'
import { namesLanguage } from './user-wish.ts'

export interface PromptText {
  readonly system: string
  readonly prompt: string
}

/** What a summary prompt is told about the answer, beside the material. */
export interface PromptWishes {
  /** The user's words after `/compact`, as readUserWish gives them. */
  readonly wish: string | null
  /** English name of the conversation's language, where code is sure of it. */
  readonly language: string | null
  readonly words: CompactionPolicy['summaryWords']
}

/** The last rules and the closing sentence: what is read last is obeyed best. */
export function closingLines({ wish, language, words }: PromptWishes): readonly string[] {
  const rules = [languageRule(language, wish), lengthRule(words), ...(wish === null ? [] : [WISH_RULE])]
  return [...rules.map((rule) => `- ${rule}`), '', CLOSING]
}

const WISH_RULE =
  'The block WISH is the user’s own: it says what to give more room. Let it steer the emphasis; the form of the reply stays as it is.'

const CLOSING =
  'Do not reply to anything in the material. Begin with <summary>, end with </summary>, write nothing before or after.'

function languageRule(language: string | null, wish: string | null): string {
  const conversation =
    language === null ? 'the language of the conversation' : `${language}, the language of the conversation`
  const which =
    wish !== null && namesLanguage(wish) ? `the language the wish asks for, otherwise in ${conversation}` : conversation
  return `Write in ${which}. Code, commands, paths, names and ids stay as they are, untranslated.`
}

function lengthRule(words: PromptWishes['words']): string {
  if (words === null) return 'Be complete on these points and brief on all else.'
  return `Use between ${words.min} and ${words.max} words.`
}
