/** deepagents: `createDeepAgent({ model, backend: new DeepAgentsBackend(session) })`. */
import { BaseSandbox } from 'deepagents'
import { Conflict, Forbidden, InvalidRequest, NotFound, PolicyDenied } from '../errors.js'
import type { Session } from '../session.js'
import { run } from './command.js'

type Problem = 'file_not_found' | 'permission_denied' | 'is_directory' | 'invalid_path'

export class DeepAgentsBackend extends BaseSandbox {
  override readonly id: string

  constructor(private readonly session: Session) {
    super()
    this.id = session.id
  }

  override async execute(command: string) {
    const { exitCode, stdout, stderr, result } = await run(this.session, command)
    const truncated = result ? result.stdout_truncated || result.stderr_truncated : false
    return { output: stdout + stderr, exitCode, truncated }
  }

  /** Files are below /workspace; one that cannot be written does not keep the others from it. */
  override async uploadFiles(files: [string, Uint8Array][]) {
    const told: { path: string; error: Problem | null }[] = []
    for (const [path, content] of files) {
      told.push({ path, error: await this.problem(path, this.session.files.write(path, content)) })
    }
    return told
  }

  override async downloadFiles(paths: string[]) {
    const told: { path: string; content: Uint8Array | null; error: Problem | null }[] = []
    for (const path of paths) {
      let content: Uint8Array | null = null
      const error = await this.problem(
        path,
        this.session.files.read(path).then((bytes) => (content = bytes)),
      )
      told.push({ path, content, error })
    }
    return told
  }

  /** What deepagents calls the error of this work; null: there was none. */
  private async problem(path: string, work: Promise<unknown>): Promise<Problem | null> {
    try {
      await work
      return null
    } catch (e) {
      if (e instanceof NotFound && (await this.isAlive())) return 'file_not_found'
      if (e instanceof Forbidden || e instanceof PolicyDenied) return 'permission_denied'
      if (!(e instanceof InvalidRequest || e instanceof Conflict)) throw e
      const entry = await this.session.files.stat(path).catch(() => undefined)
      return entry?.type === 'directory' ? 'is_directory' : 'invalid_path'
    }
  }

  /** A session that is gone is an error of its own, not a file that is not there. */
  private async isAlive(): Promise<boolean> {
    return (await this.session.refresh()).state === 'running'
  }
}
