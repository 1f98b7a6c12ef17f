/** The options of the calls as the bodies that the service takes. */
import { toBase64 } from './bytes.js'
import { InvalidRequest } from './errors.js'
import { variable } from './transport.js'
import type { Bytes, Level, RunOptions } from './types.js'

const levels: Level[] = ['low', 'medium', 'high'] // from lax to strict

/** The stricter one of `asked` and SANDBOX_AGENT_RISK_LEVEL, which holds for every run of this process. */
export function stricter(asked: Level | undefined): Level | undefined {
  const wanted = variable('SANDBOX_AGENT_RISK_LEVEL')?.trim().toLowerCase() as Level | undefined
  if (!wanted) return asked
  if (!levels.includes(wanted)) {
    throw new InvalidRequest(`SANDBOX_AGENT_RISK_LEVEL ${wanted}: expected low, medium or high`, 'bad_configuration')
  }
  if (asked === undefined) return wanted
  return levels.includes(asked) && levels.indexOf(asked) < levels.indexOf(wanted) ? wanted : asked
}

/** Without the members that are undefined. */
export function given(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

export const inputOf = (stdin: Bytes | undefined): Record<string, unknown> =>
  typeof stdin === 'string' ? { stdin } : stdin ? { stdin_base64: toBase64(stdin) } : {}

export function limitsOf(options: { timeout?: number; memory?: string | number; cpu?: number }): unknown {
  const { timeout, memory, cpu } = options
  return timeout === undefined && memory === undefined && cpu === undefined
    ? undefined
    : given({ timeout, memory, cpu })
}

/** The body of /execute: only what was given; the service judges it. */
export function build(language: string, code: string | undefined, options: RunOptions): Record<string, unknown> {
  const { files } = options
  if ((code === undefined) === (files === undefined)) {
    throw new InvalidRequest('give either code or files', 'invalid_request')
  }
  return given({
    language,
    code,
    files:
      files &&
      Object.entries(files).map(([name, content]) =>
        typeof content === 'string' ? { path: name, content } : { path: name, content_base64: toBase64(content) },
      ),
    entry: options.entry,
    ...inputOf(options.stdin),
    args: options.args,
    env: options.env,
    agent_id: options.agentId,
    risk_level: stricter(options.riskLevel),
    backend: options.backend,
    packages: options.packages,
    signature: options.signature,
    limits: limitsOf(options),
    strict_limits: options.strictLimits || undefined,
    volumes: options.volumes,
  })
}
