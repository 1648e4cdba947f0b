/**
 * Commands about what the client itself holds: listeners, gates, handles, and a look at it all.
 */

import { listener, limited } from './listeners.js'
import { unbound } from './names.js'

const DONE = { is: 'done' }

function listen(world, { handle, event, script, times = 1, agent }, subject) {
  world.handles.claim(handle)
  const ctx = agent === undefined ? world.dsh.root : scopeOf(world.handles.agent(agent, subject), agent)
  const takeScript = limited(script, times)
  const remove = ctx.on(event, listener(world, handle, event, takeScript))
  const referent = { kind: 'listener', remove }
  world.handles.bind(handle, referent)
  // A listener goes with its scope, and its name with it.
  if (agent !== undefined) ctx.effect(() => () => world.handles.release(handle, referent), 'unlisten')
  return DONE
}

/** The context of an agent's scope; a bare agent has none. */
function scopeOf(agent, handle) {
  if (agent.ctx === undefined) throw unbound(handle)
  return agent.ctx
}

function unlisten(world, { listener: handle }) {
  const referent = world.handles.get(handle, 'listener')
  referent.remove()
  world.handles.release(handle, referent)
  return DONE
}

function open(world, { gate }) {
  world.gates.open(gate)
  return DONE
}

function forget(world, { handle }) {
  world.handles.forget(handle)
  return DONE
}

function look(world, { id }) {
  const session = world.dsh.sessions.get(id)
  const agent = world.dsh.agents.get(id)
  return {
    is: 'found',
    session: session === undefined ? null : world.tokens.of(session),
    agent: agent === undefined ? null : world.tokenOfAgent(agent),
    owner: agent === undefined ? null : ownerOf(world, id),
    root: agent !== undefined && world.dsh.agents.roots().includes(agent),
  }
}

/** DSH tells whether an agent owns another, so the owner is found by asking for each. */
function ownerOf(world, id) {
  for (const agent of world.agents) {
    if (world.dsh.agents.isOwnedBy(id, agent)) return world.tokens.of(agent)
  }
  return null
}

export const clientCommands = { listen, unlisten, open, forget, look }
