// Daytona's own client against this service: DAYTONA_API_URL and DAYTONA_API_KEY say where. One line of JSON for each
// case, {name, error}.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Daytona } from '@daytona/sdk'

const daytona = new Daytona({ apiUrl: process.env.DAYTONA_API_URL, apiKey: process.env.DAYTONA_API_KEY, target: 'us' })

async function throws(name, promise, words = /./) {
  const error = await promise.then(() => assert.fail('no ' + name), (e) => e)
  assert.equal(error.name, name, String(error))
  assert.match(error.message, words)
  return error
}

async function ids(query) {
  const found = []
  for await (const sandbox of daytona.list(query)) found.push(sandbox.id)
  return found
}

const cases = {
  async 'a command, its output and exit code, directory, environment and deadline'(sb) {
    const r = await sb.process.executeCommand('pwd; echo $A; echo err >&2; exit 3', undefined, { A: 'a' })
    assert.equal(r.exitCode, 3)
    assert.deepEqual(r.result.split('\n').sort(), ['', '/workspace', 'a', 'err'])
    await sb.fs.createFolder('dir', '755')
    assert.equal((await sb.process.executeCommand('pwd', 'dir')).result, '/workspace/dir\n')
    assert.equal((await sb.process.executeCommand('kill -9 $$')).exitCode, 137)
    await throws('DaytonaProcessExecutionTimeoutError', sb.process.executeCommand('sleep 1000', undefined, {}, 1))
    assert.equal(await sb.getWorkDir(), '/workspace')
  },
  async 'code runs in the language of the sandbox, with arguments'(sb) {
    const r = await sb.process.codeRun('import sys; print(sys.argv[1:])', { argv: ['a b'] })
    assert.deepEqual([r.exitCode, r.result], [0, "['a b']\n"])
    await throws('DaytonaAuthorizationError', sb.process.codeRun('import os'), /module os is blocked/)
    const bad = await sb.process.codeRun('raise ValueError("no")')
    assert.equal(bad.exitCode, 1)
    assert.match(bad.result, /ValueError: no/)
  },
  async 'a session keeps directory and variables, and has its commands'(sb) {
    await sb.process.createSession('s1')
    const run = (command, more) => sb.process.executeSessionCommand('s1', { command, ...more })
    assert.equal((await run('cd /tmp; x=5')).exitCode, 0)
    const said = await run('pwd; echo $x; echo e >&2; (exit 4)')
    assert.deepEqual([said.exitCode, said.stdout, said.stderr], [4, '/tmp\n5\n', 'e\n'])
    const logs = await sb.process.getSessionCommandLogs('s1', said.cmdId)
    assert.deepEqual([logs.stdout, logs.stderr], ['/tmp\n5\n', 'e\n'])
    assert.equal((await sb.process.getSessionCommand('s1', said.cmdId)).exitCode, 4)
    assert.ok((await sb.process.listSessions()).some((s) => s.sessionId === 's1'))
    await throws('DaytonaConflictError', sb.process.createSession('s1'), /already/)
    await sb.process.deleteSession('s1')
    await throws('DaytonaNotFoundError', run('echo'), /s1 not found/)
  },
  async 'a command that is not waited for takes input, and is asked for later'(sb) {
    await sb.process.createSession('s2')
    const { cmdId } = await sb.process.executeSessionCommand('s2', {
      command: 'echo begun; read line; echo got $line; exit 6', runAsync: true })
    assert.equal((await sb.process.getSessionCommand('s2', cmdId)).exitCode, undefined)
    await sb.process.sendSessionCommandInput('s2', cmdId, 'word\n')
    const until = Date.now() + 30000
    let told
    do {
      await sleep(20)
      told = await sb.process.getSessionCommand('s2', cmdId)
    } while (told.exitCode === undefined && Date.now() < until)
    assert.equal(told.exitCode, 6)
    assert.equal((await sb.process.getSessionCommandLogs('s2', cmdId)).output, 'begun\ngot word\n')
  },
  async 'files go up and down, are listed, moved, found and deleted'(sb) {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    await sb.fs.uploadFiles([{ source: bytes, destination: 'f/a "ü".bin' },
                             { source: Buffer.from('two'), destination: '/workspace/f/b.txt' }])
    assert.deepEqual(await sb.fs.downloadFile('f/a "ü".bin'), bytes)
    const both = await sb.fs.downloadFiles([{ source: 'f/b.txt' }, { source: 'f/none' }])
    assert.equal(String(both[0].result), 'two')
    assert.equal(both[1].errorDetails.code, 'FILE_NOT_FOUND')
    const listed = (await sb.fs.listFiles('f')).sort((a, b) => a.size - b.size)
    assert.deepEqual(listed.map((f) => [f.name, f.size, f.isDir]), [['b.txt', 3, false], ['a "ü".bin', 256, false]])
    await sb.fs.moveFiles('f/b.txt', 'f/c.txt')
    const info = await sb.fs.getFileDetails('/workspace/f/c.txt')
    assert.deepEqual([info.name, info.size, info.permissions, info.mode], ['c.txt', 3, '0644', '-rw-r--r--'])
    assert.deepEqual((await sb.fs.searchFiles('.', 'c.*')).files, ['/workspace/f/c.txt'])
    await throws('DaytonaValidationError', sb.fs.deleteFile('f'), /recursive/)
    await sb.fs.deleteFile('f', true)
    await throws('DaytonaFileNotFoundError', sb.fs.getFileDetails('f/c.txt'))
    await throws('DaytonaFileAccessDeniedError', sb.fs.getFileDetails('/etc/passwd'), /workspace/)
  },
  async 'a sandbox is found by id, name and labels, stopped, started and deleted'() {
    const sb = await daytona.create({ language: 'javascript', name: 'mine', labels: { team: 'x y' }, envVars: { V: 'v' },
                                      networkBlockAll: true })
    assert.deepEqual([sb.state, sb.name, sb.labels.team, sb.networkBlockAll], ['started', 'mine', 'x y', true])
    assert.equal((await sb.process.codeRun('console.log(process.env.V)')).result, 'v\n')
    assert.equal((await daytona.get('mine')).id, sb.id)
    assert.deepEqual(await ids({ labels: { team: 'x y' } }), [sb.id])
    assert.deepEqual(await ids({ labels: { team: 'z' } }), [])
    await sb.fs.uploadFile(Buffer.from('kept'), 'k')
    await sb.stop()
    assert.equal((await daytona.get(sb.id)).state, 'stopped')
    await throws('DaytonaConflictError', sb.process.executeCommand('echo'), /paused/)
    await sb.start()
    assert.equal((await sb.process.executeCommand('cat k')).result, 'kept')
    await sb.delete(60, true)
    await throws('DaytonaNotFoundError', daytona.get('mine'), /mine not found/)
    await throws('DaytonaNotFoundError', daytona.get(sb.id))
  },
  async 'what is not offered is not found, or refused'(sb) {
    await throws('DaytonaNotFoundError', sb.archive(), /not offered/)
    await throws('DaytonaNotFoundError', sb.git.status('x'), /not offered/)
    await throws('DaytonaNotFoundError', daytona.volume.list(), /not offered/)
    await throws('DaytonaValidationError', daytona.create({ image: 'debian:12' }), /buildInfo/)
  },
}

const shared = await daytona.create({ language: 'python', labels: { agent_id: 'd' } })
let failed = 0
await Promise.all(Object.entries(cases).map(async ([name, run]) => {
  const error = await run(shared).then(() => null, (e) => String(e.stack ?? e))
  failed += error !== null
  console.log(JSON.stringify({ name, error }))
}))
await shared.delete()
process.exit(failed ? 1 : 0)
