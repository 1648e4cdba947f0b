/**
 * The world between two resets: one DSH, the names given in it, and what has been observed.
 */

import { encode } from './values.js'
import { Disk } from './disk.js'
import { refusal } from './errors.js'
import { Gates } from './gates.js'
import { Harness } from './harness.js'
import { watch } from './listeners.js'
import { Handles, Tokens } from './names.js'
import { Provenance } from './provenance.js'
import { quiescent } from './quiescence.js'

export class World {
  /** What a world shares with the one before, where both are one program's. */
  constructor({ disk, tokens, seen } = { disk: new Disk(), tokens: new Tokens(), seen: [] }) {
    this.disk = disk
    this.tokens = tokens
    this.#seen = seen
  }

  dsh = new Harness()
  handles = new Handles()
  gates = new Gates()
  provenance = new Provenance()

  /** Every agent that has been seen: any of them may own another. */
  agents = new Set()

  /** The reactions of the current command that have not been used. */
  reactions = []

  /** Whether this process has ended: what still happens in it is nobody's business. */
  over = false

  /** The boot that this process ended with, and the disk as it then was. */
  died

  #seen = []

  /** Start an empty world. `watch` listens before anybody else does, DSH's own plugins included. */
  static async start() {
    const world = new World()
    watch(world)
    await world.dsh.load()
    return world
  }

  /** End the process where it stands, as if it were killed: its disk stays as it is now. */
  die(boot) {
    this.died = { boot, disk: this.disk.copy() }
    this.over = true
  }

  /** Start the process that comes after this one, as the boot says. */
  async next() {
    const { boot, disk } = this.died
    for (const damage of boot.damage ?? []) disk.damage(damage)
    const world = new World({ disk, tokens: this.tokens, seen: this.takeSeen() })
    watch(world)
    world.reactions = this.reactions
    const folder = boot.persists === false ? undefined : disk.folder
    const outcome = await world.dsh.load(boot, folder).then(() => ({ is: 'booted' }), refusal)
    return { world, outcome }
  }

  /** Leave the world: nothing waits any more, and nothing of it is left. */
  async end() {
    this.over = true
    this.gates.openAll()
    this.dsh.unload()
    await quiescent()
    this.disk.remove()
  }

  /** Observe something, together with what is live at this moment. */
  observe(observation) {
    if (!this.over) this.#seen.push({ ...observation, live: this.live() })
  }

  /** Take what has been observed since the last time. */
  takeSeen() {
    const seen = this.#seen
    this.#seen = []
    return seen
  }

  /** What both collections list, in their order. */
  live() {
    return {
      sessions: this.dsh.sessions.list().map((session) => this.tokens.of(session)),
      agents: this.dsh.agents.list().map((agent) => this.tokenOfAgent(agent)),
    }
  }

  tokenOfAgent(agent) {
    this.agents.add(agent)
    return this.tokens.of(agent)
  }

  /** The context through which an owner makes things; without an owner, the root. */
  contextOf(owner, subject) {
    if (owner === undefined) return this.dsh.root
    return this.handles.owner(owner, subject)
  }

  /** The outcome of a command that made a session. */
  made(session) {
    return { is: 'made', session: this.tokens.of(session), id: session.id }
  }

  /** The outcome of a command or operation that published an agent. */
  published(agent) {
    return {
      is: 'published',
      agent: this.tokenOfAgent(agent),
      session: this.tokens.of(agent.session),
    }
  }

  /** What a session shows of itself. */
  snapshot(session) {
    return {
      is: 'snapshot',
      session: this.tokens.of(session),
      header: encode(session.header),
      log: encode(session.events),
      first_live_seq: encode(session.firstLiveSeq),
    }
  }

  /** Whether an agent, its session or the end of its scope may still be observed. */
  canBeSeen(agent) {
    return (
      agent.ctx.fiber.uid !== null ||
      this.dsh.agents.get(agent.id) === agent ||
      this.dsh.sessions.get(agent.session.id) === agent.session
    )
  }

  /** Give a handle to an operation that is about to start. */
  begin(handle, creation) {
    const operation = { kind: 'operation', creation }
    this.handles.bind(handle, operation)
    return operation
  }

  /**
   * Observe how an operation settles. Its handle then means what came of it, or nothing.
   * @param {import('./names.js').Referent} operation - what the handle means until then.
   * @param {(value: unknown) => {outcome: object, referent?: object}} result
   */
  settling(handle, operation, promise, result) {
    const settled = ({ outcome, referent }) => {
      if (referent === undefined) this.handles.release(handle, operation)
      else this.handles.bind(handle, referent)
      this.observe({ see: 'settled', operation: handle, outcome })
    }
    promise.then(
      (value) => settled(result(value)),
      (error) => settled({ outcome: refusal(error) }),
    )
  }
}
