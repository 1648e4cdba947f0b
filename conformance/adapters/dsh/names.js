/**
 * Names: what the client calls things (handles), and what the adapter calls objects (tokens).
 */

import { Declined } from './errors.js'

/** Tokens: one per object, given at first sight, never given again. */
export class Tokens {
  #tokens = new WeakMap()
  #count = 0

  /** The token of an object. */
  of(object) {
    let token = this.#tokens.get(object)
    if (token === undefined) {
      token = `#${++this.#count}`
      this.#tokens.set(object, token)
    }
    return token
  }
}

/**
 * What a handle means.
 * @typedef {{kind: 'operation', creation?: Creation}
 *   | {kind: 'session', session: object}
 *   | {kind: 'agent', agent: object, creation?: Creation}
 *   | {kind: 'session-entry' | 'agent-entry', detach: () => void}
 *   | {kind: 'preparation', preparation: Disposable}
 *   | {kind: 'owner', fiber: object}
 *   | {kind: 'listener', remove: () => void}} Referent
 *
 * A creation of an agent, as long as somebody can name it.
 * @typedef {{abort?: AbortController, dispose?: () => Promise<void>, canBeSeen: (agent: object) => boolean}} Creation
 *
 * What `@session` and `@agent` stand for.
 * @typedef {{session?: object, agent?: object}} Subject
 */

/** The client's handles. */
export class Handles {
  /** @type {Map<string, Referent>} */
  #bound = new Map()

  /** Refuse to give a handle that still names something which will be observed under it. */
  claim(handle) {
    if (inUse(this.#bound.get(handle))) throw new Declined('HANDLE_IN_USE', `${handle} is in use`)
  }

  /** Let a handle mean this from now on. */
  bind(handle, referent) {
    this.#bound.set(handle, referent)
  }

  /** Let a handle mean nothing, if it still means this. */
  release(handle, referent) {
    if (this.#bound.get(handle) === referent) this.#bound.delete(handle)
  }

  /** Drop a handle that is bound. */
  forget(handle) {
    this.claim(handle)
    if (!this.#bound.delete(handle)) throw unbound(handle)
  }

  /** The referent of a handle, which has to be of that kind. */
  get(handle, kind) {
    const referent = this.#bound.get(handle)
    if (referent?.kind !== kind) throw unbound(handle)
    return referent
  }

  /** The creation that a handle names, pending or not. */
  creation(handle) {
    const creation = this.#bound.get(handle)?.creation
    if (creation === undefined) throw unbound(handle)
    return creation
  }

  /**
   * The agent that a handle means.
   * @param {Subject} subject
   */
  agent(handle, subject) {
    if (handle !== '@agent') return this.get(handle, 'agent').agent
    if (subject.agent === undefined) throw unbound(handle)
    return subject.agent
  }

  /**
   * The context of an owner: a plugin's, or that of an agent's scope.
   * @param {Subject} subject
   */
  owner(handle, subject) {
    const referent = this.#bound.get(handle)
    if (referent?.kind === 'owner') return referent.fiber.ctx
    const { ctx } = this.agent(handle, subject)
    if (ctx === undefined) throw unbound(handle)
    return ctx
  }

  /**
   * The session that a handle means, or that the agent which it means stands for.
   * @param {Subject} subject
   */
  session(handle, subject) {
    if (handle === '@session') {
      if (subject.session === undefined) throw unbound(handle)
      return subject.session
    }
    const referent = this.#bound.get(handle)
    return referent?.kind === 'session' ? referent.session : this.agent(handle, subject).session
  }
}

function inUse(referent) {
  switch (referent?.kind) {
    case 'operation':
    case 'listener':
      return true
    case 'agent':
      return referent.creation?.canBeSeen(referent.agent) ?? false
    default:
      return false
  }
}

export function unbound(handle) {
  return new Declined('UNBOUND', `${handle} is not bound to that kind of thing`)
}
