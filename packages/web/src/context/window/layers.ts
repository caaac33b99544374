import type { ContextItem } from '@longhaul/protocol'

/** What the window is drawn as, from its top to its end, and what each layer is to somebody who never heard of it. */
const FILLED = [
  {
    id: 'system',
    name: 'System prompt',
    explanation: 'tells the model how to behave',
    fill: 'bg-kind-system',
    kinds: ['system'],
  },
  {
    id: 'files',
    name: 'Files',
    explanation: 'sent with every request',
    fill: 'bg-kind-file',
    kinds: ['file'],
  },
  {
    id: 'tools',
    name: 'Tools',
    explanation: 'what the model may call',
    fill: 'bg-kind-tools',
    kinds: ['tools'],
  },
  {
    id: 'summary',
    name: 'Summary',
    explanation: 'stands for older messages',
    fill: 'bg-kind-summary',
    kinds: ['summary'],
  },
  {
    id: 'pins',
    name: 'Pins',
    explanation: 'your words, never summarised',
    fill: 'bg-kind-pin',
    kinds: ['pin'],
  },
  {
    id: 'recalled',
    name: 'Brought back',
    explanation: 'lines of older messages, for this request only',
    fill: 'bg-kind-summary',
    kinds: ['recalled'],
  },
  {
    id: 'messages',
    name: 'Messages',
    explanation: 'what you and the model said',
    fill: 'bg-kind-user',
    kinds: ['user', 'assistant'],
  },
  {
    id: 'results',
    name: 'Tool calls and results',
    explanation: 'old ones are shortened first',
    fill: 'bg-kind-tool-result',
    kinds: ['tool-call', 'tool-result'],
  },
] as const

/** Nothing is in them yet. */
const EMPTY = [
  { id: 'free', name: 'Free', explanation: 'room until the next compaction', fill: 'bg-sunken', kinds: [] },
  {
    id: 'reserve',
    name: 'Reserve',
    explanation: 'kept free, past the threshold',
    fill: 'bg-[repeating-linear-gradient(135deg,var(--line-strong)_0_1px,var(--sunken)_1px_6px)]',
    kinds: [],
  },
] as const

/** Those that hold items. */
export type LayerId = (typeof FILLED)[number]['id']
export type AnyLayerId = LayerId | (typeof EMPTY)[number]['id']

export interface LayerInfo {
  readonly id: AnyLayerId
  readonly name: string
  readonly explanation: string
  /** The class that colours it. */
  readonly fill: string
  readonly kinds: readonly ContextItem['kind'][]
}

export const LAYER_IDS: readonly LayerId[] = FILLED.map(({ id }) => id)

const LAYERS = new Map<AnyLayerId, LayerInfo>([...FILLED, ...EMPTY].map((layer) => [layer.id, layer]))
const MESSAGES: LayerInfo = FILLED[5]

export function findLayer(id: AnyLayerId): LayerInfo {
  return LAYERS.get(id) ?? MESSAGES
}

const LAYER_OF = new Map<ContextItem['kind'], LayerId>(
  FILLED.flatMap(({ id, kinds }) => kinds.map((kind) => [kind, id] as const)),
)

/** A kind that this version does not know is shown among the messages rather than not at all. */
export function layerOf(kind: ContextItem['kind']): LayerId {
  return LAYER_OF.get(kind) ?? 'messages'
}
