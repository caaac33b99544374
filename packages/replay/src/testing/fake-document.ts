/** As much of a browser's document as the page's script touches: it keeps what was drawn, as names and texts. */
export interface FakeNode {
  readonly name: string
  readonly attributes: Map<string, string>
  readonly children: (FakeNode | string)[]
  textContent: string
  append(...children: readonly (FakeNode | string)[]): void
  replaceChildren(...children: readonly (FakeNode | string)[]): void
  setAttribute(key: string, value: unknown): void
  addEventListener(): void
}

export function createFakeDocument(data: string) {
  const known = new Map([
    ['data', createNode('script', data)],
    ['page', createNode('main')],
  ])
  return {
    page: known.get('page') as FakeNode,
    document: {
      getElementById: (id: string) => known.get(id),
      createElement: (name: string) => createNode(name),
      createElementNS: (_: string, name: string) => createNode(name),
    },
  }
}

/** All nodes of a name, however deep. */
export function findNodes(node: FakeNode, name: string): readonly FakeNode[] {
  return node.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...findNodes(child, name)],
  )
}

function createNode(name: string, text = ''): FakeNode {
  const children: (FakeNode | string)[] = []
  const attributes = new Map<string, string>()
  return {
    name,
    attributes,
    children,
    textContent: text,
    append: (...more) => void children.push(...more),
    replaceChildren: (...more) => void children.splice(0, children.length, ...more),
    setAttribute: (key, value) => void attributes.set(key, String(value)),
    addEventListener: () => {},
  }
}
