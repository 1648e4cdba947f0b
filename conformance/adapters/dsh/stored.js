/**
 * What the real persistence makes of stored logs: one JSON request per line, one answer each.
 *
 * `{ closers: events }` asks for the events that close an interrupted turn. `{ file, id, cwd,
 * compression }` asks to load a log: it is copied to where DSH would store it, and the copy is loaded.
 * `{ root, id, compression }` asks to load one of a folder of logs, of which a copy is made too.
 */

import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

import { Context } from '@deepseek-ai/cordis'
import { interruptedTurnClosers, SessionStore } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'

Error.stackTraceLimit = 0
const BASE = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dsh-stored-'))
process.on('exit', () => rmSync(BASE, { recursive: true, force: true }))

let count = 0

/** Load a copy of one log as a resume would. */
async function load({ file, root: given, id, cwd, compression = 'none' }) {
  const root = join(BASE, String(++count))
  if (given !== undefined) cpSync(given, root, { recursive: true })
  const context = new Context()
  const plugins = [[SessionStore], [JsonlSessionPersistence, { root, compression }]]
  const fibers = plugins.map(([plugin, config]) => context.plugin(plugin, config))
  for (const fiber of fibers) await fiber
  const { path } = context.sessionPersistence.locate({ id, cwd })
  if (file !== undefined) {
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(file, path)
  }
  try {
    return { ...(await prepared(context.sessionPersistence, id)), bytes: bytes(path) }
  } finally {
    await context.fiber.dispose()
    rmSync(root, { recursive: true, force: true })
  }
}

async function prepared(persistence, id) {
  try {
    const preparation = await persistence.prepare(id)
    const { header, events } = preparation.session
    return { loads: true, header, events }
  } catch (error) {
    return { loads: false, name: error?.name, message: String(error?.message) }
  }
}

function bytes(path) {
  if (!existsSync(path)) return ''
  return readFileSync(path).toString('base64')
}

async function answer(request) {
  if (request.closers === undefined) return load(request)
  try {
    return { closers: interruptedTurnClosers(request.closers) }
  } catch (error) {
    return { fails: String(error?.message) }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`)
}
