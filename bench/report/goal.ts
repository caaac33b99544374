/** What the project promises of itself, and what came out. `isHeld` null: it could not be measured here. */
export interface Goal {
  readonly name: string
  readonly isHeld: boolean | null
  readonly measured: string
}

export function renderGoals(goals: readonly Goal[]): string {
  return goals.map(({ name, isHeld, measured }) => `${signOf(isHeld)} ${name}: ${measured}`).join('\n')
}

function signOf(isHeld: boolean | null): string {
  return isHeld === null ? '–' : isHeld ? '✓' : '✗'
}
