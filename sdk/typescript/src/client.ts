/** The client: runs, and what is known of them. */
import { toBase64 } from './bytes.js'
import { SandboxError } from './errors.js'
import { Execution, ExecutionStream, streamOf } from './execution.js'
import { parseObject } from './lines.js'
import { build, given, limitsOf, stricter } from './request.js'
import { Session } from './session.js'
import { type Options, Transport, newKey, path } from './transport.js'
import type { Artifact, BatchLine, CallOptions, ExecutionInfo, ExecutionResult, Level } from './types.js'
import type {
  AgentInfo,
  Listeners,
  PackageSet,
  RunOptions,
  ScanReport,
  SessionInfo,
  SessionOptions,
  SnapshotInfo,
} from './types.js'

/** One program of a batch: what /execute takes. */
export type BatchProgram = RunOptions & { language: string; code?: string }

export interface ExecutionFilters extends CallOptions {
  agentId?: string
  state?: 'queued' | 'running' | 'finished'
  reason?: string
  riskLevel?: Level
  since?: string | number
  until?: string | number
  before?: string
  limit?: number
}

/** Runs code that an agent wrote, through sandboxd. Nothing is connected before the first call. */
export class Sandbox {
  private readonly transport: Transport

  constructor(options: Options = {}) {
    this.transport = new Transport(options)
  }

  // ---- runs ----

  /** Runs code and returns its result, whatever became of it; rejects when it did not run. With listeners, output comes
   *  as it is written. The run ends when `signal` fires. (The answer is a stream in any case: a fetch that waits for a
   *  whole answer gives up after five minutes on Node.) */
  execute(
    language: string,
    code: string | undefined,
    options: RunOptions & Listeners = {},
  ): Promise<ExecutionResult> {
    return this.stream(language, code, options).result(options)
  }

  /** The events of one run, as they happen; the last one has the result. */
  stream(language: string, code: string | undefined, options: RunOptions = {}): ExecutionStream {
    const key = options.idempotencyKey ?? newKey()
    return streamOf(this.transport, '/execute', build(language, code, options), options.signal, key)
  }

  /** Hands it to the service and returns at once. */
  async submit(language: string, code: string | undefined, options: RunOptions = {}): Promise<Execution> {
    const info = await this.transport.json<ExecutionInfo>('POST', '/executions', {
      json: build(language, code, options),
      headers: { 'idempotency-key': options.idempotencyKey ?? newKey() },
      signal: options.signal,
    })
    return new Execution(this.transport, info.execution_id, info)
  }

  /** Runs many programs; a line for each as it ends, in that order. Leaving it ends what runs. */
  async *batch(programs: Iterable<BatchProgram>, options: CallOptions = {}): AsyncGenerator<BatchLine> {
    const body = Array.from(programs, (p) => JSON.stringify(build(p.language, p.code, p)) + '\n').join('')
    const headers = { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' }
    const answer = await this.transport.open('POST', '/executions:batch', {
      ...options,
      body,
      headers,
      timeout: 3600,
    })
    for await (const line of answer.lines()) yield parseObject(line, 'a line') as unknown as BatchLine
  }

  /** An execution that was submitted earlier, also by another process. */
  execution(executionId: string, options: CallOptions = {}): Promise<Execution> {
    return new Execution(this.transport, executionId).refresh(options)
  }

  /** One page of the executions that the service knows, the latest first; `before`: the last id of a page. */
  async executions(filters: ExecutionFilters = {}): Promise<Execution[]> {
    const { signal, agentId, riskLevel, ...rest } = filters
    const request = { signal, query: { agent_id: agentId, risk_level: riskLevel, ...rest } }
    const page = await this.transport.json<{ executions: ExecutionInfo[] }>('GET', '/executions', request)
    return page.executions.map((e) => new Execution(this.transport, e.execution_id, e))
  }

  /** Kills an execution. Its state; Conflict when it had finished. */
  cancel(executionId: string, options: CallOptions = {}): Promise<string> {
    return new Execution(this.transport, executionId).cancel(options)
  }

  /** The files that were kept of an execution. */
  artifacts(executionId: string, options: CallOptions = {}): Promise<Artifact[]> {
    return new Execution(this.transport, executionId).artifacts(options)
  }

  /** The bytes of one of them. */
  artifact(executionId: string, name: string, options: CallOptions = {}): Promise<Uint8Array> {
    return new Execution(this.transport, executionId).artifact(name, options)
  }

  // ---- sessions ----

  /** A sandbox that stays (docs/sessions.md). */
  async createSession(options: SessionOptions = {}): Promise<Session> {
    const { files } = options
    const json = given({
      agent_id: options.agentId,
      risk_level: stricter(options.riskLevel),
      ttl: options.ttl,
      env: options.env,
      metadata: options.metadata,
      limits: limitsOf({ memory: options.memory!, cpu: options.cpu! }),
      network: options.network && { mode: options.network },
      from: options.from,
      packages: options.packages,
      volumes: options.volumes,
      files: files && Object.fromEntries(Object.entries(files).map(([name, data]) => [name, toBase64(data)])),
    })
    const info = await this.transport.json<SessionInfo>('POST', '/sessions', { json, signal: options.signal })
    return new Session(this.transport, info.session_id, info)
  }

  /** A session for as long as `work` takes, however that ends. */
  async withSession<T>(options: SessionOptions, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.createSession(options)
    try {
      return await work(session)
    } finally {
      await session.end().catch(() => undefined) // it may have ended by itself
    }
  }

  /** One that was created earlier, also by another process with the same key. */
  session(sessionId: string, options: CallOptions = {}): Promise<Session> {
    return new Session(this.transport, sessionId).refresh(options)
  }

  /** Those that live and the last that ended, the newest first. metadata: only those that have all of these. */
  async sessions(
    filters: CallOptions & { state?: SessionInfo['state']; metadata?: Record<string, string> } = {},
  ): Promise<Session[]> {
    const query: Record<string, string | undefined> = { state: filters.state }
    for (const [name, value] of Object.entries(filters.metadata ?? {})) query['metadata.' + name] = value
    const request = { query, signal: filters.signal }
    const found = await this.transport.json<{ sessions: SessionInfo[] }>('GET', '/sessions', request)
    return found.sessions.map((s) => new Session(this.transport, s.session_id, s))
  }

  /** The workspaces that are kept. */
  async snapshots(options: CallOptions = {}): Promise<SnapshotInfo[]> {
    return (await this.transport.json<{ snapshots: SnapshotInfo[] }>('GET', '/snapshots', options)).snapshots
  }

  /** Removes one; sessions that began with it keep what they have. */
  removeSnapshot(snapshotId: string, options: CallOptions = {}): Promise<SnapshotInfo> {
    return this.transport.json('DELETE', path('snapshots', snapshotId), options)
  }

  // ---- packages ----

  /** Builds a set of packages: `python` is a requirements file's text, `node` a package.json's. */
  createPackages(
    name: string,
    what: { python: string } | { node: string },
    options: CallOptions = {},
  ): Promise<PackageSet> {
    return this.transport.json('POST', '/packages', { ...options, json: { name, ...what } })
  }

  async packages(options: CallOptions = {}): Promise<PackageSet[]> {
    return (await this.transport.json<{ packages: PackageSet[] }>('GET', '/packages', options)).packages
  }

  package(name: string, options: CallOptions = {}): Promise<PackageSet> {
    return this.transport.json('GET', path('packages', name), options)
  }

  async removePackages(name: string, options: CallOptions = {}): Promise<void> {
    await (await this.transport.open('DELETE', path('packages', name), options)).bytes()
  }

  // ---- what is known ----

  /** What the scan before a run would find. Nothing runs. */
  scan(language: string, code: string, options: CallOptions = {}): Promise<ScanReport> {
    return this.transport.json('POST', '/scan', { ...options, json: { language, code } })
  }

  /** One page of the agents that are known; `after`: the last id of a page. */
  async agents(filters: CallOptions & { after?: string; limit?: number } = {}): Promise<AgentInfo[]> {
    const { signal, ...query } = filters
    return (await this.transport.json<{ agents: AgentInfo[] }>('GET', '/agents', { signal, query })).agents
  }

  /** One agent's trust, standing and counters; NotFound where it is not known. */
  agent(agentId: string, options: CallOptions = {}): Promise<AgentInfo> {
    return this.transport.json('GET', path('agents', agentId), options)
  }

  /** Sets an agent's trust, from 0 to 1; the reason goes into the audit. */
  setTrust(agentId: string, trust: number, reason: string, options: CallOptions = {}): Promise<AgentInfo> {
    return this.transport.json('PATCH', path('agents', agentId), { ...options, json: { trust, reason } })
  }

  /** Refuses an agent's code until it is released, or for good (`ban`). */
  setStanding(
    agentId: string,
    what: 'quarantine' | 'release' | 'ban',
    reason: string,
    options: CallOptions = {},
  ): Promise<AgentInfo> {
    return this.transport.json('POST', path('agents', agentId, what), { ...options, json: { reason } })
  }

  /** The profiles of all levels, in short. */
  async profiles(options: CallOptions = {}): Promise<Record<string, unknown>[]> {
    const found = await this.transport.json<{ profiles: Record<string, unknown>[] }>('GET', '/profiles', options)
    return found.profiles
  }

  /** Every setting of one level's profile. */
  profile(level: Level, options: CallOptions = {}): Promise<Record<string, unknown>> {
    return this.transport.json('GET', path('profiles', level), options)
  }

  /** One page of the audit's events, by the parameters of GET /audit. */
  async audit(
    query: Record<string, string | number | undefined> = {},
    options: CallOptions = {},
  ): Promise<Record<string, unknown>[]> {
    const found = await this.transport.json<{ events: Record<string, unknown>[] }>('GET', '/audit', {
      ...options,
      query,
    })
    return found.events
  }

  /** What this installation can do. */
  capabilities(options: CallOptions = {}): Promise<Record<string, unknown>> {
    return this.transport.json('GET', '/capabilities', options)
  }

  /** What the service says of itself at /readyz. Unavailable when it is not ready, or not there. */
  health(options: CallOptions = {}): Promise<Record<string, unknown>> {
    return this.transport.json('GET', '/readyz', { ...options, outside: true })
  }

  /** Whether health() succeeds. */
  async isAvailable(options: CallOptions = {}): Promise<boolean> {
    try {
      await this.health(options)
      return true
    } catch (e) {
      if (e instanceof SandboxError) return false
      throw e
    }
  }
}
