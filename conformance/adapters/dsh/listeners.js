/**
 * Listeners: what is observed when DSH calls one, and what it then does.
 */

import { refusal } from './errors.js'
import { run } from './scripts.js'
import { encode } from './values.js'

export const WATCH = 'watch'

const WATCHED = [
  'session/created',
  'session/event',
  'session/disposed',
  'agent/created',
  'agent/disposed',
  'agent/session-start',
]

/** Register the listener that watches everything and runs the reactions of commands. */
export function watch(world) {
  world.dsh.root.on('agent-loop/config-start-failed', ({ sessionId, error }) => {
    world.observe({ see: 'start-failed', id: sessionId, outcome: refusal(error) })
  })
  for (const event of WATCHED) {
    world.dsh.root.on(event, listener(world, WATCH, event, () => takeReaction(world, event)))
  }
}

/**
 * A function that DSH can call for an event.
 * @param {() => object | undefined} takeScript - gives the script of this call, if it has one.
 */
export function listener(world, name, event, takeScript) {
  return (...args) => {
    if (world.over) return undefined
    const about = event.startsWith('session/') ? aboutSession : aboutAgent
    const { fields, subject } = about(world, args)
    world.observe({ see: 'heard', listener: name, event, ...fields })
    const script = takeScript()
    return script && run(world, name, script, subject)
  }
}

/** A script that runs the first so many times it is asked for. */
export function limited(script, times) {
  let left = times
  return () => (left-- > 0 ? script : undefined)
}

function takeReaction(world, event) {
  const index = world.reactions.findIndex((reaction) => reaction.event === event)
  return index < 0 ? undefined : world.reactions.splice(index, 1)[0].script
}

function aboutSession(world, [session, event]) {
  const entry = event && { seq: event.seq, type: event.type, data: encode(event.data), time: event.time }
  return { fields: { session: world.tokens.of(session), ...entry }, subject: { session } }
}

function aboutAgent(world, [{ agent, source }]) {
  const started = source && { source }
  return {
    fields: { agent: world.tokenOfAgent(agent), ...started },
    subject: { agent, session: agent.session },
  }
}
