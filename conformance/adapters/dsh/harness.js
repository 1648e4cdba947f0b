/**
 * DSH itself: a context with the real services, as an application would load them.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'

import { Context } from '@deepseek-ai/cordis'
import { AgentRegistry } from '@deepseek-ai/dsh-agent'
import { AgentLoop, CONFIGURED_AGENT_IDENTITIES_KEY } from '@deepseek-ai/dsh-agent-loop'
import { LlmRuntime } from '@deepseek-ai/dsh-llm'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRuntime } from '@deepseek-ai/dsh-tools'

import { quiescent } from './quiescence.js'

const VERBOSE = Boolean(process.env.DSH_SPEC_VERBOSE)

// Cordis captures a stack for each effect, which is half the cost of a reset.
if (!VERBOSE) Error.stackTraceLimit = 0

/** The version of DSH that is installed. */
export const VERSION = createRequire(import.meta.url)('@deepseek-ai/dsh-session/package.json').version

/** The plugins of a harness. Each waits for those that it needs; the last three only AgentLoop needs. */
function plugins({ agents = [], overlay = [] }, folder) {
  const rows = agents.map((row) => overlay.findLast(({ id }) => id === row.id) ?? row)
  const persistence = { root: folder, compression: 'none', writeBatchMaxDelayMs: 1 }
  return [
    [SessionStore],
    [AgentRegistry],
    ...(folder === undefined ? [] : [[JsonlSessionPersistence, persistence]]),
    [AgentLoop, { agents: rows.map(configured) }],
    [SystemPrompt, {}],
    [LlmRuntime],
    [ToolRuntime, {}],
  ]
}

/** A configured agent as DSH is given it: a key that the command lacks is not passed. */
function configured({ id, cwd, session_id: sessionId, resume_session_id: resumeSessionId }) {
  return { id, ...(cwd !== undefined && { cwd }), ...(sessionId !== undefined && { sessionId }), ...(resumeSessionId !== undefined && { resumeSessionId }) }
}

/** The launcher's identities, by the agent that each is for. */
function byAgent(identities) {
  return Object.fromEntries(identities.map(({ agent, id, resume = false }) => [agent, { id, resume }]))
}

/** One DSH, from the loading of its plugins to their unloading. */
export class Harness {
  /** The root context: what the adapter asks for is asked for by the application itself. */
  root = new Context()

  /** What the loads of the call under way wait for. */
  #held = new AsyncLocalStorage()

  #sessions
  #agents

  constructor() {
    if (VERBOSE) this.root.logger.exporter({ export: toStderr })
  }

  /**
   * Load the plugins.
   * @param boot - what the process is started with.
   * @param {string} [folder] - where sessions are stored; without it they are not.
   */
  async load(boot = {}, folder) {
    if (boot.identities) this.root.provide(CONFIGURED_AGENT_IDENTITIES_KEY, byAgent(boot.identities))
    const loading = plugins(boot, folder)
    const fibers = loading.map(([plugin, config]) => this.root.plugin(plugin, config))
    this.factory = fibers[loading.findIndex(([plugin]) => plugin === AgentLoop)]
    for (const [index, fiber] of fibers.entries()) {
      // A factory that fails says so once its agents are gone, and one of them may be busy.
      await (fiber === this.factory ? Promise.race([fiber, quiescent()]) : fiber)
      if (loading[index][0] === JsonlSessionPersistence) this.#holdLoads()
    }
  }

  /** The services as the root context sees them: asking for them anew would make new proxies. */
  get sessions() {
    return (this.#sessions ??= this.root.sessions)
  }

  get agents() {
    return (this.#agents ??= this.root.agents)
  }

  /** Let what is loaded on behalf of a call arrive only when something else has. */
  holding(until, call) {
    return this.#held.run(until, call)
  }

  /** Let what a load brings be held on its way to whoever asked. */
  #holdLoads() {
    const persistence = this.root.sessionPersistence
    const prepare = persistence.prepare.bind(persistence)
    persistence.prepare = async (id, signal) => {
      const until = this.#held.getStore()
      const preparation = await prepare(id, signal)
      await until
      return preparation
    }
  }

  /** The loaded agent loop, if one is. */
  get agentLoop() {
    return this.root.agentLoop
  }

  /** Load an agent loop once more; one that cannot be loaded is unloaded again. */
  async loadFactory(agents = []) {
    const fiber = this.root.plugin(AgentLoop, { agents: agents.map(configured) })
    try {
      await fiber
    } catch (error) {
      await fiber.dispose()
      throw error
    }
    this.factory = fiber
  }

  /** Unload everything that was loaded, with all that it owns. */
  unload() {
    return this.root.fiber.dispose()
  }
}

function toStderr(message) {
  process.stderr.write(`[dsh ${message.type}] ${message.args.join(' ')}\n`)
}
