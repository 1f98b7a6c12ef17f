/** The files of a session, below /workspace. */
import { decode, toBytes } from './bytes.js'
import { InvalidRequest, NotFound } from './errors.js'
import { type Transport } from './transport.js'
import type { Bytes, CallOptions, FileEntry, FileEvent } from './types.js'

const workspace = '/workspace'

/** Below /workspace, as the service takes it: `a/b` from `a/b`, `./a/b` and `/workspace/a/b`. */
export function below(given: string): string {
  const isInside = given === workspace || given.startsWith(workspace + '/')
  if (given.startsWith('/') && !isInside) {
    throw new InvalidRequest(`${given}: files are read and written below ${workspace}`, 'invalid_value', {
      remedy: 'a job can work elsewhere, such as in /tmp',
    })
  }
  const names = (isInside ? given.slice(workspace.length) : given).split('/').filter((n) => n !== '' && n !== '.')
  if (names.includes('..')) throw new InvalidRequest(`${given}: expected a path without ..`, 'invalid_value')
  return names.join('/')
}

const route = (kind: string, given: string): string => {
  const found = below(given)
  return found ? `/${kind}/` + found.split('/').map(encodeURIComponent).join('/') : '/' + kind
}

export class Files {
  constructor(
    private readonly transport: Transport,
    private readonly session: string,
  ) {}

  private json<T>(method: string, to: string, request: object): Promise<T> {
    return this.transport.json<T>(method, this.session + to, request)
  }

  /** The bytes of a regular file. */
  async read(path: string, options: CallOptions = {}): Promise<Uint8Array> {
    const request = { ...options, headers: { accept: '*/*' } }
    return (await this.transport.open('GET', this.session + route('files', path), request)).bytes()
  }

  async readText(path: string, options: CallOptions = {}): Promise<string> {
    return decode(await this.read(path, options))
  }

  /** The same as it comes. */
  async readStream(path: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const request = { ...options, headers: { accept: '*/*' } }
    return (await this.transport.open('GET', this.session + route('files', path), request)).stream()
  }

  /** Writes it whole, with the directories above it. mode: such as 0o755. */
  async write(
    path: string,
    data: Bytes | Blob | ReadableStream<Uint8Array>,
    options: CallOptions & { mode?: number } = {},
  ): Promise<FileEntry> {
    const { signal, mode } = options
    return this.json('PUT', route('files', path), {
      signal,
      query: { mode: mode?.toString(8) },
      headers: { 'content-type': 'application/octet-stream' },
      body: typeof data === 'string' ? toBytes(data) : data,
    })
  }

  /** What is in a directory; `depth` levels of it. The service ends a list after 10,000 entries. */
  async list(path = '', options: CallOptions & { depth?: number } = {}): Promise<FileEntry[]> {
    const { signal, depth } = options
    const request = { signal, query: { list: true, depth } }
    return (await this.json<{ entries: FileEntry[] }>('GET', route('files', path), request)).entries
  }

  /** The entry itself; a link is not followed. */
  async stat(path: string, options: CallOptions = {}): Promise<FileEntry> {
    if (!below(path)) throw new InvalidRequest('stat: expected a path below /workspace', 'invalid_value')
    return this.json('GET', route('files', path), { ...options, query: { stat: true } })
  }

  async exists(path: string, options: CallOptions = {}): Promise<boolean> {
    if (!below(path)) return true
    try {
      await this.stat(path, options)
      return true
    } catch (e) {
      if (e instanceof NotFound) return false
      throw e
    }
  }

  /** Makes it, with the directories above it. */
  async mkdir(path: string, options: CallOptions = {}): Promise<void> {
    if (below(path)) await this.json('POST', route('files', path), { ...options, query: { mkdir: true } })
  }

  /** replace: what is there may be replaced. */
  async move(from: string, to: string, options: CallOptions & { replace?: boolean } = {}): Promise<void> {
    const { signal, replace } = options
    await this.json('POST', route('files', from), { signal, query: { move: below(to), replace } })
  }

  /** Removes it; a directory with all that is in it. */
  async remove(path: string, options: CallOptions = {}): Promise<void> {
    if (!below(path)) throw new InvalidRequest('remove: expected a path below /workspace', 'invalid_value')
    await this.json('DELETE', route('files', path), options)
  }

  /** Changes as they happen: first `watching`, at the end `end`. */
  async *watch(
    path = '',
    options: CallOptions & { recursive?: boolean; seconds?: number } = {},
  ): AsyncGenerator<FileEvent> {
    const { signal, recursive, seconds } = options
    const request = { signal, query: { path: below(path) || undefined, recursive, seconds } }
    const answer = await this.transport.events('GET', this.session + '/watch', request)
    for await (const event of answer.events()) yield event as unknown as FileEvent
  }

  /** A tar archive of a directory. What the code made may hold links: unpack it with a program that follows none. */
  async archive(path = '', options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const request = { ...options, headers: { accept: '*/*' } }
    return (await this.transport.open('GET', this.session + route('archive', path), request)).stream()
  }

  /** Unpacks a tar archive there, without compression. How many entries it had. */
  async unpack(
    path: string,
    archive: Uint8Array | Blob | ReadableStream<Uint8Array>,
    options: CallOptions = {},
  ): Promise<number> {
    const request = { ...options, headers: { 'content-type': 'application/x-tar' }, body: archive }
    return (await this.json<{ entries: number }>('PUT', route('archive', path), request)).entries
  }
}
