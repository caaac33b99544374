import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

const FAR_UP_PX = -10_000_000
const TIMEOUT_MS = 45_000

/** Turns the wheel again and again while older messages come, until this is in sight. After each time it says so. */
export async function scrollUpTo(chat: Locator, text: string, onScrolled = async () => {}): Promise<void> {
  await chat.hover()
  const scroll = async (): Promise<number> => {
    await chat.page().mouse.wheel(0, FAR_UP_PX)
    await onScrolled()
    return chat.getByText(text).count()
  }
  await expect.poll(scroll, { timeout: TIMEOUT_MS }).toBeGreaterThan(0)
}
