import { joinClasses } from './join-classes.ts'

/** Strokes on a 24 × 24 grid. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  attach: 'm20 11.5-8.2 8.2a5.3 5.3 0 0 1-7.5-7.5l8.5-8.5a3.5 3.5 0 0 1 5 5l-8.5 8.5a1.8 1.8 0 0 1-2.5-2.5l7.8-7.8',
  back: 'M19 12H5m6-6-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  'chevron-down': 'm6 9 6 6 6-6',
  'chevron-right': 'm9 6 6 6-6 6',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  download: 'M12 4v11m-5-4.5 5 5 5-5M5 20h14',
  dots: 'M5.8 12a.8.8 0 1 1-1.6 0 .8.8 0 0 1 1.6 0zm7 0a.8.8 0 1 1-1.6 0 .8.8 0 0 1 1.6 0zm7 0a.8.8 0 1 1-1.6 0 .8.8 0 0 1 1.6 0z',
  down: 'M12 5v14m-6-6 6 6 6-6',
  eye: 'M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  layers: 'm12 3 9 5-9 5-9-5zM3 12.5l9 5 9-5M3 16.5l9 5 9-5',
  memory: 'M6 3h12v18l-6-4-6 4z',
  menu: 'M4 7h16M4 12h16M4 17h10',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  pencil: 'm4 20 1-4L16 5l3 3L8 19zM14 7l3 3',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v6',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5.2 12.2L21 21',
  send: 'M12 19V5m-6 6 6-6 6 6',
  settings: 'M4 7h9m4 0h3M15 4.5v5M4 17h3m4 0h9M9 14.5v5',
  spark: 'M12 3v5m0 8v5M3 12h5m8 0h5M6 6l2.5 2.5M15.5 15.5 18 18M18 6l-2.5 2.5M8.5 15.5 6 18',
  stop: 'M7 7h10v10H7z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0-6v2m0 16v2M2 12h2m16 0h2M5 5l1.5 1.5m11 11L19 19M19 5l-1.5 1.5m-11 11L5 19',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  undo: 'M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  upload: 'M12 20V9m-5 4.5 5-5 5 5M5 4h14',
  warning: 'M12 4 2.8 20h18.4zM12 10v5m0 2.5v.01',
  wrench: 'M14.5 6.5a4.5 4.5 0 0 1 5.3-2.3L17 7l.7 2.3L20 10l2.7-2.8a4.5 4.5 0 0 1-6.2 5.3L9 20a2.1 2.1 0 0 1-3-3z',
} as const

export type IconName = keyof typeof PATHS

/** For the eye only: whatever carries it has a name of its own. */
export function Icon({ name, className }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={joinClasses('size-[1.125rem] shrink-0', className)}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
