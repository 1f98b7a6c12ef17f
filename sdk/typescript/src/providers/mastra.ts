/** Mastra: `new Workspace({ sandbox: new MastraSandboxAgent(new Sandbox()) })`. The session begins with start(). */
import type { Sandbox } from '../client.js'
import { SandboxError } from '../errors.js'
import type { Session } from '../session.js'
import type { SessionOptions } from '../types.js'
import { quote, run } from './command.js'

interface CommandOptions {
  timeout?: number
  env?: Record<string, string | undefined>
  cwd?: string
  onStdout?: (data: string) => void
  onStderr?: (data: string) => void
  abortSignal?: AbortSignal
}

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
    const { id, name, provider, status } = this
    const info = this.session?.info
    const times = info && { createdAt: new Date(info.created_at!), timeoutAt: new Date(info.expires_at!) }
    return { id, name, provider, status, createdAt: new Date(0), ...times, metadata: { ...info } }
  }

  getInstructions(): string {
    return (
      'Commands run in bash on Linux and begin in /workspace, where files stay between commands. A command that ' +
      'policy refuses has exit code 123 and says why.'
    )
  }

  async executeCommand(command: string, args: string[] = [], options: CommandOptions = {}) {
    const { timeout, cwd, onStdout, onStderr, abortSignal: signal } = options
    const env = Object.fromEntries(
      Object.entries(options.env ?? {}).filter((e): e is [string, string] => e[1] !== undefined),
    )
    const line = [command, ...args.map(quote)].join(' ')
    const more = { env, signal, onStdout, onStderr, ...(cwd && { cwd }), ...(timeout && { timeout: timeout / 1000 }) }
    const { exitCode, stdout, stderr, result } = await run(await this.running(), line, more)
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

  async writeFiles(
    files: { path: string; content: string | Uint8Array; mode?: number }[],
    options: { abortSignal?: AbortSignal } = {},
  ): Promise<void> {
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
