/**
 * Commands about owners: plugins of the client's, and the agent factory.
 */

import { ScriptError } from './errors.js'

const DONE = { is: 'done' }
const STARTED = { is: 'started' }

/** A plugin that does nothing but own. */
const OWNER = { name: 'owner', inject: ['agents', 'sessions'], apply() {} }

/** A factory that fails whatever it is asked for. */
const FAILING = {
  createAgent() {
    throw new ScriptError('factory')
  },
  resume() {
    throw new ScriptError('factory')
  },
}

function newOwner(world, { handle, owner }, subject) {
  world.handles.claim(handle)
  const fiber = world.contextOf(owner, subject).plugin(OWNER)
  world.handles.bind(handle, { kind: 'owner', fiber })
  return DONE
}

function disposeOwner(world, { handle, owner }) {
  world.handles.claim(handle)
  return unloading(world, handle, world.handles.get(owner, 'owner').fiber)
}

function disposeFactory(world, { handle }) {
  world.handles.claim(handle)
  return unloading(world, handle, world.dsh.factory)
}

function unloading(world, handle, fiber) {
  const operation = world.begin(handle)
  world.settling(handle, operation, Promise.resolve(fiber.dispose()), () => ({ outcome: DONE }))
  return STARTED
}

function loadFactory(world, { handle, agents }) {
  world.handles.claim(handle)
  const operation = world.begin(handle)
  world.settling(handle, operation, world.dsh.loadFactory(agents), () => ({ outcome: DONE }))
  return STARTED
}

function setFactory(world, { owner }) {
  world.handles.get(owner, 'owner').fiber.ctx.agents.setFactory(FAILING)
  return DONE
}

export const ownerCommands = {
  'new-owner': newOwner,
  'dispose-owner': disposeOwner,
  'dispose-factory': disposeFactory,
  'load-factory': loadFactory,
  'set-factory': setFactory,
}
