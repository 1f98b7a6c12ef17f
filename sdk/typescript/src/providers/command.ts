/** A command as agents' frameworks run it: what comes back is an outcome that a model can read. */
import { PolicyDenied } from '../errors.js'
import { exitCodeOf } from '../execution.js'
import type { Session } from '../session.js'
import type { ExecutionResult, JobOptions, Listeners } from '../types.js'

export interface Outcome {
  exitCode: number
  stdout: string
  stderr: string
  /** undefined: policy refused the command */
  result: ExecutionResult | undefined
}

/** Below /workspace, unless it is absolute. */
export const absolute = (path: string): string => (path.startsWith('/') ? path : '/workspace/' + path)

export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`

/** As a shell would say it: a refusal is exit code 123, as on the command line, with its words on stderr. */
export async function run(session: Session, command: string, options: JobOptions & Listeners = {}): Promise<Outcome> {
  const cwd = options.cwd === undefined ? {} : { cwd: absolute(options.cwd) }
  try {
    const result = await session.execute({ command }, { ...options, ...cwd })
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
