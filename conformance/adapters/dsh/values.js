/**
 * Values: JSON on the wire, JavaScript inside, and the values that JSON cannot carry.
 */

const TAG = '$hostile'

class Instance {
  x = 1
}

function cycle() {
  const object = {}
  object.self = object
  return object
}

/** Each kind of hostile value, made anew each time. */
const HOSTILE = {
  undefined: () => undefined,
  nan: () => NaN,
  infinity: () => Infinity,
  'negative-zero': () => -0,
  bigint: () => 1n,
  function: () => () => {},
  symbol: () => Symbol('hostile'),
  // eslint-disable-next-line no-sparse-arrays
  'sparse-array': () => [1, , 3],
  cycle,
  date: () => new Date(0),
  map: () => new Map(),
  'class-instance': () => new Instance(),
  'symbol-key': () => ({ [Symbol('hostile')]: 1 }),
  'hidden-key': () => Object.defineProperty({}, 'hidden', { value: 1, enumerable: false }),
}

export const HOSTILE_KINDS = Object.keys(HOSTILE)

/** The hostile kind that a value from the wire is tagged with, if it is tagged. */
export function taggedKind(wire) {
  return isObject(wire) && Object.hasOwn(wire, TAG) ? wire[TAG] : undefined
}

/** Make a value from its form on the wire. Each call makes new objects: a caller may write to them. */
export function decode(wire) {
  if (!isObject(wire)) return wire
  if (Array.isArray(wire)) return wire.map(decode)
  const kind = taggedKind(wire)
  return kind === undefined ? mapEntries(wire, decode) : HOSTILE[kind]()
}

/** Put a value that DSH shows into its form on the wire, hiding nothing that JSON would lose. */
export function encode(value, ancestors = []) {
  const kind = hostileKind(value, ancestors)
  if (kind !== undefined) return { [TAG]: kind }
  if (!isObject(value)) return value
  const inner = (item) => encode(item, [...ancestors, value])
  return Array.isArray(value) ? value.map(inner) : mapEntries(value, inner)
}

function hostileKind(value, ancestors) {
  switch (typeof value) {
    case 'number':
      return hostileNumber(value)
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      return typeof value
    case 'object':
      return value === null ? undefined : hostileObject(value, ancestors)
    default:
      return undefined
  }
}

function hostileNumber(value) {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return 'infinity'
  return Object.is(value, -0) ? 'negative-zero' : undefined
}

function hostileObject(value, ancestors) {
  if (ancestors.includes(value)) return 'cycle'
  if (value instanceof Date) return 'date'
  if (value instanceof Map) return 'map'
  if (Array.isArray(value)) return Object.keys(value).length === value.length ? undefined : 'sparse-array'
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return 'class-instance'
  if (Object.getOwnPropertySymbols(value).length > 0) return 'symbol-key'
  const hidden = Object.getOwnPropertyNames(value).length !== Object.keys(value).length
  return hidden ? 'hidden-key' : undefined
}

/** Rebuild an object entry by entry; an entry named `__proto__` stays an entry. */
function mapEntries(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, change(item)]))
}

function isObject(value) {
  return typeof value === 'object' && value !== null
}
