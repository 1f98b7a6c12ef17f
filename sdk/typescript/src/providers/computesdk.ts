/** ComputeSDK: `compute.setConfig({ provider: sandboxAgent(new Sandbox()) })`. */
import type { Sandbox } from '../client.js'
import { NotFound, SandboxError } from '../errors.js'
import { given } from '../request.js'
import type { Session } from '../session.js'
import type { SessionOptions } from '../types.js'
import { type CommandOptions, jobOf, run } from './command.js'

const name = 'sandbox-agent'

interface CreateOptions {
  timeout?: number
  envs?: Record<string, string>
  metadata?: Record<string, unknown>
  snapshotId?: string
  signal?: AbortSignal
}
type RunOptions = CommandOptions & { background?: boolean }

function sandboxOf(session: Session) {
  const { files } = session
  return {
    sandboxId: session.id,
    provider: name,
    getInstance: () => session,
    async runCommand(command: string, options: RunOptions = {}) {
      if (options.background) {
        const job = await session.submit({ command }, jobOf(options))
        return { stdout: job.id + '\n', stderr: '', exitCode: 0, durationMs: 0 }
      }
      const { exitCode, stdout, stderr, result } = await run(session, command, options)
      return { stdout, stderr, exitCode, durationMs: result?.duration_ms ?? 0 }
    },
    async getInfo() {
      const { info, state } = await session.refresh()
      return {
        id: session.id,
        provider: name,
        status: state === 'ended' ? ('stopped' as const) : ('running' as const),
        createdAt: new Date(info.created_at!),
        timeout: Date.parse(info.expires_at!) - Date.parse(info.created_at!),
        metadata: info.metadata ?? {},
      }
    },
    getUrl({ port }: { port: number; protocol?: string }): Promise<string> {
      const text = `port ${port}: a session has no public address`
      return Promise.reject(new SandboxError(text, 'not_offered', { remedy: 'use it from a job of the session' }))
    },
    destroy: async () => void (await session.end()),
    filesystem: {
      readFile: (path: string) => files.readText(path),
      writeFile: async (path: string, content: string) => void (await files.write(path, content)),
      async readdir(path: string) {
        const kind = (type: string) => (type === 'directory' ? ('directory' as const) : ('file' as const))
        const found = await files.list(path)
        return found.map((e) => ({ name: e.name, type: kind(e.type), size: e.size, modified: new Date(e.modified) }))
      },
      mkdir: (path: string) => files.mkdir(path),
      exists: (path: string) => files.exists(path),
      remove: (path: string) => files.remove(path),
    },
  }
}

/** defaults: of each session; what ComputeSDK says comes before them. */
export function sandboxAgent(client: Sandbox, defaults: SessionOptions = {}) {
  return {
    name,
    sandbox: {
      async create({ timeout, envs, metadata, snapshotId: from, signal }: CreateOptions = {}) {
        const texts = metadata && Object.fromEntries(Object.entries(metadata).map(([k, v]) => [k, String(v)]))
        const ttl = timeout ? Math.ceil(timeout / 1000) : undefined
        const asked = given({ ttl, env: envs && { ...defaults.env, ...envs }, metadata: texts, from, signal })
        return sandboxOf(await client.createSession({ ...defaults, ...asked }))
      },
      async getById(id: string) {
        try {
          const session = await client.session(id)
          return session.state === 'ended' ? null : sandboxOf(session)
        } catch (e) {
          if (e instanceof NotFound) return null
          throw e
        }
      },
      list: async () => (await client.sessions({ state: 'running' })).map(sandboxOf),
      destroy: async (id: string) => void (await (await client.session(id)).end()),
    },
    snapshot: {
      create: async (id: string) => snapshotOf(await (await client.session(id)).snapshot()),
      list: async () => (await client.snapshots()).map(snapshotOf),
      delete: async (id: string) => void (await client.removeSnapshot(id)),
    },
  }
}

const snapshotOf = (s: { snapshot_id: string; created_at: string }) => ({
  id: s.snapshot_id,
  provider: name,
  createdAt: new Date(s.created_at),
})
