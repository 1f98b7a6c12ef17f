// What each provider is, by the types of the package that it is for: `tsc --strict` decides.
import type { Experimental_SandboxSession } from 'ai'
import type { CreateBashToolOptions } from 'bash-tool'
import type { WorkspaceSandbox } from '@mastra/core/workspace'
import type { BaseSandbox, SandboxBackendProtocolV2 } from 'deepagents'
import type { ExplicitComputeConfig, SandboxInterface } from 'computesdk'
import { ConnectionLost, Sandbox, Session, type CellResult, type ExecutionResult } from 'sandbox-agent'
import { aiSandbox } from 'sandbox-agent/ai-sdk'
import { bashSandbox } from 'sandbox-agent/bash-tool'
import { MastraSandboxAgent } from 'sandbox-agent/mastra'
import { DeepAgentsBackend } from 'sandbox-agent/deepagents'
import { sandboxAgent } from 'sandbox-agent/computesdk'

const client = new Sandbox({ url: 'http://127.0.0.1:1' })
declare const session: Session

export const ai: Experimental_SandboxSession = aiSandbox(session)
export const bash: NonNullable<CreateBashToolOptions['sandbox']> = bashSandbox(session)
export const mastra: WorkspaceSandbox = new MastraSandboxAgent(client)
export const deep: BaseSandbox & SandboxBackendProtocolV2 = new DeepAgentsBackend(session)
export const provider: NonNullable<ExplicitComputeConfig['provider']> = sandboxAgent(client)
export const sandbox: Promise<SandboxInterface> = sandboxAgent(client).sandbox.create()

export async function core(signal: AbortSignal): Promise<[ExecutionResult, CellResult]> {
  const context = await session.createContext('python', { signal })
  // @ts-expect-error a job is one of command, argv and code
  await session.execute({ command: 'a', argv: ['b'] })
  // @ts-expect-error levels are three
  await client.execute('python', '1', { riskLevel: 'none' })
  try {
    return [await client.execute('python', '1', { signal, timeout: 1 }), await context.execute('1')]
  } catch (e) {
    if (e instanceof ConnectionLost) console.log(e.code, e.details.idempotency_key)
    throw e
  }
}
