/**
 * HTTP to the service, by fetch: addresses, keys, deadlines, errors, and what can be tried a second time.
 *
 * A call is sent again by itself only where nothing ran: 429 and 503 (for as long as Retry-After says, within
 * `maxRetryWait`), an address where nothing listens, and a connection that broke before the answer, if the request can
 * be repeated: it reads, replaces a file, or carries an Idempotency-Key. Redirects are not followed: the key goes to
 * the address that was configured and nowhere else.
 */
import {
  ConnectionLost,
  InvalidRequest,
  RateLimited,
  SandboxError,
  Timeout,
  Unavailable,
  errorFrom,
} from './errors.js'
import { eventsOf, linesOf, parseObject } from './lines.js'
import type { ErrorDetails } from './types.js'

export type Fetch = typeof globalThis.fetch

export interface Options {
  /** http://host:port; without a path, /api/v1/sandbox. Else SANDBOX_AGENT_URL, else http://127.0.0.1:8080 */
  url?: string
  /** Else SANDBOX_AGENT_API_KEY */
  apiKey?: string
  /** Seconds for answers other than an execution's; 60 */
  timeout?: number
  /** Further attempts; 2 */
  retries?: number
  /** Seconds, all pauses between attempts together; 10 */
  maxRetryWait?: number
  /** Instead of the global one */
  fetch?: Fetch
}

export interface Request {
  query?: Record<string, string | number | boolean | undefined>
  json?: unknown
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** seconds until the answer begins; each read of a stream has as much */
  timeout?: number | undefined
  /** outside the base path: /readyz and the like */
  outside?: boolean
}

const basePath = '/api/v1/sandbox'
const silence = 60 // seconds; the service writes a comment into a quiet stream every ten

/** A variable of the environment, where there is one: Node, Bun, Deno (with --allow-env). */
export function variable(name: string): string | undefined {
  const world = globalThis as {
    process?: { env?: Record<string, string | undefined> }
    Deno?: { env: { get(name: string): string | undefined } }
  }
  try {
    return (world.process?.env?.[name] ?? world.Deno?.env.get(name)) || undefined
  } catch {
    return undefined // Deno without the permission
  }
}

/** `/a/b c` from its parts. */
export const path = (...parts: string[]): string => parts.map((p) => '/' + encodeURIComponent(p)).join('')

/** An Idempotency-Key. It has to be new, not secret: Node 18 has no global crypto. */
export function newKey(): string {
  const random = new Uint8Array(16).map(() => Math.random() * 256)
  const bytes = globalThis.crypto?.getRandomValues(random) ?? random
  return 'js-' + Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')
}

function address(given: string): { root: string; base: string; isLocal: boolean } {
  let url: URL
  try {
    url = new URL(given)
  } catch {
    throw new InvalidRequest(
      `${JSON.stringify(given)}: expected http://host:port or https://host`,
      'bad_configuration',
    )
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new InvalidRequest(`${given}: expected http or https; fetch has no UNIX sockets`, 'bad_configuration')
  }
  if (url.username || url.password) {
    throw new InvalidRequest('a key does not belong in the URL: use apiKey', 'bad_configuration')
  }
  if (url.search || url.hash) throw new InvalidRequest(`${given}: expected no query`, 'bad_configuration')
  const base = url.pathname.replace(/\/+$/, '') || basePath
  return {
    base: url.origin + base,
    root: url.origin + (base.endsWith(basePath) ? base.slice(0, -basePath.length) : ''),
    isLocal: /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname),
  }
}

/** An AbortController that follows the caller's signal and a clock that can be wound up again. */
class Deadline {
  readonly controller = new AbortController()
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly follow: () => void
  isOver = false

  constructor(readonly outer: AbortSignal | undefined) {
    this.follow = () => this.controller.abort()
    if (outer?.aborted) this.controller.abort()
    else outer?.addEventListener('abort', this.follow, { once: true })
  }

  /** Seconds from now; 2147483 at most, which is setTimeout's. */
  wind(seconds: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(
      () => {
        this.isOver = true
        this.controller.abort()
      },
      Math.min(seconds, 2147483) * 1000,
    )
  }

  /** It does not run while the caller has what came, and takes its time. */
  rest(): void {
    clearTimeout(this.timer)
  }

  stop(): void {
    clearTimeout(this.timer)
    this.outer?.removeEventListener('abort', this.follow)
  }
}

/** What the caller's signal says, as fetch rejects. */
export function aborted(signal: AbortSignal): unknown {
  return signal.reason ?? new DOMException('This operation was aborted', 'AbortError')
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      clearTimeout(timer)
      reject(aborted(signal!))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', wake)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) wake()
    else signal?.addEventListener('abort', wake, { once: true })
  })
}

async function errorOf(answer: Response): Promise<SandboxError> {
  const text = await answer.text().catch(() => '')
  let error: { code?: unknown; message?: unknown; details?: unknown } = {}
  try {
    error = JSON.parse(text).error ?? {}
  } catch {
    // not ours: a proxy's page
  }
  const details = { ...(typeof error.details === 'object' ? error.details : {}) } as ErrorDetails
  const after = Number(answer.headers.get('retry-after'))
  if (details.retry_after_seconds === undefined && after > 0) details.retry_after_seconds = after
  const message = typeof error.message === 'string' ? error.message : `HTTP status ${answer.status}`
  return errorFrom(typeof error.code === 'string' ? error.code : 'bad_answer', message, details, answer.status)
}

/** An answer whose body is read under the same deadline; `close()` when it was, or is not wanted. */
export class Answer {
  constructor(
    readonly response: Response,
    private readonly deadline: Deadline,
    private readonly transport: Transport,
    private readonly seconds: number,
  ) {}

  close(): void {
    this.deadline.stop()
    this.deadline.controller.abort()
  }

  /** The whole body. */
  async bytes(): Promise<Uint8Array> {
    this.deadline.wind(this.seconds)
    try {
      return new Uint8Array(await this.response.arrayBuffer())
    } catch (e) {
      throw this.transport.failure(e, this.deadline, true)
    } finally {
      this.deadline.stop()
    }
  }

  async json<T>(): Promise<T> {
    return parseObject(new TextDecoder().decode(await this.bytes()), 'the answer') as T
  }

  /** The body as it comes; each piece has as much time as the answer had. */
  stream(): ReadableStream<Uint8Array> {
    const reader = this.response.body?.getReader()
    const { deadline, transport, seconds } = this
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          deadline.wind(seconds)
          try {
            const piece = await reader?.read()
            deadline.rest()
            if (piece?.value) controller.enqueue(piece.value)
            if (!piece || piece.done) {
              deadline.stop()
              controller.close()
            }
          } catch (e) {
            const failure = transport.failure(e, deadline, true)
            deadline.stop()
            controller.error(failure)
          }
        },
        cancel: () => this.close(),
      },
      { highWaterMark: 0 },
    )
  }

  events(): AsyncGenerator<Record<string, unknown>> {
    return eventsOf(this.stream())
  }

  lines(): AsyncGenerator<string> {
    return linesOf(this.stream(), true)
  }
}

export class Transport {
  private readonly base: string
  private readonly root: string
  private readonly key: string | undefined
  private readonly timeout: number
  private readonly retries: number
  private readonly maxRetryWait: number
  private readonly fetch: Fetch

  constructor(options: Options) {
    const found = address(options.url ?? variable('SANDBOX_AGENT_URL') ?? 'http://127.0.0.1:8080')
    this.base = found.base
    this.root = found.root
    this.key = options.apiKey ?? variable('SANDBOX_AGENT_API_KEY')
    this.timeout = options.timeout ?? 60
    this.retries = options.retries ?? 2
    this.maxRetryWait = options.maxRetryWait ?? 10
    this.fetch = options.fetch ?? ((...words: Parameters<Fetch>) => globalThis.fetch(...words))
    if (this.key && !found.isLocal && found.base.startsWith('http:')) {
      console.warn(`sandbox-agent: the key travels readable to ${found.base}: use https`)
    }
  }

  /** An answer with a status of success; everything else rejects, after its retries. */
  async open(method: string, route: string, request: Request = {}): Promise<Answer> {
    let left = this.maxRetryWait
    for (let number = 0; ; number++) {
      try {
        return await this.once(method, route, request)
      } catch (error) {
        const pause = this.pause(error, number, method, request)
        if (pause === undefined || pause > left || number >= this.retries) throw error
        left -= pause
        await sleep(pause, request.signal)
      }
    }
  }

  async json<T>(method: string, route: string, request?: Request): Promise<T> {
    return (await this.open(method, route, request)).json<T>()
  }

  /** A stream of Server-Sent Events. */
  async events(method: string, route: string, request: Request): Promise<Answer> {
    const headers = { ...request.headers, accept: 'text/event-stream' }
    return this.open(method, route, { ...request, headers, timeout: silence })
  }

  /** A request below `place` for somebody else than the service, sent once; the answer as it is. */
  async passOn(place: string, path: string, init: RequestInit): Promise<Response> {
    const url = new URL(this.base + place + '/' + path.replace(/^\//, ''))
    if (!url.href.startsWith(this.base + place + '/')) {
      throw new InvalidRequest(`${path}: expected a path that does not lead above its root`, 'invalid_value')
    }
    const headers = new Headers(init.headers)
    if (this.key) headers.set('authorization', 'Bearer ' + this.key)
    const more = init.body instanceof ReadableStream ? { duplex: 'half' } : {}
    try {
      return await this.fetch(url, { ...init, ...more, headers, redirect: 'manual' })
    } catch (e) {
      throw this.failure(e, new Deadline(init.signal ?? undefined), false)
    }
  }

  private url(route: string, request: Request): string {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined && value !== false) query.set(name, value === true ? '' : String(value))
    }
    const text = query.toString()
    return (request.outside ? this.root : this.base) + route + (text ? '?' + text : '')
  }

  private async once(method: string, route: string, request: Request): Promise<Answer> {
    const deadline = new Deadline(request.signal)
    const seconds = request.timeout ?? this.timeout
    const headers: Record<string, string> = { accept: 'application/json', ...request.headers }
    if (this.key && !request.outside) headers['authorization'] = 'Bearer ' + this.key
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers,
      redirect: 'error',
      signal: deadline.controller.signal,
    }
    if (request.json !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = JSON.stringify(request.json)
    } else if (request.body !== undefined) {
      init.body = request.body as BodyInit
      if (request.body instanceof ReadableStream) init.duplex = 'half'
    }
    deadline.wind(seconds)
    let response: Response
    try {
      response = await this.fetch(this.url(route, request), init)
    } catch (e) {
      deadline.stop()
      throw this.failure(e, deadline, false)
    }
    if (response.ok) {
      deadline.rest()
      return new Answer(response, deadline, this, seconds)
    }
    const error = await errorOf(response)
    deadline.stop()
    throw error
  }

  /** Why a fetch, or the reading of its answer, rejected. */
  failure(e: unknown, deadline: Deadline, hasAnswer: boolean): unknown {
    if (e instanceof SandboxError) return e
    if (deadline.isOver) return new Timeout('the service did not answer in time', 'client_timeout')
    if (deadline.outer?.aborted) return aborted(deadline.outer)
    const cause = e instanceof Error ? (e.cause as { code?: string } | undefined) : undefined
    const code = cause?.code ?? (e as { code?: string } | undefined)?.code ?? '' // Node's; Bun's
    const text = String(cause ?? e)
    const isRefused = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ConnectionRefused)$/.test(code)
    if (!hasAnswer && (isRefused || /connection refused/i.test(text))) {
      return new Unavailable(`nothing answers at ${this.base}: ${code || text}`, 'unavailable')
    }
    return new ConnectionLost(`the connection to ${this.base} broke off: ${text}`, 'connection_lost')
  }

  private pause(error: unknown, number: number, method: string, request: Request): number | undefined {
    if (request.body instanceof ReadableStream) return undefined // it was read
    const again = error instanceof RateLimited || error instanceof Unavailable
    const canRepeat = method === 'GET' || method === 'PUT' || request.headers?.['idempotency-key'] !== undefined
    if (!again && !(error instanceof ConnectionLost && error.code === 'connection_lost' && canRepeat))
      return undefined
    return (error as SandboxError).retryAfter ?? 0.1 * 2 ** number * (0.5 + Math.random())
  }
}
