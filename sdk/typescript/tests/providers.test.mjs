// Each provider by the code of the package that it is for.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateText, stepCountIs, tool } from 'ai'
import { createBashTool } from 'bash-tool'
import { compute } from 'computesdk'
import { Workspace, createWorkspaceTools } from '@mastra/core/workspace'
import { z } from 'zod'
import { Sandbox } from 'sandbox-agent'
import { aiSandbox } from 'sandbox-agent/ai-sdk'
import { bashSandbox } from 'sandbox-agent/bash-tool'
import { sandboxAgent } from 'sandbox-agent/computesdk'
import { DeepAgentsBackend } from 'sandbox-agent/deepagents'
import { MastraSandboxAgent } from 'sandbox-agent/mastra'

const client = new Sandbox({ apiKey: process.env.STRICT_KEY }) // it may not ask for a laxer level
const options = { ttl: 600, riskLevel: 'medium' }
const refusedCommand = 'kill -9 -1' // it would need level high
let session

before(async () => void (session = await client.createSession({ ...options, agentId: 'providers' })))
after(() => session?.end())

/** A model that calls a tool once and then says what came back. */
function model(toolName, input) {
  const usage = { inputTokens: {}, outputTokens: {} }
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const last = prompt.at(-1)
      if (last.role !== 'tool') {
        const call = { type: 'tool-call', toolCallId: '1', toolName, input: JSON.stringify(input) }
        return { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] }
      }
      const text = JSON.stringify(last.content[0].output)
      return { content: [{ type: 'text', text }], finishReason: { unified: 'stop' }, usage, warnings: [] }
    },
  }
}

test('AI SDK: a tool of generateText works in the session', async () => {
  const work = tool({
    inputSchema: z.object({ command: z.string() }),
    async execute({ command }, { experimental_sandbox: box, abortSignal }) {
      await box.writeTextFile({ path: 'ai/f', content: 'one\ntwo\nthree\n' })
      const ran = await box.run({ command, workingDirectory: 'ai', env: { V: 'v' }, abortSignal })
      const refused = await box.run({ command: refusedCommand })
      return {
        ...ran,
        line: await box.readTextFile({ path: 'ai/f', startLine: 2, endLine: 2 }),
        refused: refused.exitCode,
      }
    },
  })
  const { text } = await generateText({
    model: model('work', { command: 'cat f; echo $V >&2; exit 3' }),
    prompt: 'do',
    tools: { work },
    experimental_sandbox: aiSandbox(session),
    stopWhen: stepCountIs(3),
  })
  assert.deepEqual(JSON.parse(text).value, {
    exitCode: 3,
    stdout: 'one\ntwo\nthree\n',
    stderr: 'v\n',
    line: 'two\n',
    refused: 123,
  })
})

test('AI SDK: files and processes as its types describe them', async () => {
  const box = aiSandbox(session)
  await box.run({ command: 'mkdir -p b/d; echo x > b/f; ln -s f b/l; ln -s d b/ld; mkfifo b/p' })
  assert.deepEqual(
    [
      await box.stat({ path: 'b/l' }),
      (await box.stat({ path: 'b/ld' })).type,
      (await box.stat({ path: '/workspace/b/p' })).type,
      await box.stat({ path: 'b/none' }),
    ],
    [{ type: 'file', size: 2 }, 'directory', 'other', null],
  )
  assert.deepEqual((await box.listDirectory({ path: 'b' })).map((e) => `${e.name} ${e.type}`).sort(), [
    'd directory',
    'f file',
    'l symlink',
    'ld symlink',
    'p other',
  ])
  assert.deepEqual(
    [
      await box.listDirectory({ path: 'none' }),
      await box.readFile({ path: 'none' }),
      await box.readBinaryFile({ path: 'none' }),
    ],
    [null, null, null],
  )
  await assert.rejects(Promise.resolve(box.deleteFile({ path: 'b/d' })), /directory/)
  assert.deepEqual(
    [
      await box.deleteFile({ path: 'b/l' }),
      await box.deleteFile({ path: 'b/l' }),
      await box.readTextFile({ path: 'b/f' }),
    ],
    [true, false, 'x\n'],
  )
  await box.writeFile({ path: 'b/s', content: new Blob(['stream']).stream() })
  assert.equal(await new Response(await box.readFile({ path: 'b/s' })).text(), 'stream')
  const cat = await box.spawn({ command: 'cat; echo end >&2; exit 4', stdin: true })
  const writer = cat.stdin.getWriter()
  await writer.write(new TextEncoder().encode('in'))
  await writer.close()
  assert.deepEqual(
    [await new Response(cat.stdout).text(), await new Response(cat.stderr).text(), await cat.wait()],
    ['in', 'end\n', { exitCode: 4 }],
  )
  const abort = new AbortController()
  const long = await box.spawn({ command: 'sleep 1000', abortSignal: abort.signal })
  const waits = assert.rejects(long.wait(), /enough/)
  abort.abort(new Error('enough'))
  await waits
  await long.kill()
  await long.kill()
})

test('bash-tool: its tools work in the session', async () => {
  const { bash, tools } = await createBashTool({ sandbox: bashSandbox(session), files: { 'bt/a.txt': 'alpha\n' } })
  assert.equal((await bash.execute({ command: 'cat bt/a.txt; exit 2' }, {})).exitCode, 2)
  await tools.writeFile.execute({ path: 'bt/b.txt', content: 'beta' }, {})
  assert.deepEqual(await tools.readFile.execute({ path: 'bt/b.txt' }, {}), { content: 'beta' })
  const refused = await bash.execute({ command: refusedCommand }, {})
  assert.deepEqual([refused.exitCode, /refused by policy/.test(refused.stderr)], [123, true])
})

test('deepagents: BaseSandbox of the package does its file work in the session', async () => {
  const box = new DeepAgentsBackend(session)
  assert.equal(box.id, session.id)
  assert.deepEqual(await box.execute('echo out; echo err >&2; exit 5'), {
    output: 'out\nerr\n',
    exitCode: 5,
    truncated: false,
  })
  assert.equal((await box.write('/workspace/da/f.txt', 'one\ntwo\n')).error, undefined)
  assert.equal((await box.edit('/workspace/da/f.txt', 'two', 'zwei')).occurrences, 1)
  assert.match((await box.read('/workspace/da/f.txt')).content, /one[^]*zwei/)
  assert.deepEqual(
    (await box.ls('/workspace/da')).files.map((f) => f.path),
    ['/workspace/da/f.txt'],
  )
  assert.deepEqual(
    (await box.grep('zwei', '/workspace/da')).matches.map((m) => [m.path, m.line]),
    [['/workspace/da/f.txt', 2]],
  )
  assert.deepEqual(
    (await box.glob('**/*.txt', '/workspace/da')).files.map((f) => f.path),
    ['f.txt'],
  )
  assert.equal((await box.readRaw('/workspace/da/f.txt')).data.content, 'one\nzwei\n')
  const told = await box.downloadFiles(['/workspace/da/none', '/workspace/da', '/etc/passwd', '/workspace/da/f.txt'])
  assert.deepEqual(
    told.map((t) => t.error),
    ['file_not_found', 'is_directory', 'invalid_path', null],
  )
  assert.deepEqual(
    (
      await box.uploadFiles([
        ['/etc/x', new Uint8Array(1)],
        ['/workspace/da/y', new Uint8Array(1)],
      ])
    ).map((t) => t.error),
    ['invalid_path', null],
  )
  assert.equal((await box.delete('/workspace/da')).error, undefined)
})

test('Mastra: a Workspace and its tools work in the session', async () => {
  const sandbox = new MastraSandboxAgent(client, { ...options, agentId: 'mastra' })
  const workspace = new Workspace({ sandbox })
  await workspace.init()
  assert.equal(sandbox.status, 'running')
  const tools = await createWorkspaceTools(workspace)
  const execute = tools.mastra_workspace_execute_command
  const context = { workspace, requestContext: new Map(), writer: undefined }
  assert.match(String(await execute.execute({ command: 'echo hi; pwd' }, context)), /hi\n\/workspace/)
  let said = ''
  const r = await sandbox.executeCommand('printf', ['%s\n', "it's", '$HOME'], {
    cwd: '/tmp',
    timeout: 30000,
    onStdout: (s) => (said += s),
  })
  assert.deepEqual([r.success, r.stdout, said], [true, "it's\n$HOME\n", said])
  assert.deepEqual(
    [
      (await sandbox.executeCommand('sleep 1000', [], { timeout: 200 })).timedOut,
      (await sandbox.executeCommand(refusedCommand)).exitCode,
    ],
    [true, 123],
  )
  await sandbox.writeFiles([{ path: '/workspace/x.sh', content: 'echo $0', mode: 0o755 }])
  await sandbox.stop()
  assert.equal((await sandbox.executeCommand('./x.sh')).stdout, './x.sh\n') // which starts it again
  assert.equal((await sandbox.getInfo()).metadata.session_id, sandbox.session.id)
  const { id } = sandbox.session
  await workspace.destroy()
  assert.deepEqual([sandbox.status, (await client.session(id)).state !== 'running'], ['destroyed', true])
})

test('ComputeSDK: compute creates, uses and destroys sandboxes', async () => {
  compute.setConfig({ provider: sandboxAgent(client, { riskLevel: 'medium', agentId: 'compute' }) })
  const box = await compute.sandbox.create({ timeout: 600000, envs: { V: 'v' }, metadata: { n: 1 } })
  const r = await box.runCommand('echo $V $W; exit 3', { env: { W: 'w' }, cwd: '/tmp' })
  assert.deepEqual([r.stdout, r.exitCode], ['v w\n', 3])
  await box.filesystem.mkdir('d')
  await box.filesystem.writeFile('/workspace/d/f', 'x')
  assert.deepEqual(
    [
      await box.filesystem.readFile('d/f'),
      await box.filesystem.exists('d/g'),
      (await box.filesystem.readdir('d'))[0].name,
    ],
    ['x', false, 'f'],
  )
  await box.filesystem.remove('d')
  const info = await box.getInfo()
  assert.deepEqual([info.status, info.metadata, info.timeout], ['running', { n: '1' }, 600000])
  assert.equal((await compute.sandbox.getById(box.sandboxId)).sandboxId, box.sandboxId)
  assert.ok((await compute.sandbox.list()).some((s) => s.sandboxId === box.sandboxId))
  assert.equal((await box.runCommand('sleep 1000', { background: true })).exitCode, 0)
  const snapshot = await compute.snapshot.create(box.sandboxId)
  await compute.snapshot.delete(snapshot.id)
  await assert.rejects(box.getUrl({ port: 80 }), /public address/)
  await box.destroy()
  assert.equal(await compute.sandbox.getById(box.sandboxId), null)
})
