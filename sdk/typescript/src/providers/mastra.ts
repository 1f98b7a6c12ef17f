/** Mastra: `new Workspace({ sandbox: new MastraSandboxAgent(new Sandbox()) })`. The session begins with start(). */
import type { Sandbox } from '../client.js'
import { SandboxError } from '../errors.js'
import type { Session } from '../session.js'
import type { SessionOptions } from '../types.js'
import { type CommandOptions, about, quote, run } from './command.js'

type Written = { path: string; content: string | Uint8Array; mode?: number }

export class MastraSandboxAgent {
  readonly name = 'sandbox-agent'
  readonly provider = 'sandbox-agent'
  readonly supportsCheckpoints = false // a snapshot has an id of its own, Mastra's checkpoints have names
  status: 'pending' | 'starting' | 'running' | 'stopping' | 'stopped' | 'destroying' | 'destroyed' | 'error' =
    'pending'
  session: Session | undefined
  private starting: Promise<void> | undefined

  constructor(
    private readonly client: Sandbox,
    private readonly options: SessionOptions = {},
    readonly id = 'sandbox-agent-' + crypto.randomUUID(),
  ) {}

  /** Calls that come together begin one session. */
  start(): Promise<void> {
    this.starting ??= this.begin().catch((e: unknown) => {
      this.starting = undefined
      this.status = 'error'
      throw e
    })
    return this.starting
  }

  private async begin(): Promise<void> {
    this.status = 'starting'
    if (this.session) await this.session.resume()
    else this.session = await this.client.createSession(this.options)
    this.status = 'running'
  }

  /** Its processes stand still until start(). */
  async stop(): Promise<void> {
    await this.session?.pause()
    this.starting = undefined
    this.status = 'stopped'
  }

  async destroy(): Promise<void> {
    await this.session?.end()
    this.session = this.starting = undefined
    this.status = 'destroyed'
  }

  isReady = (): boolean => this.status === 'running'

  private async running(): Promise<Session> {
    await this.start()
    if (!this.session) throw new SandboxError('the session has ended', 'not_found')
    return this.session
  }

  async getInfo() {
    const { id, name, provider, status, session: s } = this
    const times = s && { createdAt: new Date(s.info.created_at!), timeoutAt: new Date(s.info.expires_at!) }
    return { id, name, provider, status, createdAt: new Date(0), ...times, metadata: { ...s?.info } }
  }

  getInstructions = (): string => about

  async executeCommand(command: string, args: string[] = [], options: CommandOptions = {}) {
    const line = [command, ...args.map(quote)].join(' ')
    const { exitCode, stdout, stderr, result } = await run(await this.running(), line, options)
    return {
      command,
      args,
      success: exitCode === 0,
      exitCode,
      stdout,
      stderr,
      executionTimeMs: result?.duration_ms ?? 0,
      timedOut: result?.reason === 'timeout',
      killed: result?.reason === 'killed',
      stdoutTruncated: result?.stdout_truncated ?? false,
      stderrTruncated: result?.stderr_truncated ?? false,
    }
  }

  async writeFiles(files: Written[], options: { abortSignal?: AbortSignal } = {}): Promise<void> {
    const session = await this.running()
    for (const { path, content, mode } of files) {
      await session.files.write(path, content, { signal: options.abortSignal, ...(mode && { mode }) })
    }
  }

  /** Keeps the workspace; `session.snapshot()` also says the id. */
  async snapshot(): Promise<void> {
    await (await this.running()).snapshot()
  }
}
