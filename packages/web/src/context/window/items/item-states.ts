import type { ContextItem } from '@longhaul/protocol'

export interface StateInfo {
  readonly sign: string
  readonly name: string
  readonly explanation: string
  /** Nothing was taken away. */
  readonly isQuiet: boolean
}

/** In which form an item is sent. The original stays in the transcript whatever the form. */
export const ITEM_STATES: Readonly<Record<ContextItem['state'], StateInfo>> = {
  verbatim: { sign: '≡', name: 'verbatim', explanation: 'Sent word for word.', isQuiet: true },
  'soft-trimmed': {
    sign: '✂',
    name: 'trimmed',
    explanation: 'Sent shortened: its beginning and its end. The original is kept.',
    isQuiet: false,
  },
  cleared: {
    sign: '∅',
    name: 'cleared',
    explanation: 'Only a placeholder is sent. The original is kept.',
    isQuiet: false,
  },
  summarised: {
    sign: 'Σ',
    name: 'summary',
    explanation: 'Stands for older messages. The originals are kept.',
    isQuiet: true,
  },
  'left-out': {
    sign: '–',
    name: 'left out',
    explanation: 'Not sent: there was no room for it. The original is kept.',
    isQuiet: false,
  },
}
