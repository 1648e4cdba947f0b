/**
 * The disk: the folder in which DSH stores sessions, what it holds, and what happens to it while no
 * process runs. All of it is synchronous: nothing of DSH's can come between.
 */

import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A disk in memory, where there is one: DSH asks for every batch to reach the disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const BASE = mkdtempSync(join(process.env.DSH_SPEC_DISK ?? MEMORY, 'dsh-spec-'))
process.on('exit', () => rmSync(BASE, { recursive: true, force: true }))

let count = 0

/** What can happen to a stored log between two processes. */
const DAMAGES = {
  torn: (path) => appendFileSync(path, '{"type":"turn/sta'),
  garbled: (path) => rewrite(path, (lines) => ['{"type":', ...lines.slice(1)]),
  newer: (path) => rewrite(path, ([head, ...rest]) => [head.replace('"version":0', '"version":1'), ...rest]),
  foreign: (path) => rewrite(path, (lines) => [...lines, foreign(lines.length - 1)]),
  removed: remove,
}

export const DAMAGE_KINDS = Object.keys(DAMAGES)

export class Disk {
  folder = join(BASE, String(++count))

  constructor() {
    mkdirSync(this.folder)
  }

  /** What a process that starts now finds: the bytes of this moment, on a disk of its own. */
  copy() {
    const copied = new Disk()
    cpSync(this.folder, copied.folder, { recursive: true })
    return copied
  }

  /** Remove everything. */
  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Damage a stored log; what is not stored cannot be damaged. */
  damage({ id, how }) {
    const path = this.#logs().get(id)
    if (path !== undefined) DAMAGES[how](path)
  }

  /** The whole lines of a stored log, and whether something follows them. */
  read(id) {
    const path = this.#logs().get(id)
    if (path === undefined) return undefined
    const lines = readFileSync(path, 'utf8').split('\n')
    const torn = lines.pop() !== ''
    const [header, ...log] = lines.map((line) => JSON.parse(line))
    return { header, log, torn }
  }

  /** The logs by the id that their header names. */
  #logs() {
    const found = new Map()
    for (const project of readdirSync(this.folder)) {
      for (const session of readdirSync(join(this.folder, project))) {
        const path = join(this.folder, project, session, 'session.jsonl')
        if (existsSync(path)) found.set(idOf(path), path)
      }
    }
    return found
  }
}

function idOf(path) {
  const [head] = readFileSync(path, 'utf8').split('\n', 1)
  try {
    return JSON.parse(head).id
  } catch {
    return undefined
  }
}

function rewrite(path, change) {
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, [...change(lines.slice(0, -1)), ''].join('\n'))
}

/** Remove a log with the folders that hold nothing else. */
function remove(path) {
  const session = dirname(path)
  rmSync(session, { recursive: true })
  if (readdirSync(dirname(session)).length === 0) rmdirSync(dirname(session))
}

function foreign(seq) {
  return JSON.stringify({ type: 'plugin/unknown', seq, time: 0, data: {} })
}
