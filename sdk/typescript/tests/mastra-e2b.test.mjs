// Mastra's own provider for E2B, unchanged, against E2B's front: E2B_API_URL, E2B_SANDBOX_URL and E2B_API_KEY say
// where.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Workspace } from '@mastra/core/workspace'
import { E2BSandbox } from '@mastra/e2b'

test('a workspace of Mastra runs commands, and finds its sandbox again', async () => {
  const options = { id: 'mastra-test', template: 'base', timeout: 600000, env: { V: 'v' } }
  const sandbox = new E2BSandbox(options)
  const workspace = new Workspace({ sandbox })
  await workspace.init()
  const ran = await sandbox.executeCommand('sh', ['-c', 'echo $V; pwd; echo no >&2'], { cwd: '/home/user' })
  assert.deepEqual([ran.exitCode, ran.stdout, ran.stderr, ran.success], [0, 'v\n/workspace\n', 'no\n', true])
  assert.equal((await sandbox.executeCommand('exit', ['3'])).exitCode, 3) // what it wrote, Mastra has twice then
  let said = ''
  const cat = await sandbox.processes.spawn('cat', { onStdout: (text) => (said += text) })
  await cat.sendStdin('typed\n')
  while (said !== 'typed\n') await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual([await cat.kill(), (await cat.wait()).success], [true, false])
  await sandbox.executeCommand('sh', ['-c', 'echo kept > f'])
  const again = new E2BSandbox(options) // as another process has it
  await again.start()
  assert.equal((await again.executeCommand('cat', ['f'])).stdout, 'kept\n')
  assert.equal((await again.getInfo()).metadata.sandboxId ?? again.e2b.sandboxId, sandbox.e2b.sandboxId)
  await workspace.destroy()
  assert.equal(sandbox.status, 'destroyed')
})
