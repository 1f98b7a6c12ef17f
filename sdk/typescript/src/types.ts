/** The objects of the HTTP API (docs/openapi.yaml), with its names, and the options of the calls. */

export type Level = 'low' | 'medium' | 'high'
export type State = 'queued' | 'running' | 'finished'
export type Reason =
  | 'completed'
  | 'error'
  | 'signal'
  | 'timeout'
  | 'oom'
  | 'pids_limit'
  | 'output_limit'
  | 'killed'
  | 'policy_denied'
  | 'sandbox_error'

export interface Finding {
  rule: string
  family: string
  severity: string
  risk_increase: number
  line: number
  column: number
  message: string
  text: string
  path?: string
}

export interface Violation {
  type: string
  detail: string
  at_ms: number
  severity: string
  class: 'limit' | 'restriction' | 'attempt' | 'violation'
}

export interface ErrorDetails {
  step?: string
  field?: string
  remedy?: string
  cause?: 'not_found' | 'not_executable'
  rule?: string
  execution_id?: string
  retry_after_seconds?: number
  findings?: Finding[]
  /** set by this client: send the call again with it, and the code runs once */
  idempotency_key?: string
}

/** What was in force; `missing` names what was not, and why. */
export interface Isolation {
  missing: string[]
  [member: string]: unknown
}

/** The result object. Members that are not here are read with `result['name']`. */
export interface ExecutionResult {
  execution_id: string
  session_id?: string
  agent_id: string | null
  language: string | null
  risk_level: Level | null
  backend: string
  reason: Reason
  exit_code: number | null
  signal: number | null
  stdout: string
  stderr: string
  stdout_truncated: boolean
  stderr_truncated: boolean
  duration_ms: number
  cpu_ms: number
  peak_memory_bytes: number
  timing: Record<'queue_ms' | 'scan_ms' | 'decide_ms' | 'start_ms' | 'run_ms' | 'settle_ms', number>
  violations: Violation[]
  kill_switch: string | null
  reasons: string[]
  findings: Finding[]
  trust: { before: number; after: number } | null
  isolation: Isolation | null
  limits_clamped?: { field: 'timeout' | 'memory' | 'cpu'; requested: number; granted: number }[]
  error: {
    code: string
    message: string
    step: string | null
    remedy: string | null
    retry_after_seconds?: number
  } | null
  [member: string]: unknown
}

/** One thing that a cell showed, in all its forms: by MIME type, text and JSON as themselves, the rest as base64. */
export interface Shown {
  kind: 'value' | 'display'
  'text/plain'?: string
  'text/html'?: string
  'image/png'?: string
  [mime: string]: unknown
}

/** The result of a cell. */
export interface CellResult extends ExecutionResult {
  results: Shown[]
  exception: { name: string; value: string; traceback: string[] } | null
}

export interface OutputEvent {
  type: 'stdout' | 'stderr'
  number?: number
  data: string
  /** the bytes themselves, where they are no UTF-8; `bytesOf(event)` has them in any case */
  data_base64?: string
  at_ms: number
}

export type StreamEvent<R extends ExecutionResult = ExecutionResult> =
  | { type: 'started'; number?: number; execution_id: string; at_ms: number }
  | OutputEvent
  | { type: 'lost'; number?: number; at_ms: number }
  | { type: 'result'; number?: number; result: R | null }

export interface ExecutionInfo {
  execution_id: string
  agent_id: string | null
  language: string | null
  risk_level: Level | null
  state: State
  reason: Reason | null
  accepted_at: string
  started_at: string | null
  finished_at: string | null
  key_id: string | null
  result?: ExecutionResult | null
}

export interface Artifact {
  role: string
  name: string
  size: number
  sha256?: string
  left_out?: string
}

export interface SessionInfo {
  session_id: string
  key_id: string
  agent_id: string
  risk_level: Level | null
  state: 'starting' | 'running' | 'paused' | 'ended'
  end: string | null
  created_at: string
  expires_at: string
  ended_at: string | null
  jobs: number
  jobs_running: number
  metadata: Record<string, string>
  isolation: Isolation | null
}

export interface SnapshotInfo {
  snapshot_id: string
  key_id: string
  agent_id: string
  session_id: string
  risk_level: Level
  created_at: string
  bytes: number
  stored_bytes: number
  damaged?: boolean
}

export interface ProcessInfo {
  process_id: string
  state: State
  argv: string[] | null
  pty: boolean
  stdin: boolean
  started_at: string | null
  finished_at: string | null
  reason: Reason | null
}

export interface ContextInfo {
  context_id: string
  session_id: string
  language: 'python' | 'node' | 'bash'
  state: 'running' | 'ended'
}

export interface AgentInfo {
  agent_id: string
  trust: number
  standing: string
  [member: string]: unknown
}

export interface Checkpoint {
  checkpoint_id: string
  /** of the workspace alone there is none */
  context_id?: string
  session_id: string
  /** checkpoints of this context, or of the workspace, that can be gone back to */
  kept: number
  /** those that went: the oldest, for want of room; of an undo, those after it */
  dropped: string[]
  /** not of an undo */
  workspace?: { entries: number; copied_bytes: number }
}

export interface FileEntry {
  name: string
  name_encoded?: string
  type: 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'device'
  size: number
  mode: string
  modified: string
  target?: string
}

export interface FileEvent {
  type: 'watching' | 'create' | 'write' | 'remove' | 'rename' | 'chmod' | 'overflow' | 'gone' | 'end'
  truncated?: boolean
  name?: string
  name_encoded?: string
  directory?: boolean
}

/** One line of a batch's answer: a result's members, or `error` as of a refused request. */
export type BatchLine = Partial<Omit<ExecutionResult, 'error'>> & {
  line: number
  fault: 'none' | 'program' | 'limit' | 'policy' | 'infrastructure'
  retryable: boolean
  error?: { code: string; message: string; details?: ErrorDetails } | null
}

export interface ScanReport {
  language: string
  findings: Finding[]
  risk_increase: number
  is_complete: boolean
  [member: string]: unknown
}

/** A set of packages (docs/packages.md). */
export interface PackageSet {
  name: string
  state?: string
  [member: string]: unknown
}

// ---- options of the calls; all times are seconds, as in the API ----

export type Bytes = string | Uint8Array

export interface CallOptions {
  /** Ends the call; a run that is waited for ends with it. */
  signal?: AbortSignal | undefined
}

export interface RunOptions extends CallOptions {
  /** contents by relative path, instead of `code` */
  files?: Record<string, Bytes>
  /** path of the file that is run; the first one if not given */
  entry?: string
  stdin?: Bytes
  args?: string[]
  env?: Record<string, string>
  agentId?: string
  riskLevel?: Level
  backend?: 'native' | 'docker'
  /** name of a set of packages */
  packages?: string
  signature?: string
  /** seconds; likewise memory ("128m") and cpu (cores): limits of the run */
  timeout?: number
  memory?: string | number
  cpu?: number
  /** refuse what is above the level's limits, instead of lowering it */
  strictLimits?: boolean
  volumes?: { host: string; inside: string; mode?: 'ro' | 'rw' }[]
  idempotencyKey?: string
}

export interface Listeners {
  onStdout?: ((text: string) => void) | undefined
  onStderr?: ((text: string) => void) | undefined
}

export interface SessionOptions extends CallOptions {
  agentId?: string
  riskLevel?: Level
  /** seconds until it ends by itself; 300 if not given */
  ttl?: number
  env?: Record<string, string>
  metadata?: Record<string, string>
  memory?: string | number
  cpu?: number
  /** `none`: nothing but its own loopback */
  network?: 'none'
  /** a snapshot's id: /workspace begins with what it holds */
  from?: string
  /** what lies in /workspace from the beginning */
  files?: Record<string, Bytes>
  /** name of a set of packages */
  packages?: string
  volumes?: RunOptions['volumes']
}

/** What runs: one of the three. */
export type What =
  | { command: string; argv?: never; language?: never; code?: never; args?: never }
  | { argv: string[]; command?: never; language?: never; code?: never; args?: never }
  | { language: string; code: string; args?: string[]; command?: never; argv?: never }

export interface JobOptions extends CallOptions {
  stdin?: Bytes
  timeout?: number
  env?: Record<string, string>
  /** absolute; /workspace if not given */
  cwd?: string
}

export interface ProcessOptions extends CallOptions {
  /** its input stays open */
  stdin?: boolean
  /** it has a terminal of this size */
  pty?: { rows: number; cols: number }
  timeout?: number
  env?: Record<string, string>
  cwd?: string
}
