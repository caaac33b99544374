import type { Paint } from '../terminal/paint.ts'

/** What something is drawn on. */
export interface CardOptions {
  readonly width: number
  readonly paint: Paint
}
