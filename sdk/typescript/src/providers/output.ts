/** The output of a process as two streams of bytes. */
import { bytesOf } from '../bytes.js'
import { exitCodeOf } from '../execution.js'
import type { Process } from '../session.js'

export interface Spawned {
  readonly stdout: ReadableStream<Uint8Array>
  readonly stderr: ReadableStream<Uint8Array>
  wait(): Promise<{ exitCode: number }>
  kill(): Promise<void>
}

/** What is not read of one waits in memory, up to the level's max_output. */
export function outputOf(process: Process, signal: AbortSignal | undefined): Spawned {
  const out: { [type: string]: ReadableStreamDefaultController<Uint8Array> } = {}
  const gone = new Set<string>() // streams that their reader left
  const stream = (type: string) =>
    new ReadableStream<Uint8Array>({ start: (c) => void (out[type] = c), cancel: () => void gone.add(type) })
  const kill = () =>
    process.kill().then(
      () => undefined,
      () => undefined,
    ) // it had ended
  const spawned = { stdout: stream('stdout'), stderr: stream('stderr'), kill }
  const done = (async () => {
    const events = process.events(0, { signal })
    for await (const event of events) {
      if ((event.type === 'stdout' || event.type === 'stderr') && !gone.has(event.type)) {
        out[event.type]!.enqueue(bytesOf(event))
      }
    }
    for (const type of ['stdout', 'stderr']) if (!gone.has(type)) out[type]!.close()
    return { exitCode: exitCodeOf(await events.result()) }
  })()
  done.catch((e: unknown) => {
    if (signal?.aborted) void kill()
    for (const type of ['stdout', 'stderr']) if (!gone.has(type)) out[type]!.error(e)
  })
  return { ...spawned, wait: () => done }
}
