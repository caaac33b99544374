import type { MemoryFlushPolicy } from '../policy/policy.ts'

export interface FlushPrompt {
  readonly system: string
  readonly prompt: string
}

export interface FlushPromptInput {
  readonly policy: MemoryFlushPolicy
  /** Today in the user's time zone, as YYYY-MM-DD: it names the day's file. */
  readonly date: string
}

/** What the silent turn before a compaction is told. Texts of the policy come first; the date is filled in everywhere. */
export function createFlushPrompt({ policy, date }: FlushPromptInput): FlushPrompt {
  const own = policy.target === 'files' ? askForFiles(policy.silentToken) : askForTool(policy.silentToken)
  const system = fillDate(policy.systemPrompt ?? own.system, date)
  const prompt = fillDate(policy.prompt ?? own.prompt, date)
  return { system, prompt: withSilentHint(prompt, policy.silentToken) }
}

function askForFiles(silentToken: string): FlushPrompt {
  return {
    system: [
      'This conversation is about to be compacted: its older part will be replaced by a summary.',
      'This is a housekeeping turn that the user does not see. Use it to store durable memories now, and for nothing else.',
    ].join('\n'),
    prompt: [
      'Write down what must outlast this conversation: lasting notes that somebody who has forgotten it would need, such as',
      'preferences, decisions and their reasons, key facts, names, paths, open tasks and promises.',
      '',
      '- File: memory/YYYY-MM-DD.md, exactly this name. No variants with a time or a number.',
      '- Append only. Never overwrite, rewrite or delete what the file holds; repeat nothing that it says already.',
      '- Leave every other file as it is, MEMORY.md and instruction files included.',
      '- No passwords, keys or tokens, and nothing that will be untrue tomorrow.',
      '',
      `Answer with exactly ${silentToken} when you are done, or at once if there is nothing to store.`,
    ].join('\n'),
  }
}

function askForTool(silentToken: string): FlushPrompt {
  return {
    system: [
      'This session is near its context limit; after this turn its older part will be compacted.',
      'This is a housekeeping turn that the user does not see. Use it to save memories, and for nothing else.',
    ].join('\n'),
    prompt: [
      'Review the conversation and save its durable context with the save_memory tool: the preferences of the user,',
      'decisions and their reasons, key facts, open tasks, and anything else that should persist.',
      '',
      '- Save nothing that is saved already, no passwords, keys or tokens, and nothing that will be untrue tomorrow.',
      '',
      `Reply with ${silentToken} after saving, or with ${silentToken} alone if nothing needs saving.`,
    ].join('\n'),
  }
}

function fillDate(text: string, date: string): string {
  return text.replaceAll('YYYY-MM-DD', () => date)
}

/** Without the token in the prompt a model answers in prose, and somebody's prompt of their own easily forgets it. */
function withSilentHint(prompt: string, silentToken: string): string {
  if (prompt.toUpperCase().includes(silentToken.toUpperCase())) return prompt
  return `${prompt}\n\nReply with ${silentToken} when you are done, or if there is nothing to store.`
}
