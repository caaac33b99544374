/**
 * Whether two values of a host are the same plain data. Where it is not plain, such as bytes or an object of a class, only
 * the very same value is: nobody here knows what else it holds.
 */
export function isSameData(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (depth === MAX_DEPTH) return false
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((element, index) => isSameData(element, other[index], depth + 1))
  }
  if (!isPlain(one) || !isPlain(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSameData(one[key], other[key], depth + 1))
}

/** Deeper data, which may even contain itself, is read anew. */
const MAX_DEPTH = 30

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
