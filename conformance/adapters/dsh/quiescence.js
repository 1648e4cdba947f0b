/**
 * Quiescence: knowing that nothing which was started can still go on by itself.
 *
 * Two things carry DSH's work forward. Continuations of promises run before the event loop moves
 * on, so after one turn of the loop none is left. Everything that outlives a turn (a timer, file
 * system work, compression, random bytes) is a resource that async_hooks announces. DSH is
 * quiescent when a turn ends with no such resource active: whatever has not settled then waits
 * for a gate, directly or through another operation.
 */

import { createHook } from 'node:async_hooks'

/** Resources that are done when their callback has run. */
const ONE_SHOT = new Set([
  'FSREQCALLBACK',
  'FSREQPROMISE',
  'Immediate',
  'RANDOMBYTESREQUEST',
  'Timeout',
])

/** Resources that are done when they are closed. */
const CLOSED = new Set(['ZLIB'])

/** The active resources by their async id; the value says whether a callback ends them. */
const active = new Map()

/** Whether the resource being made is the adapter's own. */
let ours = false

createHook({
  init(id, type) {
    if (ours) return
    if (ONE_SHOT.has(type)) active.set(id, true)
    else if (CLOSED.has(type)) active.set(id, false)
  },
  after(id) {
    if (active.get(id)) active.delete(id)
  },
  destroy(id) {
    active.delete(id)
  },
  // Promises are by far the most common resource, and one turn is enough for them.
  trackPromises: false,
}).enable()

/** Wait until the implementation is quiescent. */
export async function quiescent() {
  do await turn()
  while (active.size > 0)
}

/** Wait for one turn of the event loop. */
function turn() {
  return new Promise((resolve) => {
    ours = true
    setImmediate(resolve)
    ours = false
  })
}
