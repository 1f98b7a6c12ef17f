/**
 * What can go wrong: the same classes and codes as in the Python SDK.
 *
 * `execute()` resolves whenever the sandbox ran, whatever became of the code (`result.reason`). It rejects when the
 * code did not run, or when it is not known what became of it. `retrySafe` says whether the same call can be sent
 * again without the code running twice: where it is true, nothing ran.
 */
import type { ErrorDetails, ExecutionResult, Finding } from './types.js'

/** Base of all. `code` is stable, `message` is for people, `details` is what the service said beside it. */
export class SandboxError extends Error {
  readonly code: string
  readonly status: number | undefined
  readonly details: ErrorDetails
  readonly retrySafe: boolean

  constructor(
    message: string,
    code = 'internal_error',
    details: ErrorDetails = {},
    status?: number,
    retrySafe = false,
  ) {
    super(details.remedy ? `${message} (${details.remedy})` : message)
    this.name = new.target.name
    this.code = code
    this.details = details
    this.status = status
    this.retrySafe = retrySafe
  }

  /** What helps, in words. */
  get remedy(): string | undefined {
    return this.details.remedy
  }

  /** The rule that refused the request. */
  get rule(): string | undefined {
    return this.details.rule
  }

  /** The execution that the error is about, where it had begun to exist. */
  get executionId(): string | undefined {
    return this.details.execution_id
  }

  /** Seconds after which it makes sense to ask again. */
  get retryAfter(): number | undefined {
    return this.details.retry_after_seconds
  }
}

/** An error of this kind means that nothing ran. */
class Refused extends SandboxError {
  constructor(message: string, code?: string, details?: ErrorDetails, status?: number) {
    super(message, code, details, status, true)
  }
}

/** 400, 405, 413, 422, 431: the request is not one. */
export class InvalidRequest extends Refused {}
/** 401: no key, or none that is known. */
export class Authentication extends Refused {}
/** 403 `forbidden`: the key's role, agents or levels do not permit it. */
export class Forbidden extends Refused {}
/** 403 `policy_denied`: the scan, the agent's standing or the profile refused the code before it ran. */
export class PolicyDenied extends Refused {
  /** What the scan found. */
  get findings(): Finding[] {
    return this.details.findings ?? []
  }
}
/** 404: no such execution, session, file, agent or profile. */
export class NotFound extends Refused {}
/** 429: too many runs (`rate_limited`), or the queue is full (`queue_full`). */
export class RateLimited extends Refused {}
/** 503, or nothing listens at the address. */
export class Unavailable extends Refused {}
/** 409: finished already, paused, or an idempotency key that belongs to another body. */
export class Conflict extends SandboxError {}
/** 408, or this client's own time is over. A run that met *its* deadline is a result with reason `timeout`. */
export class Timeout extends SandboxError {}
/** 500: the sandbox could not be set up (`sandbox_error`), or the service has a fault (`internal_error`). */
export class SandboxFailed extends SandboxError {}
/** The connection ended after the request was sent: the code may have run. The call can be sent again with
 *  `details.idempotency_key`; the service then answers with the first execution. */
export class ConnectionLost extends SandboxError {}

/** Of `check()`: the code ran and did not complete. `result` is the whole of it. */
export class ExecutionFailed extends SandboxError {
  readonly result: ExecutionResult

  constructor(result: ExecutionResult) {
    const last = result.stderr.trimEnd().split('\n').pop()
    const how = result.exit_code === null ? result.reason : `${result.reason}, exit code ${result.exit_code}`
    super(last ? `${how}: ${last}` : how, `execution_${result.reason}`, { execution_id: result.execution_id })
    this.result = result
  }
}

type Kind = new (message: string, code?: string, details?: ErrorDetails, status?: number) => SandboxError

const byCode: Record<string, Kind> = {
  unauthenticated: Authentication,
  forbidden: Forbidden,
  policy_denied: PolicyDenied,
  not_found: NotFound,
  conflict: Conflict,
  request_timeout: Timeout,
  rate_limited: RateLimited,
  queue_full: RateLimited,
  sandbox_error: SandboxFailed,
  unavailable: Unavailable,
  usage_error: InvalidRequest,
  wrong_host: Forbidden,
}
const byStatus: Record<number, Kind> = {
  400: InvalidRequest,
  401: Authentication,
  403: Forbidden,
  404: NotFound,
  405: InvalidRequest,
  408: Timeout,
  409: Conflict,
  413: InvalidRequest,
  421: Forbidden,
  422: InvalidRequest,
  429: RateLimited,
  431: InvalidRequest,
  503: Unavailable,
}

/** The error for an error object of the service. */
export function errorFrom(code: string, message: string, details: ErrorDetails = {}, status?: number): SandboxError {
  const kind = byCode[code] ?? byStatus[status ?? 500] ?? SandboxFailed
  return new kind(message, code, details, status)
}

/** The error that a result stands for whose code did not run, or undefined: the code ran. */
export function refusalOf(result: ExecutionResult): SandboxError | undefined {
  const error = result.error
  if (!error || (result.reason !== 'policy_denied' && result.reason !== 'sandbox_error')) return undefined
  const details: ErrorDetails = { execution_id: result.execution_id }
  if (error.remedy) details.remedy = error.remedy
  if (error.step) details.step = error.step
  if (error.retry_after_seconds) details.retry_after_seconds = error.retry_after_seconds
  if (error.code === 'usage_error') return new InvalidRequest(error.message, 'invalid_value', details)
  if (result.reason === 'sandbox_error') return new SandboxFailed(error.message, error.code, details)
  if (details.retry_after_seconds) return new RateLimited(error.message, 'rate_limited', details)
  return new PolicyDenied(error.message, 'policy_denied', { ...details, findings: result.findings })
}
