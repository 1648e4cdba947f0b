/**
 * DSH itself: a context with the real services, as an application would load them.
 */

import { createRequire } from 'node:module'

import { Context } from '@deepseek-ai/cordis'
import { AgentRegistry } from '@deepseek-ai/dsh-agent'
import { AgentLoop } from '@deepseek-ai/dsh-agent-loop'
import { LlmRuntime } from '@deepseek-ai/dsh-llm'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRuntime } from '@deepseek-ai/dsh-tools'

const VERBOSE = Boolean(process.env.DSH_SPEC_VERBOSE)

// Cordis captures a stack for each effect, which is half the cost of a reset.
if (!VERBOSE) Error.stackTraceLimit = 0

/** The version of DSH that is installed. */
export const VERSION = createRequire(import.meta.url)('@deepseek-ai/dsh-session/package.json').version

/** The plugins of a harness. Each waits for those that it needs; the last three only AgentLoop needs. */
const PLUGINS = [
  [SessionStore],
  [AgentRegistry],
  [AgentLoop, { agents: [] }],
  [SystemPrompt, {}],
  [LlmRuntime],
  [ToolRuntime, {}],
]

/** One DSH, from the loading of its plugins to their unloading. */
export class Harness {
  /** The root context: what the adapter asks for is asked for by the application itself. */
  root = new Context()

  constructor() {
    if (VERBOSE) this.root.logger.exporter({ export: toStderr })
  }

  /** Load the plugins, and take the services as the root context sees them. */
  async load() {
    const fibers = PLUGINS.map(([plugin, config]) => this.root.plugin(plugin, config))
    for (const fiber of fibers) await fiber
    this.factory = fibers[PLUGINS.findIndex(([plugin]) => plugin === AgentLoop)]
    this.sessions = this.root.sessions
    this.agents = this.root.agents
  }

  /** The loaded agent loop, if one is. */
  get agentLoop() {
    return this.root.agentLoop
  }

  /** Load an agent loop once more; one that cannot be loaded is unloaded again. */
  async loadFactory() {
    const fiber = this.root.plugin(AgentLoop, { agents: [] })
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
