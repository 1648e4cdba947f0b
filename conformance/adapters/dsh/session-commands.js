/**
 * Commands about sessions and their store.
 */

import { Session, SessionPreparation } from '@deepseek-ai/dsh-session'

import { options } from './provenance.js'
import { tamper } from './tamper.js'
import { decode } from './values.js'

const DONE = { is: 'done' }

/** Have a session made, and bind it. `meta` is what the command passes beside id and seed. */
function making(world, command, meta, make) {
  world.handles.claim(command.handle)
  const given = world.provenance.making(command, meta)
  const session = make(given)
  world.provenance.came(given, session)
  world.handles.bind(command.handle, { kind: 'session', session })
  return world.made(session)
}

function construct(world, command) {
  return making(world, command, command.header, ({ seed, meta: header }) =>
    Session.create(command.id, seed, header),
  )
}

function prepare(world, command) {
  return making(world, command, command.meta, (given) =>
    world.dsh.sessions.prepare(command.id, options(given, command)),
  )
}

function create(world, command, subject) {
  return making(world, command, command.meta, (given) =>
    world.contextOf(command.owner, subject).sessions.create(command.id, options(given, command)),
  )
}

function fork(world, { handle, source, source_id: sourceId, boundary, id }, subject) {
  world.handles.claim(handle)
  const from = source === undefined ? (sourceId ?? '') : world.handles.session(source, subject)
  const session = world.dsh.sessions.fork(from, decode(boundary), id)
  world.handles.bind(handle, { kind: 'session', session })
  return world.made(session)
}

function enter(world, { handle, session }, subject) {
  world.handles.claim(handle)
  const detach = world.dsh.sessions.enter(world.handles.session(session, subject))
  world.handles.bind(handle, { kind: 'session-entry', detach })
  return DONE
}

function announce(world, { session }, subject) {
  world.dsh.sessions.announce(world.handles.session(session, subject))
  return DONE
}

function detach(world, { entry }) {
  world.handles.get(entry, 'session-entry').detach()
  return DONE
}

function append(world, { session, type, data }, subject) {
  const event = world.handles.session(session, subject).append(type, decode(data))
  return { is: 'appended', seq: event.seq }
}

function flush(world, { handle, session }, subject) {
  world.handles.claim(handle)
  const target = world.handles.session(session, subject)
  const operation = world.begin(handle)
  world.settling(handle, operation, world.dsh.sessions.flush(target), (participated) => ({
    outcome: { is: 'flushed', participated },
  }))
  return { is: 'started' }
}

function acquire(world, { handle, session }, subject) {
  world.handles.claim(handle)
  const preparation = SessionPreparation.create(world.handles.session(session, subject), {
    release: () => world.observe({ see: 'released', preparation: handle }),
  })
  world.handles.bind(handle, { kind: 'preparation', preparation })
  return DONE
}

function release(world, { preparation }) {
  world.handles.get(preparation, 'preparation').preparation[Symbol.dispose]()
  return DONE
}

function inspect(world, { session }, subject) {
  return world.snapshot(world.handles.session(session, subject))
}

function tamperWith(world, { session, place }, subject) {
  const target = world.handles.session(session, subject)
  tamper(target, world.provenance.of(target), place)
  return DONE
}

export const sessionCommands = {
  construct,
  prepare,
  create,
  fork,
  enter,
  announce,
  detach,
  append,
  flush,
  acquire,
  release,
  inspect,
  tamper: tamperWith,
}
