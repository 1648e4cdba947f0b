/**
 * Refusals: how an error becomes a code of the protocol.
 */

import { SessionForkError } from '@deepseek-ai/dsh-session'

/** An error of the adapter's own: DSH was not asked. */
export class Declined extends Error {
  /** @param {'UNBOUND' | 'HANDLE_IN_USE'} code */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/** The error that a script throws: whoever gets it gets this very object, tag and all. */
export class ScriptError extends Error {
  constructor(tag) {
    super(`thrown by the script: ${tag}`)
    this.tag = tag
  }
}

/**
 * THE table: DSH's error messages and the codes that they mean, the first match counts.
 *
 * DSH gives its lifecycle errors no codes, so the wording has to tell them apart. Ids stand in
 * the messages and may be anything, hence the anchors and `.*` (with `s`, for ids with newlines).
 */
const MESSAGES = [
  [/^session ".*" already exists$/s, 'ID_TAKEN'],
  [/^session ".*" is already attached to a store$/s, 'ALREADY_ATTACHED'],
  [/^session ".*" is not live in this store$/s, 'NOT_LIVE'],
  [/^session ".*" was already announced$/s, 'ALREADY_ANNOUNCED'],

  [/^session header is not a plain JSON record$/, 'HEADER_NOT_JSON'],
  [/^session header is not losslessly JSON-serializable$/, 'HEADER_NOT_JSON'],
  [/^session header version must be 0, got /, 'HEADER_VERSION'],
  [/^session header id ".*" does not match session id ".*"$/s, 'HEADER_ID'],
  [/^session header createdAt must be /, 'HEADER_CREATED_AT'],
  [/^session header cwd must be /, 'HEADER_CWD'],
  [/^session header (parentSession|seedLength|origin|delegationDepth|agentPreset) must be /, 'HEADER_FIELD'],

  [/^seed event at index \d+ is not losslessly JSON-serializable$/, 'SEED_NOT_JSON'],
  [/^seed event at index \d+ has seq \d+ \(expected \d+\)/, 'SEED_SEQ'],
  [/^seed event at index \d+ has an invalid event envelope$/, 'SEED_ENVELOPE'],
  [/^seed event at index \d+ uses unsupported legacy /, 'SEED_ENVELOPE'],
  [/^invalid seed event at index \d+: /, 'SEED_ENVELOPE'],
  [/^seed (request\/header|user\/message|assistant\/message|tool\/result) at index \d+ /, 'SEED_ENVELOPE'],

  [/^session event ".*" carries non-JSON-serializable data$/s, 'DATA_NOT_JSON'],
  [/^session append cannot reenter while another append is being published$/, 'APPEND_REENTERED'],

  [/^agent ".*" is already registered$/s, 'AGENT_ID_TAKEN'],
  [/^agent id ".*" does not match session id ".*"$/s, 'AGENT_ID_MISMATCH'],
  [/^agent ".*" is not live in this registry$/s, 'AGENT_NOT_LIVE'],
  [/^agent ".*" was already announced$/s, 'AGENT_ALREADY_ANNOUNCED'],
  [/^agent ".*" already has active work$/s, 'BUSY'],

  [/^cannot create effect on inactive context$/, 'INACTIVE'],
  [/^cannot get required service ".*" in inactive context$/, 'INACTIVE'],
  [/^agent loop is not active$/, 'INACTIVE'],
  [/^agent ".*" setup aborted: owner disposed during setup$/s, 'OWNER_DISPOSED'],
  [/^no agent factory registered/, 'NO_FACTORY'],
  [/^an agent factory is already registered$/, 'FACTORY_TAKEN'],
  [/^service "agentLoop" has been registered/, 'FACTORY_TAKEN'],

  [/^cannot resume: session persistence is not configured/, 'NO_PERSISTENCE'],
  [/^session ".*" not found$/s, 'NOT_STORED'],
  [/^session ".*" uses log format v/s, 'UNSUPPORTED'],
  [/^session ".*" contains event type ".*" \(seq \d+\) unknown to this harness/s, 'UNSUPPORTED'],
  [/^stored session ".*" failed validation: /s, 'UNREADABLE'],
  [/^session ".*" contains (malformed|unsupported) /s, 'UNREADABLE'],
  [/^corrupt session log/, 'UNREADABLE'],
  [/^cannot prepare session ".*" while it is live$/s, 'STILL_LIVE'],
  [/^session ".*" already has a live persistence owner$/s, 'STILL_OWNED'],
  [/^cannot publish session ".*": persisted state already owns this identity$/s, 'RESERVED'],
  [/\(id collision\)$/, 'STORED_OTHERWISE'],
  [/^append seq mismatch for /, 'STORED_OTHERWISE'],
  [/^cannot encode an empty path segment$/, 'UNSTORABLE'],
  [/^session ".*" already (exists in this backend|has a persisted log on disk)/s, 'STORED_OTHERWISE'],
  [/^invalid config:/, 'CONFIG_INVALID'],
  [/^agent ".*": sessionId and resumeSessionId are mutually exclusive$/s, 'IDENTITY_TWICE'],
  [/^agents ".*" and ".*" use duplicate exact session identity ".*"$/s, 'IDENTITY_SHARED'],

  [/^agent ".*" (creation aborted|lifecycle disposed|setup aborted: .*)$/s, 'ABORTED'],
]

/** The outcome of a command or operation that ended with this error. */
export function refusal(error) {
  const says = error instanceof Error ? error.message : String(error)
  if (error instanceof ScriptError) return { is: 'refused', code: 'THROWN', tag: error.tag, says }
  if (error instanceof Declined) return { is: 'refused', code: error.code, says }
  if (error instanceof SessionForkError) return { is: 'refused', code: error.code, says }
  const row = MESSAGES.find(([pattern]) => pattern.test(says))
  return { is: 'refused', code: row?.[1] ?? 'UNKNOWN', says }
}
