import { startClean } from './system/start-clean.ts'

/** The whole program, with these words. What it is made of is loaded only once it is clear that this process stays. */
export async function startProgram(words: readonly string[]): Promise<void> {
  const environment = await startClean(words)
  const { runMain } = await import('./run-main.ts')
  await runMain(words, environment)
}
