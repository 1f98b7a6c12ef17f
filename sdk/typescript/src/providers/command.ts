/** A command as agents' frameworks run it: what comes back is an outcome that a model can read. */
import { PolicyDenied } from '../errors.js'
import { exitCodeOf } from '../execution.js'
import { given } from '../request.js'
import type { Session } from '../session.js'
import type { ExecutionResult, JobOptions, Listeners } from '../types.js'

export interface Outcome {
  exitCode: number
  stdout: string
  stderr: string
  /** undefined: policy refused the command */
  result: ExecutionResult | undefined
}

/** What a model is told of it. */
export const about =
  'A Linux sandbox with bash. Commands start in /workspace, where files stay between them; file tools read and ' +
  'write below /workspace only. A command that policy refuses has exit code 123 and says why.'

/** As frameworks say how a command is to run: times are milliseconds. */
export interface CommandOptions {
  timeout?: number
  env?: Record<string, string | undefined>
  cwd?: string
  onStdout?: (data: string) => void
  onStderr?: (data: string) => void
  abortSignal?: AbortSignal
}

/** The same as this client says it. */
export function jobOf(o: CommandOptions): JobOptions & Listeners {
  const env = o.env && (given(o.env) as Record<string, string>)
  const more = { ...(env && { env }), ...(o.cwd && { cwd: absolute(o.cwd) }) }
  const time = o.timeout ? { timeout: o.timeout / 1000 } : {}
  return { ...time, ...more, onStdout: o.onStdout, onStderr: o.onStderr, signal: o.abortSignal }
}

/** Below /workspace, unless it is absolute. */
export const absolute = (path: string): string => (path.startsWith('/') ? path : '/workspace/' + path)

export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`

/** As a shell would say it: a refusal is exit code 123, as on the command line, with its words on stderr. */
export async function run(session: Session, command: string, options: CommandOptions = {}): Promise<Outcome> {
  try {
    const result = await session.execute({ command }, jobOf(options))
    return { exitCode: exitCodeOf(result), stdout: result.stdout, stderr: result.stderr + ended(result), result }
  } catch (e) {
    if (!(e instanceof PolicyDenied)) throw e
    return { exitCode: 123, stdout: '', stderr: `refused by policy: ${e.message}\n`, result: undefined }
  }
}

/** Why it ended, where its own words do not say it. */
function ended(result: ExecutionResult): string {
  if (['completed', 'error', 'signal'].includes(result.reason)) return ''
  return `sandbox: ${result.kill_switch ? `kill switch ${result.kill_switch}` : result.reason}\n`
}
