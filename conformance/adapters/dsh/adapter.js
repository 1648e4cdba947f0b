/**
 * The adapter of the real DeepSeek Harness: reads requests, drives DSH, answers.
 */

import { request as perform } from './commands.js'
import { VERSION } from './harness.js'
import { Lines, reply } from './protocol.js'
import { quiescent } from './quiescence.js'
import { read } from './requests.js'
import { HOSTILE_KINDS } from './values.js'
import { World } from './world.js'

const PROTOCOL = 1

const HELLO = {
  protocol: PROTOCOL,
  implementation: { name: 'dsh', version: VERSION },
  groups: ['HDR', 'LOG', 'SEED', 'STO', 'REG', 'TXN', 'RBK', 'OWN', 'FORK', 'RES', 'IDN'],
  capabilities: HOSTILE_KINDS.map((kind) => `hostile:${kind}`),
  mint: 'session-{n}',
}

/** An error that nobody caught is a crash, of DSH or of this adapter: say so and stop. */
function crash(error) {
  process.stderr.write(`crashed: ${error?.stack ?? error}\n(DSH_SPEC_VERBOSE=1 shows where)\n`)
  process.exit(70)
}

process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)

/** @type {World} */
let world

async function answer(request) {
  switch (request.do) {
    case 'hello':
      if (request.protocol !== PROTOCOL) return { error: `this adapter speaks protocol ${PROTOCOL}` }
      return HELLO
    case 'reset':
    case 'bye': {
      await quiescent()
      const leftovers = world.takeSeen()
      await world.end()
      if (request.do === 'reset') world = await World.start()
      return { leftovers }
    }
    default: {
      let outcome = perform(world, request)
      await quiescent()
      while (world.died !== undefined) outcome = await boot()
      world.reactions = []
      return { outcome, seen: world.takeSeen(), live: world.live() }
    }
  }
}

/** Go on with the next process: what the last one shows of itself is lost, what it stored is not. */
async function boot() {
  const last = world
  const { world: next, outcome } = await last.next()
  world = next
  await quiescent()
  await last.end()
  return outcome
}

const lines = new Lines()
world = await World.start()
for (let line = lines.next(); line !== undefined; line = lines.next()) {
  const { n, request, error } = read(line)
  reply({ n, ...(error === undefined ? await answer(request) : { error }) })
  if (request?.do === 'bye') break
}
process.exit(0)
