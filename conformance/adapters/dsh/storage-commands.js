/**
 * Commands about what outlives a process: its end and the start of the next, stored logs, resuming.
 */

import { creating } from './agent-commands.js'
import { encode } from './values.js'

/** What of another version is stored cannot be shown. */
const FORMAT_VERSION = 0

function boot(world, command) {
  world.die(command)
  return { is: 'booted' }
}

function readStored(world, { id }) {
  const found = world.disk.read(id)
  if (found?.header.version !== FORMAT_VERSION) return { is: 'stored' }
  const { type: _type, ...header } = found.header
  return { is: 'stored', header: encode(header), log: encode(found.log), torn: found.torn }
}

function resume(world, command, subject) {
  return creating(world, command, subject, (context, _given, rest) => {
    const until = command.gate && world.gates.passed(command.gate)
    return world.dsh.holding(until, () => context.agents.resume({ resumeSessionId: command.id, ...rest }))
  })
}

export const storageCommands = { boot, 'read-stored': readStored, resume }
