/**
 * Lines in, lines out: the transport of the protocol.
 *
 * Both directions are synchronous. The adapter answers only when it is quiescent, so nothing can
 * happen while it waits for the next line, and a read that blocks adds no activity of its own to
 * what the quiescence check has to tell apart from DSH's.
 */

import { readSync, writeSync } from 'node:fs'

const STDIN = 0
const STDOUT = 1
const NEWLINE = 0x0a

/** Reads standard input line by line. */
export class Lines {
  #buffer = Buffer.alloc(1 << 16)
  #start = 0
  #end = 0

  /**
   * Wait for the next line.
   * @returns {string | undefined} the line, or undefined at the end of the input. A last line
   *   without a newline is not a whole request and is dropped.
   */
  next() {
    let searched = this.#start
    for (;;) {
      const at = this.#buffer.subarray(0, this.#end).indexOf(NEWLINE, searched)
      if (at >= 0) {
        const line = this.#buffer.toString('utf8', this.#start, at)
        this.#start = at + 1
        return line
      }
      searched = this.#end - this.#start
      this.#makeRoom()
      const count = readBlocking(this.#buffer, this.#end)
      if (count === 0) return undefined
      this.#end += count
    }
  }

  /** Move what is left to the front, and grow the buffer where a line fills it. */
  #makeRoom() {
    const left = this.#buffer.subarray(this.#start, this.#end)
    const full = left.length === this.#buffer.length
    const target = full ? Buffer.alloc(this.#buffer.length * 2) : this.#buffer
    left.copy(target)
    this.#buffer = target
    this.#end -= this.#start
    this.#start = 0
  }
}

/** Write one answer at once, so that a later crash cannot take it along. */
export function reply(answer) {
  const bytes = Buffer.from(`${JSON.stringify(answer)}\n`)
  for (let written = 0; written < bytes.length; ) {
    written += patiently(() => writeSync(STDOUT, bytes, written))
  }
}

function readBlocking(buffer, offset) {
  return patiently(() => readSync(STDIN, buffer, offset, buffer.length - offset, null))
}

/** Repeat a call until it no longer says "not now": pipes may come to us non-blocking. */
function patiently(call) {
  for (;;) {
    try {
      return call()
    } catch (error) {
      if (error.code === 'EOF') return 0
      if (error.code === 'EPIPE') process.exit(0)
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
