import { test } from 'vitest'

/** Declares a test that this machine cannot run; the end of the report lists it with the reason. */
export function leaveOut(title: string, reason: string): void {
  test(title, ({ skip }) => skip(reason))
}
