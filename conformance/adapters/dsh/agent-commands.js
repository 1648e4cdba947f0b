/**
 * Commands about agents: their registry, their creation and their teardown.
 */

import { Declined, ScriptError } from './errors.js'
import { unbound } from './names.js'
import { options } from './provenance.js'
import { run } from './scripts.js'

const DONE = { is: 'done' }
const STARTED = { is: 'started' }

function newAgent(world, { handle, id, session }, subject) {
  world.handles.claim(handle)
  const agent = { id, session: world.handles.session(session, subject) }
  world.handles.bind(handle, { kind: 'agent', agent })
  return DONE
}

function enterAgent(world, { handle, agent, owner }, subject) {
  world.handles.claim(handle)
  const entered = world.handles.agent(agent, subject)
  const ownedBy = owner === undefined ? undefined : world.handles.agent(owner, subject)
  if (ownedBy !== undefined) world.agents.add(ownedBy)
  const detach = world.dsh.agents.enter(entered, ownedBy)
  world.handles.bind(handle, { kind: 'agent-entry', detach })
  return DONE
}

function announceAgent(world, { agent }, subject) {
  world.dsh.agents.announce(world.handles.agent(agent, subject))
  return DONE
}

function detachAgent(world, { entry }) {
  world.handles.get(entry, 'agent-entry').detach()
  return DONE
}

function createAgent(world, command, subject) {
  return creating(world, command, subject, (context, given, rest) =>
    context.agents.create({ sessionId: command.id, ...options(given, command), ...rest }),
  )
}

/**
 * Start an operation that creates an agent.
 * @param create - calls DSH with the owner's context, what the command passes, and the other options.
 */
export function creating(world, command, subject, create) {
  world.handles.claim(command.handle)
  const context = world.contextOf(command.owner, subject)
  const creation = { abort: new AbortController(), canBeSeen: (agent) => world.canBeSeen(agent) }
  if ('aborted' in command) creation.abort.abort(new ScriptError(command.aborted))
  const operation = world.begin(command.handle, creation)
  const given = world.provenance.making(command, command.meta)
  const started = async () => create(context, given, {
    signal: creation.abort.signal,
    ...('setup' in command && { setup: setup(world, command.handle, command.setup, given) }),
  })
  world.settling(command.handle, operation, started(), ({ agent, dispose }) => {
    creation.dispose = dispose
    world.provenance.came(given, agent.session)
    return { outcome: world.published(agent), referent: { kind: 'agent', agent, creation } }
  })
  return STARTED
}

/** The setup callback of a creation. */
function setup(world, operation, { script = {}, commit }, given) {
  return (ctx) => {
    const { agent } = ctx
    const { session } = agent
    world.provenance.came(given, session)
    world.observe({
      see: 'set-up',
      operation,
      agent: world.tokenOfAgent(agent),
      session: world.tokens.of(session),
    })
    ctx.effect(() => () => world.observe({ see: 'unwound', operation }), 'unwound')
    const subject = { agent, session }
    return run(world, operation, script, subject, commit && committing(world, operation, commit, subject))
  }
}

/** What a setup returns where it has a commit. */
function committing(world, operation, script, subject) {
  return {
    commit() {
      world.observe({ see: 'committed', operation })
      run(world, operation, script, subject)
    },
  }
}

function abort(world, { operation, tag, reason = 'error' }) {
  const { abort: controller } = world.handles.creation(operation)
  if (controller === undefined) throw unbound(operation)
  controller.abort(reason === 'error' ? new ScriptError(tag) : tag)
  return DONE
}

function configure(world, command) {
  world.handles.claim(command.handle)
  if (world.dsh.agentLoop === undefined) throw new Declined('NO_FACTORY', 'no agent loop is loaded')
  const given = world.provenance.making(command, command.meta)
  const agent = world.dsh.agentLoop.create(command.id, {}, given.meta)
  world.provenance.came(given, agent.session)
  world.handles.bind(command.handle, { kind: 'agent', agent, creation: { canBeSeen: (of) => world.canBeSeen(of) } })
  return world.published(agent)
}

function dispose(world, { handle, agent }) {
  world.handles.claim(handle)
  const { creation } = world.handles.get(agent, 'agent')
  if (creation?.dispose === undefined) throw unbound(agent)
  const operation = world.begin(handle)
  world.settling(handle, operation, creation.dispose(), () => {
    return { outcome: DONE }
  })
  return STARTED
}

function work(world, { handle, agent, gate }, subject) {
  world.handles.claim(handle)
  const worker = world.handles.agent(agent, subject)
  if (worker.runMaintenance === undefined) throw unbound(agent)
  const promise = worker.runMaintenance(() => world.gates.passed(gate))
  world.settling(handle, world.begin(handle), promise, () => ({ outcome: DONE }))
  return STARTED
}

export const agentCommands = {
  'new-agent': newAgent,
  'enter-agent': enterAgent,
  'announce-agent': announceAgent,
  'detach-agent': detachAgent,
  'create-agent': createAgent,
  abort,
  configure,
  dispose,
  work,
}
