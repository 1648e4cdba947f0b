/**
 * Provenance: what the caller passes when it has a session made, kept so that it can tamper with it.
 */

import { decode } from './values.js'

/**
 * What a command passes: the very objects that DSH is given.
 * @typedef {{id?: string, meta: unknown, seed?: unknown[]}} Given
 */

export class Provenance {
  /** @type {Given[]} */
  #makings = []
  #of = new WeakMap()

  /** Take what a command passes. `meta` is its metadata, or its header where it passes that. */
  making({ id, seed }, meta) {
    const given = { id, meta: decode(meta), seed: seed?.map(decode) }
    this.#makings.push(given)
    return given
  }

  /** Note which session came of it. */
  came(given, session) {
    this.#of.set(session, given)
  }

  /**
   * What was passed for a session. A listener may meet a session before its maker has it in hand;
   * then the last making of its id is it (DSH mints an id where none was given).
   */
  of(session) {
    const fits = (given) => given.id === undefined || given.id === session.id
    return this.#of.get(session) ?? this.#makings.findLast(fits)
  }
}

/** The options that DSH takes: a key that the command lacks is not passed. */
export function options({ meta, seed }, command) {
  return { ...('seed' in command && { seed }), ...('meta' in command && { meta }) }
}
