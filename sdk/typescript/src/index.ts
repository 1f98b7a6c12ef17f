/** Client of sandboxd, the sandbox for code that AI agents write. fetch and web APIs only; see docs/typescript.md. */
export { bytesOf } from './bytes.js'
export { type BatchProgram, type ExecutionFilters, Sandbox } from './client.js'
export * from './errors.js'
export { Execution, ExecutionStream, check, exitCodeOf } from './execution.js'
export { Files } from './files.js'
export { Context, Process, Session } from './session.js'
export { type Options } from './transport.js'
export type * from './types.js'
