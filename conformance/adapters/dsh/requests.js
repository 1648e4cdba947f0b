/**
 * Requests: whether one can be read. What passes here, the rest of the adapter can rely on.
 */

import { DAMAGE_KINDS } from './disk.js'
import { HOSTILE_KINDS, taggedKind } from './values.js'

const EVENTS = new Set([
  'session/created',
  'session/event',
  'session/disposed',
  'session/flush',
  'agent/created',
  'agent/disposed',
  'agent/session-start',
])
const PLACES = new Set(['meta', 'seed', 'header', 'events', 'event', 'data'])

/** Checks of one argument each. They return what is wrong, or undefined. */
const text = (value) => (typeof value === 'string' ? undefined : 'is not a string')
const name = (value) => text(value) ?? (value === '' ? 'is empty' : undefined)
const handle = (value) => name(value) ?? (value.startsWith('@') ? 'starts with @' : undefined)
const times = (value) => (Number.isSafeInteger(value) && value >= 0 ? undefined : 'is not a count')
const event = (value) => (EVENTS.has(value) ? undefined : 'is not an event')
const flag = (value) => (typeof value === 'boolean' ? undefined : 'is not a boolean')
const reason = (value) => (['error', 'text'].includes(value) ? undefined : 'is not a reason')
const damage = (value) => (DAMAGE_KINDS.includes(value) ? undefined : 'is not a damage')
const place = (value) => (PLACES.has(value) ? undefined : 'is not a place')
const listOf = (check) => (value) => (Array.isArray(value) ? firstFault(value, check) : 'is not an array')
const optional = (check) => (value) => (value === undefined ? undefined : check(value))
const record = (fields) => (value) => fieldFault(value, fields)

function value(wire) {
  if (wire === undefined) return 'is missing'
  if (typeof wire !== 'object' || wire === null) return undefined
  const kind = taggedKind(wire)
  if (kind !== undefined && !HOSTILE_KINDS.includes(kind)) return `has the unknown kind ${JSON.stringify(kind)}`
  return firstFault(Object.values(wire), value)
}

const seed = optional(listOf(value))
const single = (wire) => commandFault(wire, SINGLES)
const actions = optional(listOf(single))
const endings = {
  returns: {},
  throws: { tag: text },
  rejects: { tag: text },
}
endings.holds = { gate: name, actions, then: optional(ending('returns', 'throws')) }
const script = record({ actions, ending: optional(ending('returns', 'throws', 'rejects', 'holds')) })
const commit = record({ actions, ending: optional(ending('returns', 'throws')) })
const setup = record({ script: optional(script), commit: optional(commit) })
const reaction = record({ event, script })

const made = { handle, id: optional(text), seed, meta: optional(value) }
const owner = optional(name)
const configured = { id: text, session_id: optional(text), resume_session_id: optional(text), cwd: optional(text) }
const agents = optional(listOf(record(configured)))
const identities = optional(listOf(record({ agent: text, id: text, resume: optional(flag) })))

/** The arguments of each command. */
const SINGLES = {
  construct: { handle, id: text, seed, header: optional(value) },
  prepare: made,
  create: { ...made, owner },
  fork: { handle, source: optional(name), source_id: optional(text), boundary: optional(value), id: optional(text) },
  enter: { handle, session: name },
  announce: { session: name },
  detach: { entry: name },
  append: { session: name, type: text, data: value },
  flush: { handle, session: name },
  acquire: { handle, session: name },
  release: { preparation: name },
  inspect: { session: name },
  look: { id: text },
  tamper: { session: name, place },
  listen: { handle, event, script: optional(script), times: optional(times), agent: optional(name) },
  unlisten: { listener: name },
  'new-agent': { handle, id: text, session: name },
  'enter-agent': { handle, agent: name, owner: optional(name) },
  'announce-agent': { agent: name },
  'detach-agent': { entry: name },
  boot: { damage: optional(listOf(record({ id: text, how: damage }))), agents, overlay: agents, identities, persists: optional(flag) },
  'read-stored': { id: text },
  resume: { handle, id: text, setup: optional(setup), owner, gate: optional(name), aborted: optional(text) },
  'create-agent': { handle, id: text, seed, meta: optional(value), setup: optional(setup), owner, aborted: optional(text) },
  abort: { operation: name, tag: text, reason: optional(reason) },
  configure: { handle, id: text, meta: optional(value) },
  dispose: { handle, agent: name },
  work: { handle, agent: name, gate: name },
  open: { gate: name },
  'new-owner': { handle, owner },
  'dispose-owner': { handle, owner: name },
  'dispose-factory': { handle },
  'load-factory': { handle, agents },
  'set-factory': { owner: name },
  forget: { handle: name },
}

const REQUESTS = {
  hello: { protocol: times },
  reset: {},
  bye: {},
  react: { command: single, reactions: listOf(reaction) },
  together: { commands: listOf(single) },
  ...SINGLES,
}

/**
 * Read one request.
 * @returns {{n: number | null, request?: object, error?: string}}
 */
export function read(line) {
  let parsed
  try {
    parsed = JSON.parse(line)
  } catch {
    return { n: null, error: 'the line is not JSON' }
  }
  if (!Number.isSafeInteger(parsed?.n)) return { n: null, error: 'the request has no number' }
  const { n, ...request } = parsed
  const error = commandFault(request, REQUESTS)
  return error === undefined ? { n, request } : { n, error }
}

function commandFault(wire, commands) {
  if (typeof wire !== 'object' || wire === null) return 'is not a command'
  const { do: does, ...rest } = wire
  if (!Object.hasOwn(commands, does)) return `the command ${JSON.stringify(does)} is not known here`
  const fault = fieldFault(rest, commands[does])
  return fault && `${does}: ${fault}`
}

function ending(...allowed) {
  return (wire) => {
    const { end, ...rest } = wire ?? {}
    return allowed.includes(end) ? fieldFault(rest, endings[end]) : 'is not an ending allowed here'
  }
}

/** The first fault of an object that should have exactly these fields. */
function fieldFault(object, fields) {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return 'is not an object'
  const stranger = Object.keys(object).find((key) => !Object.hasOwn(fields, key))
  if (stranger !== undefined) return `${stranger} is not an argument`
  for (const [key, check] of Object.entries(fields)) {
    const fault = check(object[key])
    if (fault !== undefined) return `${key} ${fault}`
  }
  return undefined
}

function firstFault(items, check) {
  for (const item of items) {
    const fault = check(item)
    if (fault !== undefined) return fault
  }
  return undefined
}
