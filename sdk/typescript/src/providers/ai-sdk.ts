/** AI SDK 7: `generateText({ …, experimental_sandbox: aiSandbox(session) })`. */
import { decode } from '../bytes.js'
import { InvalidRequest, NotFound } from '../errors.js'
import type { Session } from '../session.js'
import type { FileEntry } from '../types.js'
import { about, absolute, jobOf, run } from './command.js'
import { type Spawned, outputOf } from './output.js'

interface Run {
  command: string
  workingDirectory?: string
  env?: Record<string, string>
  abortSignal?: AbortSignal
}
type At = { path: string; abortSignal?: AbortSignal }
type Content<T> = At & { content: T }
const orNull = async <T>(what: Promise<T>): Promise<T | null> =>
  what.catch((e: unknown) => (e instanceof NotFound ? null : Promise.reject(e)))
const plain = (type: FileEntry['type']) => (type === 'file' || type === 'directory' ? type : ('other' as const))

export function aiSandbox(session: Session) {
  const { files } = session
  const read = (o: At) => orNull(files.read(o.path, { signal: o.abortSignal }))
  /** A link is asked by what it leads to, with a job. */
  const followed = async (entry: FileEntry, o: At): Promise<FileEntry | null> => {
    if (entry.type !== 'link') return entry
    const argv = ['stat', '-Lc', '%F:%s', '--', absolute(o.path)]
    const found = await session.execute({ argv }, { signal: o.abortSignal })
    const [kind = '', size] = found.stdout.trim().split(':')
    const type = kind === 'directory' ? 'directory' : kind.includes('file') ? 'file' : 'device'
    return found.exit_code ? null : { ...entry, type, size: Number(size) }
  }

  async function spawn(o: Run & { stdin: true }): Promise<Spawned & { stdin: WritableStream<Uint8Array> }>
  async function spawn(o: Run & { stdin?: false }): Promise<Spawned>
  async function spawn(o: Run & { stdin?: boolean }): Promise<Spawned & { stdin?: WritableStream<Uint8Array> }>
  async function spawn(o: Run & { stdin?: boolean }): Promise<Spawned & { stdin?: WritableStream<Uint8Array> }> {
    const { workingDirectory, abortSignal: signal, stdin = false } = o
    const { env, cwd } = jobOf({ ...o, cwd: workingDirectory! })
    const more = { stdin, signal, ...(env && { env }), ...(cwd && { cwd }) }
    const process = await session.start({ command: o.command }, more)
    if (!stdin) return outputOf(process, signal)
    const write = async (data: Uint8Array) => void (await process.write(data))
    return { ...outputOf(process, signal), stdin: new WritableStream({ write, close: () => process.closeInput() }) }
  }

  return {
    description: about,
    spawn,
    async run({ command, workingDirectory, ...o }: Run) {
      const { exitCode, stdout, stderr } = await run(session, command, { ...o, cwd: workingDirectory! })
      return { exitCode, stdout, stderr }
    },
    readFile: (o: At) => orNull(files.readStream(o.path, { signal: o.abortSignal })),
    readBinaryFile: read,
    async readTextFile(o: At & { encoding?: string; startLine?: number; endLine?: number }) {
      const bytes = await read(o)
      if (!bytes) return null
      const text = o.encoding ? new TextDecoder(o.encoding).decode(bytes) : decode(bytes)
      if (o.startLine === undefined && o.endLine === undefined) return text
      return text
        .split(/(?<=\n)/)
        .slice((o.startLine ?? 1) - 1, o.endLine)
        .join('')
    },
    writeFile: async (o: Content<ReadableStream<Uint8Array>>) =>
      void (await files.write(o.path, o.content, { signal: o.abortSignal })),
    writeBinaryFile: async (o: Content<Uint8Array>) =>
      void (await files.write(o.path, o.content, { signal: o.abortSignal })),
    async writeTextFile(o: Content<string> & { encoding?: string }) {
      if (o.encoding && !/^utf-?8$/i.test(o.encoding)) throw new InvalidRequest(`${o.encoding}: expected utf-8`)
      await files.write(o.path, o.content, { signal: o.abortSignal })
    },
    async stat(o: At) {
      const entry = await orNull(files.stat(o.path, { signal: o.abortSignal }))
      const found = entry && (await followed(entry, o))
      return found && { type: plain(found.type), size: found.size }
    },
    async listDirectory(o: At) {
      const entries = await orNull(files.list(o.path, { signal: o.abortSignal }))
      const kind = (type: FileEntry['type']) => (type === 'link' ? ('symlink' as const) : plain(type))
      return entries && entries.map(({ name, type }) => ({ name, type: kind(type) }))
    },
    async deleteFile(o: At) {
      const entry = await orNull(files.stat(o.path, { signal: o.abortSignal }))
      if (entry?.type === 'directory') throw new InvalidRequest(`${o.path} is a directory`, 'invalid_value')
      if (entry) await files.remove(o.path, { signal: o.abortSignal })
      return entry !== null
    },
  }
}
