/** A key of the configuration, name by name. Names may hold dots: `["models", "openai/gpt-4.1", "maxOutput"]`. */
export type KeyPath = readonly string[]

/** One text for each path, for maps. */
export function keyOf(path: KeyPath): string {
  return path.join('\0')
}

/** As people write it: `models["openai/gpt-4.1"].maxOutput`. */
export function showPath(path: KeyPath): string {
  const shown = path.map((name) => (/^[\w/-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)).join('')
  return shown.startsWith('.') ? shown.slice(1) : shown
}

/** undefined: there is nothing. */
export function valueAt(content: unknown, path: KeyPath): unknown {
  let value = content
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
