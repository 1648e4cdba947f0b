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

/** Resources that are over once their callback has run. */
const ONE_SHOT = new Set([
  'FILEHANDLECLOSEREQ',
  'FSREQCALLBACK',
  'FSREQPROMISE',
  'Immediate',
  'RANDOMBYTESREQUEST',
  'Timeout',
])

/** The ids of the active resources. */
const active = new Set()

/** The compressors that were made since the last time nothing went on. */
const codecs = new Set()

/** Whether the resource being made is the adapter's own. */
let ours = false

createHook({
  init(id, type, _trigger, resource) {
    if (ours) return
    if (ONE_SHOT.has(type)) active.add(id)
    else if (type === 'ZLIB') codecs.add(resource)
  },
  after(id) {
    active.delete(id)
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
  while (active.size > 0 || compressing())
  codecs.clear()
}

/**
 * Whether a compressor is at work. Node calls one back after each piece, and destroys it when it
 * pleases; what tells is the input that it holds as long as it works on it.
 */
function compressing() {
  for (const codec of codecs) if (codec.buffer) return true
  return false
}

/** Wait for one turn of the event loop. */
function turn() {
  return new Promise((resolve) => {
    ours = true
    setImmediate(resolve)
    ours = false
  })
}
