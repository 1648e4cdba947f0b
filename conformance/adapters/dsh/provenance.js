/**
 * Provenance: what the caller passed when a session was made, kept so that it can be tampered with.
 */
export class Provenance {
  #makings = []
  #of = new WeakMap()

  /** Note that a session is about to be made of this. `id` is undefined where DSH mints one. */
  making(id, meta, seed) {
    const given = { id, meta, seed }
    this.#makings.push(given)
    return given
  }

  /** Note which session came of it. */
  came(given, session) {
    this.#of.set(session, given)
  }

  /**
   * What was passed for a session. One that is met before its maker has it in hand, in a listener,
   * is known by its id: only one making of an id can get as far as a listener.
   */
  of(session) {
    const fits = (given) => given.id === undefined || given.id === session.id
    return this.#of.get(session) ?? this.#makings.findLast(fits)
  }
}
