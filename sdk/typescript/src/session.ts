/** A sandbox that stays: jobs, contexts, processes, files, snapshots. */
import { toBytes } from './bytes.js'
import { Execution, ExecutionStream, resumableStream, streamOf } from './execution.js'
import { Files } from './files.js'
import { given, inputOf } from './request.js'
import { type Transport, path } from './transport.js'
import type {
  Bytes,
  CallOptions,
  CellResult,
  Checkpoint,
  ContextInfo,
  ExecutionInfo,
  ExecutionResult,
  JobOptions,
} from './types.js'
import type { Listeners, ProcessInfo, ProcessOptions, SessionInfo, SnapshotInfo, State, What } from './types.js'

/** A process of a session: a job that can be talked to while it runs. A client that leaves does not end it. */
export class Process {
  private readonly route: string

  constructor(
    private readonly transport: Transport,
    sessionId: string,
    readonly id: string,
    public info: ProcessInfo,
  ) {
    this.route = path('sessions', sessionId, 'processes', id)
  }

  get state(): State {
    return this.info.state
  }

  async refresh(options: CallOptions = {}): Promise<this> {
    this.info = await this.transport.json('GET', this.route, options)
    return this
  }

  /** What it writes, from the first event behind number `after`; taken up again when a connection breaks. */
  events(after = 0, options: CallOptions = {}): ExecutionStream {
    return resumableStream(this.transport, this.route + '/events', after, options.signal)
  }

  /** Its result when it has ended. */
  wait(options: CallOptions & Listeners = {}): Promise<ExecutionResult> {
    return this.events(0, options).result(options)
  }

  /** Its input. Conflict when it does not read for 5 s, or has no open input. */
  async write(data: Bytes, options: CallOptions & { eof?: boolean } = {}): Promise<number> {
    const { signal, eof } = options
    const headers = { 'content-type': 'application/octet-stream' }
    const request = { signal, headers, query: { eof }, body: toBytes(data) }
    return (await this.transport.json<{ written: number }>('POST', this.route + '/stdin', request)).written
  }

  /** The end of its input: a pipe is closed, a terminal gets ^D. */
  async closeInput(options: CallOptions = {}): Promise<void> {
    await this.write('', { ...options, eof: true })
  }

  /** A signal to all of its processes: `INT`, `SIGTERM` or 9. */
  async signal(signal: string | number, options: CallOptions = {}): Promise<void> {
    this.info = await this.transport.json('POST', this.route + '/signal', { ...options, json: { signal } })
  }

  /** Its terminal has another size. */
  async resize(size: { rows: number; cols: number }, options: CallOptions = {}): Promise<void> {
    this.info = await this.transport.json('POST', this.route + '/resize', { ...options, json: size })
  }

  /** Ends it. Conflict when it had ended. */
  async kill(options: CallOptions = {}): Promise<State> {
    return (await this.transport.json<{ state: State }>('DELETE', this.route, options)).state
  }
}

/** A kernel: variables stay between cells. */
export class Context {
  private readonly route: string

  constructor(
    private readonly transport: Transport,
    public info: ContextInfo,
  ) {
    this.route = path('sessions', info.session_id, 'contexts', info.context_id)
  }

  get id(): string {
    return this.info.context_id
  }

  /** Runs a cell. `results` has what it showed, `exception` its error. */
  execute(code: string, options: CallOptions & Listeners & { timeout?: number } = {}): Promise<CellResult> {
    return this.stream(code, options).result(options)
  }

  stream(code: string, options: CallOptions & { timeout?: number } = {}): ExecutionStream<CellResult> {
    const body = given({ code, timeout: options.timeout })
    return streamOf(this.transport, this.route + '/execute', body, options.signal)
  }

  /** KeyboardInterrupt in the cell that runs. */
  async interrupt(options: CallOptions = {}): Promise<void> {
    this.info = await this.transport.json('POST', this.route + '/interrupt', options)
  }

  /** A new kernel in its place, without variables. */
  async restart(options: CallOptions = {}): Promise<void> {
    this.info = await this.transport.json('POST', this.route + '/restart', options)
  }

  async end(options: CallOptions = {}): Promise<void> {
    this.info = await this.transport.json('DELETE', this.route, options)
  }

  /** Keeps its variables and the session's workspace as they are: `undo()` goes back there. Python only. Conflict while
   *  a cell or a thread runs. */
  checkpoint(options: CallOptions = {}): Promise<Checkpoint> {
    return this.transport.json('POST', this.route + '/checkpoints', options)
  }

  /** What they were at this checkpoint, or at the last one; those made after it are gone (`dropped`). */
  undo(checkpointId?: string, options: CallOptions = {}): Promise<Checkpoint> {
    const request = { ...options, json: given({ checkpoint_id: checkpointId }) }
    return this.transport.json('POST', this.route + '/undo', request)
  }
}

/** See `Sandbox.createSession()`. It outlives this object: end() it, or let its ttl do so. */
export class Session {
  readonly files: Files
  private readonly route: string

  constructor(
    private readonly transport: Transport,
    readonly id: string,
    public info: Partial<SessionInfo> = {},
  ) {
    this.route = path('sessions', id)
    this.files = new Files(transport, this.route)
  }

  /** As of the last answer; `refresh()` asks. */
  get state(): SessionInfo['state'] {
    return this.info.state ?? 'starting'
  }

  private async told(method: string, route: string, options: CallOptions & { json?: unknown }): Promise<this> {
    this.info = await this.transport.json(method, this.route + route, options)
    return this
  }

  refresh(options: CallOptions = {}): Promise<this> {
    return this.told('GET', '', options)
  }

  /** It lives so many seconds from now. */
  extend(ttl: number, options: CallOptions = {}): Promise<this> {
    return this.told('POST', '/extend', { ...options, json: { ttl } })
  }

  /** All its processes stand still until resume(). */
  pause(options: CallOptions = {}): Promise<this> {
    return this.told('POST', '/pause', options)
  }

  resume(options: CallOptions = {}): Promise<this> {
    return this.told('POST', '/resume', options)
  }

  /** Ends it, and all its jobs. */
  end(options: CallOptions = {}): Promise<this> {
    return this.told('DELETE', '', options)
  }

  // ---- jobs ----

  private body(what: What, options: JobOptions): Record<string, unknown> {
    const { timeout, env, cwd } = options
    return given({ ...what, ...inputOf(options.stdin), timeout, env, cwd })
  }

  /** Runs a job and returns its result, whatever became of it; rejects when it did not run. */
  execute(what: What, options: JobOptions & Listeners = {}): Promise<ExecutionResult> {
    return this.stream(what, options).result(options)
  }

  stream(what: What, options: JobOptions = {}): ExecutionStream {
    return streamOf(this.transport, this.route + '/execute', this.body(what, options), options.signal)
  }

  /** A job in the background: it runs until it ends, or its session does. */
  async submit(what: What, options: JobOptions = {}): Promise<Execution> {
    const request = { json: { ...this.body(what, options), background: true }, signal: options.signal }
    const info = await this.transport.json<ExecutionInfo>('POST', this.route + '/execute', request)
    return new Execution(this.transport, info.execution_id, info)
  }

  /** A kernel of python, node or bash. */
  async createContext(language = 'python', options: CallOptions = {}): Promise<Context> {
    const request = { ...options, json: { language } }
    return new Context(this.transport, await this.transport.json('POST', this.route + '/contexts', request))
  }

  // ---- processes ----

  /** A job whose input stays open (`stdin`), or that has a terminal (`pty`). */
  async start(what: What, options: ProcessOptions = {}): Promise<Process> {
    const { signal, ...more } = options
    const json = given({ ...what, ...more })
    const info = await this.transport.json<ProcessInfo>('POST', this.route + '/processes', { json, signal })
    return new Process(this.transport, this.id, info.process_id, info)
  }

  async processes(options: CallOptions = {}): Promise<Process[]> {
    const route = this.route + '/processes'
    const found = await this.transport.json<{ processes: ProcessInfo[] }>('GET', route, options)
    return found.processes.map((p) => new Process(this.transport, this.id, p.process_id, p))
  }

  async process(processId: string, options: CallOptions = {}): Promise<Process> {
    const info = await this.transport.json<ProcessInfo>('GET', this.route + path('processes', processId), options)
    return new Process(this.transport, this.id, processId, info)
  }

  /** Asks a server of the session, `http://localhost:{port}{path}` inside. Its answer whatever the status (502 and 504:
   *  nothing answers there); redirects are not followed. */
  fetch(port: number, path = '/', init: RequestInit = {}): Promise<Response> {
    return this.transport.passOn(`${this.route}/ports/${port}`, path, init)
  }

  /** Keeps its workspace as it is now: `undo()` goes back there. Cheap: what has not changed is not copied. */
  checkpoint(options: CallOptions = {}): Promise<Checkpoint> {
    return this.transport.json('POST', this.route + '/checkpoints', options)
  }

  /** Its workspace is what it was at this checkpoint, or at the last one; those made after it are gone (`dropped`).
   *  Processes go on. */
  undo(checkpointId?: string, options: CallOptions = {}): Promise<Checkpoint> {
    const request = { ...options, json: given({ checkpoint_id: checkpointId }) }
    return this.transport.json('POST', this.route + '/undo', request)
  }

  /** Keeps its workspace. `createSession({ from: snapshot_id })` begins with it. */
  snapshot(options: CallOptions = {}): Promise<SnapshotInfo> {
    return this.transport.json('POST', this.route + '/snapshots', options)
  }
}
