/** The same function, which works each object out once. For functions of what never changes. */
export function remember<K extends object, V extends object>(workOut: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, V>()
  return (object) => {
    const found = known.get(object)
    if (found !== undefined) return found
    const value = workOut(object)
    known.set(object, value)
    return value
  }
}
