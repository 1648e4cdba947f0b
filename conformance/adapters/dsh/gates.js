/** Gates: what the suite holds, and what scripts and work wait at. */
export class Gates {
  #gates = new Map()

  /** A promise that is kept once the gate is open. Waiters go on in the order in which they came. */
  passed(name) {
    return this.#gate(name).promise
  }

  /** Open a gate, for good. */
  open(name) {
    this.#gate(name).resolve()
  }

  /** Open every gate that somebody knows of. */
  openAll() {
    for (const gate of this.#gates.values()) gate.resolve()
  }

  #gate(name) {
    let gate = this.#gates.get(name)
    if (gate === undefined) {
      gate = Promise.withResolvers()
      this.#gates.set(name, gate)
    }
    return gate
  }
}
