/** Runs that have not ended: a stream, and an execution that goes on without this process. */
import { ConnectionLost, ExecutionFailed, SandboxFailed, Timeout, errorFrom, refusalOf } from './errors.js'
import type { Answer, Transport } from './transport.js'
import { path } from './transport.js'
import type {
  Artifact,
  CallOptions,
  ErrorDetails,
  ExecutionInfo,
  ExecutionResult,
  Listeners,
  Reason,
} from './types.js'
import type { State, StreamEvent } from './types.js'

const resumes = 5 // of a broken stream of events, without an event in between

/** Rejects unless the code completed. */
export function check<R extends ExecutionResult>(result: R): R {
  if (result.reason !== 'completed') throw new ExecutionFailed(result)
  return result
}

/** The exit code that the command line would have: the code's own, 124 for a deadline, 137 for a limit or a kill
 *  switch, 128 + N for a signal. */
export function exitCodeOf(result: ExecutionResult): number {
  if (result.reason === 'timeout') return 124
  if (result.reason === 'signal' && result.signal !== null) return 128 + result.signal
  return result.exit_code ?? 137
}

/** The events of one answer up to the result, with the end behind it, so that the connection can be used again. */
async function* eventsUpToResult<R extends ExecutionResult>(answer: Answer): AsyncGenerator<StreamEvent<R>> {
  let isOver = false
  for await (const event of answer.events()) {
    if (isOver) continue
    if (event['type'] === 'error') {
      const e = (event['error'] ?? {}) as { code?: string; message?: string; details?: ErrorDetails }
      throw errorFrom(e.code ?? 'internal_error', e.message ?? 'no message', e.details)
    }
    isOver = event['type'] === 'result'
    yield event as unknown as StreamEvent<R>
  }
}

/** Iterate it for events, or await `result()`. The request is sent by the first of the two. Leaving a stream of a run
 *  early ends the run. */
export class ExecutionStream<R extends ExecutionResult = ExecutionResult> implements AsyncIterable<StreamEvent<R>> {
  executionId: string | undefined
  private found: R | undefined
  private readonly events: AsyncGenerator<StreamEvent<R>>

  constructor(
    open: () => AsyncGenerator<StreamEvent<R>>,
    private readonly details: ErrorDetails = {},
  ) {
    this.events = this.read(open)
  }

  private async *read(open: () => AsyncGenerator<StreamEvent<R>>): AsyncGenerator<StreamEvent<R>> {
    try {
      for await (const event of open()) {
        if (event.type === 'started') this.executionId = event.execution_id
        if (event.type === 'result' && event.result) this.found = event.result
        yield event
      }
    } catch (e) {
      if (e instanceof ConnectionLost) Object.assign(e.details, this.details)
      throw e
    }
    if (!this.found) throw new ConnectionLost('the stream ended before the result', 'connection_lost', this.details)
  }

  [Symbol.asyncIterator](): AsyncGenerator<StreamEvent<R>> {
    return this.events
  }

  /** Reads what is left. Rejects where the code did not run. */
  async result(listeners: Listeners = {}): Promise<R> {
    for await (const event of this.events) {
      if (event.type === 'stdout') listeners.onStdout?.(event.data)
      if (event.type === 'stderr') listeners.onStderr?.(event.data)
    }
    const refusal = this.found && refusalOf(this.found)
    if (refusal) throw refusal
    if (!this.found)
      throw new ConnectionLost('the stream was left before the result', 'connection_lost', this.details)
    return this.found
  }
}

/** A stream that one request answers: it is the run's life. */
export function streamOf<R extends ExecutionResult>(
  transport: Transport,
  route: string,
  body: Record<string, unknown>,
  signal: AbortSignal | undefined,
  key?: string,
): ExecutionStream<R> {
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
  const open = async function* () {
    const answer = await transport.events('POST', route, { json: { ...body, stream: true }, headers, signal })
    yield* eventsUpToResult<R>(answer)
  }
  return new ExecutionStream<R>(open, key ? { idempotency_key: key } : {})
}

/** The events at a route that numbers them; a stream that breaks off is taken up behind the last event that came.
 *  Leaving it leaves the execution alone. */
export function resumableStream<R extends ExecutionResult>(
  transport: Transport,
  route: string,
  after: number,
  signal: AbortSignal | undefined,
): ExecutionStream<R> {
  const open = async function* () {
    for (let failures = 0, last = after; failures <= resumes; failures++) {
      const headers: Record<string, string> = last ? { 'last-event-id': String(last) } : {}
      try {
        for await (const event of eventsUpToResult<R>(await transport.events('GET', route, { headers, signal }))) {
          failures = 0
          last = event.number ?? last
          yield event
          if (event.type === 'result') return
        }
      } catch (e) {
        if (!(e instanceof ConnectionLost || (e instanceof Timeout && e.code === 'client_timeout'))) throw e
      }
    }
  }
  return new ExecutionStream<R>(open)
}

/** An execution that the service runs for us. It outlives this object and this process. */
export class Execution {
  constructor(
    private readonly transport: Transport,
    readonly id: string,
    public info: Partial<ExecutionInfo> = {},
  ) {}

  /** As of the last answer; `refresh()` asks. */
  get state(): State {
    return this.info.state ?? 'queued'
  }

  get reason(): Reason | null {
    return this.info.reason ?? null
  }

  /** Asks the service for its state. */
  async refresh(options: CallOptions = {}): Promise<this> {
    this.info = await this.transport.json('GET', path('executions', this.id), options)
    return this
  }

  /** Its result when it has ended. Rejects with Timeout when it goes on for longer than `timeout` seconds (it is left
   *  alone), and as execute() does where the code did not run. */
  async wait(options: CallOptions & { timeout?: number } = {}): Promise<ExecutionResult> {
    const clock = new AbortController()
    const follow = () => clock.abort(options.signal?.reason)
    let isLate = false
    const late = () => {
      isLate = true
      clock.abort()
    }
    const timer = options.timeout === undefined ? undefined : setTimeout(late, options.timeout * 1000)
    if (options.signal?.aborted) follow()
    options.signal?.addEventListener('abort', follow, { once: true })
    try {
      await this.events(0, { signal: clock.signal }).result()
    } catch (e) {
      if (!isLate && !(e instanceof ConnectionLost && e.code === 'connection_lost')) throw e
    } finally {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', follow)
    }
    await this.refresh({ signal: options.signal })
    const result = this.info.result
    if (this.state !== 'finished') {
      const text = `${this.id} is ${this.state} after ${options.timeout} s`
      throw new Timeout(text, 'client_timeout', { execution_id: this.id }, undefined, true)
    }
    if (!result) {
      const text = `${this.id} ended (${this.reason}), and its result was not kept`
      throw new SandboxFailed(text, 'not_kept', { execution_id: this.id })
    }
    const refusal = refusalOf(result)
    if (refusal) throw refusal
    return result
  }

  /** From the first event behind number `after`, past ones first. */
  events(after = 0, options: CallOptions = {}): ExecutionStream {
    return resumableStream(this.transport, path('executions', this.id, 'events'), after, options.signal)
  }

  /** Kills it. Conflict when it had finished. */
  async cancel(options: CallOptions & { reason?: string } = {}): Promise<State> {
    const request = { signal: options.signal, query: { reason: options.reason } }
    return (await this.transport.json<{ state: State }>('DELETE', path('executions', this.id), request)).state
  }

  /** The files that were kept of it. */
  async artifacts(options: CallOptions = {}): Promise<Artifact[]> {
    const route = path('executions', this.id, 'artifacts')
    return (await this.transport.json<{ artifacts: Artifact[] }>('GET', route, options)).artifacts
  }

  /** The bytes of one of them: `role/name`, or shorter where that is clear. */
  async artifact(name: string, options: CallOptions = {}): Promise<Uint8Array> {
    const request = { ...options, headers: { accept: '*/*' } }
    return (await this.transport.open('GET', path('executions', this.id, 'artifacts', name), request)).bytes()
  }
}
