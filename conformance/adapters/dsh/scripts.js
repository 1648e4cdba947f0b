/**
 * Scripts: what a listener, a setup or a commit does when it is called.
 */

import { perform } from './commands.js'
import { ScriptError } from './errors.js'

/**
 * Run a script, and end as it says.
 * @param {string} by - the listener's name, or the operation's.
 * @param {import('./names.js').Subject} subject
 * @param {unknown} [result] - what to return where the script returns.
 * @returns the result, or a promise of it.
 */
export function run(world, by, script, subject, result) {
  act(world, by, script.actions ?? [], subject)
  const ending = script.ending ?? { end: 'returns' }
  switch (ending.end) {
    case 'rejects':
      return Promise.reject(new ScriptError(ending.tag))
    case 'holds':
      return hold(world, by, ending, subject, result)
    default:
      return end(ending, result)
  }
}

async function hold(world, by, ending, subject, result) {
  await world.gates.passed(ending.gate)
  // A reset opened the gate, so that nothing waits any more: the script is not to go on.
  if (world.over) return undefined
  act(world, by, ending.actions ?? [], subject)
  return end(ending.then ?? { end: 'returns' }, result)
}

function end(ending, result) {
  if (ending.end === 'throws') throw new ScriptError(ending.tag)
  return result
}

function act(world, by, actions, subject) {
  for (const action of actions) {
    const outcome = perform(world, action, subject)
    world.observe({ see: 'did', by, outcome })
  }
}
