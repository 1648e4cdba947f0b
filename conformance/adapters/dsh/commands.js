/**
 * Commands: one function for each. A function gets the world, the command and the subject of the
 * script that it stands in, and returns the outcome; what it throws is the refusal.
 */

import { agentCommands } from './agent-commands.js'
import { clientCommands } from './client-commands.js'
import { refusal } from './errors.js'
import { ownerCommands } from './owner-commands.js'
import { sessionCommands } from './session-commands.js'
import { storageCommands } from './storage-commands.js'

/**
 * @typedef {import('./world.js').World} World
 * @typedef {import('./names.js').Subject} Subject
 * @type {Record<string, (world: World, command: object, subject: Subject) => object>}
 */
const COMMANDS = {
  ...sessionCommands,
  ...agentCommands,
  ...ownerCommands,
  ...storageCommands,
  ...clientCommands,
}

/** What becomes of a command of a process that has ended: nothing, and nobody sees it. */
const ENDED = { is: 'booted' }

const NO_SUBJECT = {}

/** Run one command in the turn in which it is asked for. */
export function perform(world, command, subject = NO_SUBJECT) {
  if (world.over) return ENDED
  try {
    return COMMANDS[command.do](world, command, subject)
  } catch (error) {
    return refusal(error)
  }
}

/** Run what a request asks for: a command, a command with reactions, or several commands. */
export function request(world, command) {
  switch (command.do) {
    case 'react':
      world.reactions = [...command.reactions]
      return perform(world, command.command)
    case 'together':
      return { is: 'all', outcomes: command.commands.map((each) => perform(world, each)) }
    default:
      return perform(world, command)
  }
}
