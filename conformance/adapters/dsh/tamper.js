/**
 * Tampering: trying to write to what must not change. Whether a write throws is not compared,
 * only what the session shows afterwards, so every error is swallowed.
 */

/** Write wherever this place can be written to. */
export function tamper(session, given, place) {
  switch (place) {
    case 'meta':
      return attack(given?.meta, new Set())
    case 'seed':
      return attack(given?.seed, new Set())
    case 'header':
      return attack(session.header, new Set())
    case 'events':
      return attackArray(session.events)
    case 'event':
      return session.events.forEach(attackFields)
    case 'data':
      return session.events.forEach((event) => attack(event.data, new Set()))
  }
}

/** Write to an object and to everything inside it. */
function attack(value, visited) {
  if (typeof value !== 'object' || value === null || visited.has(value)) return
  visited.add(value)
  for (const key of Reflect.ownKeys(value)) attack(value[key], visited)
  if (Array.isArray(value)) attackArray(value)
  attackFields(value)
}

function attackFields(object) {
  for (const key of Reflect.ownKeys(object)) attempt(() => (object[key] = 'tampered'))
  attempt(() => (object.tampered = 'tampered'))
  attempt(() => (object.cwd = '/tampered'))
}

function attackArray(array) {
  attempt(() => array.push('tampered'))
  attempt(() => array.splice(0, 1))
  attempt(() => (array[0] = 'tampered'))
}

function attempt(write) {
  try {
    write()
  } catch {
    // Refusing to be written to is one right answer; not changing anything by it is another.
  }
}
