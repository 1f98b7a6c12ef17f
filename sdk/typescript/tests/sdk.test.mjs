// The client against a running sandboxd: SANDBOX_AGENT_URL and SANDBOX_AGENT_API_KEY say where.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as sdk from 'sandbox-agent'

const client = new sdk.Sandbox()
const low = { riskLevel: 'low' }
let session

before(async () => {
  session = await client.createSession({
    ttl: 600,
    env: { A: 'a' },
    metadata: { of: 'sdk' },
    files: { 'in/x': 'ex' },
    ...low,
  })
})
after(() => session?.end())

const sh = (command, options) => session.execute({ command }, options)

async function until(what) {
  for (const end = Date.now() + 60000; !(await what()); await new Promise((r) => setTimeout(r, 20))) {
    assert.ok(Date.now() < end, 'did not come: ' + what)
  }
}

test('a run: whole, and as it comes', async () => {
  const stdin = Uint8Array.of(0xff, 0, 10)
  let said = ''
  const r = await client.execute('bash', undefined, {
    ...low,
    files: { 'a.sh': '. ./b; echo "$1 $V"; cat | od -An -tx1; exit 3', b: sdk.bytesOf({ data: 'echo b' }) },
    args: ['x'],
    env: { V: 'v' },
    stdin,
    timeout: 30,
    agentId: 'ts-agent',
    onStdout: (text) => (said += text),
  })
  assert.deepEqual([r.reason, r.exit_code, r.agent_id, r.stdout], ['error', 3, 'ts-agent', 'b\nx v\n ff 00 0a\n'])
  assert.equal(said, r.stdout)
  assert.throws(
    () => sdk.check(r),
    (e) => e instanceof sdk.ExecutionFailed && e.result === r && e.code === 'execution_error',
  )
  const types = []
  const stream = client.stream('bash', "printf 'gr\\303\\274n \\377'; echo no >&2", low)
  for await (const event of stream) types.push(event.type)
  assert.deepEqual([types[0], types.at(-1)], ['started', 'result'])
  const result = await stream.result()
  assert.deepEqual([result.stdout, result.stderr, result.execution_id], ['grün \ufffd', 'no\n', stream.executionId])
})

test('a run that is left, or aborted, ends', async () => {
  const stream = client.stream('bash', 'echo on; sleep 1000', low)
  for await (const event of stream) if (event.type === 'stdout') break
  await until(async () => (await client.execution(stream.executionId)).state === 'finished')
  await assert.rejects(stream.result(), sdk.ConnectionLost)
  const abort = new AbortController()
  const reason = new Error('enough')
  const run = client.execute('bash', 'echo on; sleep 1000', {
    ...low,
    signal: abort.signal,
    onStdout: () => abort.abort(reason),
  })
  await assert.rejects(run, reason)
})

test('a run that goes on by itself: events again, its state, its end', async () => {
  const run = await client.submit('bash', 'echo one; echo two >&2; sleep 1000', low)
  await assert.rejects(run.wait({ timeout: 0.05 }), (e) => e instanceof sdk.Timeout && e.retrySafe)
  const seen = []
  for await (const event of run.events()) {
    seen.push(event)
    if (event.type === 'stderr' || (event.type === 'stdout' && event.data.includes('two'))) break
  }
  const later = run.events(seen.at(-2).number)
  await client.cancel(run.id)
  const result = await later.result()
  assert.equal(result.reason, 'killed')
  assert.deepEqual(await run.wait(), result)
  const known = (await client.executions({ limit: 50 })).find((e) => e.id === run.id)
  assert.deepEqual([known.state, known.reason], ['finished', 'killed'])
  await assert.rejects(client.cancel(run.id), sdk.Conflict)
})

test('the same key runs once', async () => {
  const options = { ...low, idempotencyKey: 'once-' + Math.random() }
  const first = await client.execute('bash', 'echo $RANDOM', options)
  assert.equal((await client.execute('bash', 'echo $RANDOM', options)).execution_id, first.execution_id)
  await assert.rejects(client.execute('bash', 'echo other', options), sdk.Conflict)
})

test('errors have classes, codes and remedies', async () => {
  const key = new sdk.Sandbox({ apiKey: 'sa_' + 'x'.repeat(43) })
  await assert.rejects(key.execute('bash', 'true'), (e) => e instanceof sdk.Authentication && e.status === 401)
  await assert.rejects(
    client.session('sess-none'),
    (e) => e instanceof sdk.NotFound && e.code === 'not_found' && e.retrySafe,
  )
  await assert.rejects(
    client.execute('cobol', '1'),
    (e) => e instanceof sdk.InvalidRequest && e.details.field === 'language',
  )
  assert.throws(() => client.stream('bash', 'a', { files: {} }), sdk.InvalidRequest)
  const strict = new sdk.Sandbox({ apiKey: process.env.STRICT_KEY })
  const refused = (e) =>
    e instanceof sdk.PolicyDenied && e.findings.length > 0 && e.rule === 'session_level' && e.retrySafe
  await strict.withSession({ riskLevel: 'medium', agentId: 'newcomer' }, (s) =>
    assert.rejects(s.execute({ command: 'kill -9 -1' }), refused),
  )
  assert.equal(await new sdk.Sandbox({ url: 'http://127.0.0.1:1', retries: 0 }).isAvailable(), false)
  assert.equal(await client.isAvailable(), true)
  assert.ok((await client.scan('python', 'import socket')).is_complete)
})

test('agents, profiles and the audit are for operators', async () => {
  await assert.rejects(client.agents(), sdk.Forbidden)
  await assert.rejects(client.setStanding('ts-agent', 'quarantine', 'a test'), sdk.Forbidden)
  const admin = new sdk.Sandbox({ apiKey: process.env.ADMIN_KEY })
  await client.execute('bash', 'true', { ...low, agentId: 'ts-known' })
  const known = (await admin.agents()).map((a) => a.agent_id)
  assert.ok(known.includes('ts-known'), String(known))
  assert.equal((await admin.setTrust('ts-known', 0.25, 'a test')).trust, 0.25)
  assert.equal((await admin.setStanding('ts-known', 'quarantine', 'a test')).standing, 'quarantined')
  assert.equal((await admin.setStanding('ts-known', 'release', 'a test')).standing, 'good')
  assert.equal((await admin.agent('ts-known')).agent_id, 'ts-known')
  assert.equal((await admin.profiles()).length, 3)
  assert.ok((await admin.profile('high')).values)
  assert.ok((await admin.audit({ last: 1 })).length === 1)
})

test('a batch answers each line', async () => {
  const lines = []
  const programs = [
    { language: 'bash', code: 'echo 1', ...low },
    { language: 'bash', code: 'exit 3', ...low },
    { language: 'cobol', code: '' },
  ]
  for await (const line of client.batch(programs)) lines.push(line)
  lines.sort((a, b) => a.line - b.line)
  assert.deepEqual(
    lines.map((l) => [l.fault, l.exit_code]),
    [
      ['none', 0],
      ['program', 3],
      ['program', undefined],
    ],
  )
  assert.equal(lines[2].error.code, 'invalid_value')
})

test('jobs of a session', async () => {
  const r = await sh('cat; echo $A$B; pwd', { stdin: 'in\n', env: { B: 'b' }, cwd: '/tmp' })
  assert.deepEqual([r.stdout, r.session_id], ['in\nab\n/tmp\n', session.id])
  assert.equal((await session.execute({ argv: ['cat', 'in/x'] })).stdout, 'ex')
  assert.equal(
    (await session.execute({ language: 'python', code: 'import sys; print(sys.argv[1])', args: ['y'] })).stdout,
    'y\n',
  )
  assert.equal((await sh('sleep 1000', { timeout: 0.2 })).reason, 'timeout')
  const job = await session.submit({ command: 'echo on; sleep 1000' })
  await job.cancel()
  assert.equal((await job.wait()).reason, 'killed')
})

test('a context keeps variables and shows what it has', async () => {
  const context = await session.createContext()
  await context.execute('x = 20')
  const { results } = await context.execute('x + 1')
  assert.deepEqual([results[0].kind, results[0]['text/plain']], ['value', '21'])
  const failed = await context.execute('1/0')
  assert.deepEqual([failed.reason, failed.exception.name], ['error', 'ZeroDivisionError'])
  let on = false
  const cell = context.execute('import time\nprint("on", flush=True)\nfor _ in range(10000): time.sleep(0.1)', {
    onStdout: () => (on = true),
  })
  await until(() => on)
  await context.interrupt()
  assert.equal((await cell).exception.name, 'KeyboardInterrupt')
  await context.restart()
  assert.equal((await context.execute('x')).exception.name, 'NameError')
  await context.end()
})

test('a workspace goes back to a checkpoint', async () => {
  await session.files.write('wd/a', 'one')
  const first = await session.checkpoint()
  await sh('echo two > wd/a; echo new > wd/b')
  const second = await session.checkpoint()
  assert.deepEqual((await session.undo(first.checkpoint_id)).dropped, [second.checkpoint_id])
  assert.deepEqual([await session.files.readText('wd/a'), await session.files.exists('wd/b')], ['one', false])
  await session.files.remove('wd')
  assert.equal((await session.undo()).checkpoint_id, first.checkpoint_id)
  assert.equal(await session.files.readText('wd/a'), 'one')
  await assert.rejects(session.undo(second.checkpoint_id), sdk.NotFound)
})

test('a context goes back to a checkpoint', async () => {
  const context = await session.createContext()
  await context.execute("x = 1; open('undone', 'w').write('before')")
  const first = await context.checkpoint()
  await context.execute("x = 2; open('undone', 'w').write('after')")
  assert.equal((await context.checkpoint()).kept, 2)
  const undone = await context.undo(first.checkpoint_id)
  assert.deepEqual([undone.checkpoint_id, undone.dropped.length], [first.checkpoint_id, 1])
  assert.equal((await context.undo()).checkpoint_id, first.checkpoint_id)
  assert.equal((await context.execute('x')).results[0]['text/plain'], '1')
  assert.equal(await session.files.readText('undone'), 'before')
  await context.end()
})

test('a server of the session is asked', async () => {
  const code = `require('http').createServer((q, a) => {
    let body = ''
    q.on('data', (d) => (body += d)).on('end', () => {
      a.writeHead(418, { 'x-key': String(q.headers.authorization) }).end(q.method + q.url + body)
    })
  }).listen(8000, '127.0.0.1')`
  const job = await session.submit({ argv: ['node', '-e', code] })
  await until(async () => (await session.fetch(8000)).status === 418)
  const answer = await session.fetch(8000, '/a?b', { method: 'POST', body: 'body' })
  assert.deepEqual([await answer.text(), answer.headers.get('x-key')], ['POST/a?bbody', 'undefined'])
  await assert.rejects(session.fetch(8000, '/../../extend', { method: 'POST' }), sdk.InvalidRequest)
  await assert.rejects(session.fetch(8000, '/a/%2e%2e/%2E%2e/x'), sdk.InvalidRequest)
  await job.cancel()
})

test('processes: input, signals, a terminal, events again', async () => {
  const cat = await session.start({ command: 'cat' }, { stdin: true })
  assert.equal(await cat.write('one\n'), 4)
  await cat.write(Uint8Array.of(0xe2, 0x82, 0xac))
  await cat.closeInput()
  assert.equal((await cat.wait()).stdout, 'one\n€')
  await assert.rejects(cat.write('more'), sdk.Conflict)

  const shell = await session.start(
    { command: 'trap "echo got; exit 4" USR1; stty size; read; stty size; while :; do sleep 0.05; done' },
    { pty: { rows: 33, cols: 91 } },
  )
  let said = ''
  let last = 0
  const read = async (needle) => {
    for await (const event of shell.events(last)) {
      last = event.number
      if (event.type === 'stdout') said += event.data
      if (said.includes(needle)) return
    }
  }
  await read('33 91')
  await shell.resize({ rows: 22, cols: 77 })
  await shell.write('\n')
  await read('22 77')
  assert.ok((await session.processes()).some((p) => p.id === shell.id && p.state === 'running' && p.info.pty))
  await shell.signal('USR1')
  assert.equal((await shell.wait()).exit_code, 4)
  assert.equal((await session.process(shell.id)).info.reason, 'error')
  const long = await session.start({ argv: ['sleep', '1000'] })
  await long.kill()
  assert.equal((await long.wait()).reason, 'killed')
})

test('files', async () => {
  const { files } = session
  assert.equal((await files.write('/workspace/d/a b%.sh', 'echo hi', { mode: 0o755 })).mode, '0755')
  assert.equal((await sh("'d/a b%.sh'")).stdout, 'hi\n')
  assert.equal(await files.readText('./d/a b%.sh'), 'echo hi')
  await files.move('d/a b%.sh', '/workspace/d/c')
  await files.mkdir('d/e/f')
  assert.deepEqual((await files.list('d', { depth: 2 })).map((e) => e.name).sort(), ['c', 'e', 'e/f'])
  assert.deepEqual(
    [await files.exists('d/c'), await files.exists('d/a'), (await files.stat('d/e')).type],
    [true, false, 'directory'],
  )
  await assert.rejects(
    files.read('/etc/passwd'),
    (e) => e instanceof sdk.InvalidRequest && /below \/workspace/.test(e.message),
  )
  await assert.rejects(files.read('a/../../b'), sdk.InvalidRequest)
  const big = new Uint8Array(300000).fill(7)
  await files.write('d/big', new Blob([big]).stream())
  const [stream] = [await files.readStream('d/big')]
  let size = 0
  for await (const piece of stream) size += piece.length
  assert.equal(size, big.length)
  const tar = new Uint8Array(await new Response(await files.archive('d')).arrayBuffer())
  assert.ok((await files.unpack('copy', tar)) >= 4)
  assert.deepEqual(await files.read('copy/big'), big)
  await files.remove('d')
  assert.equal(await files.exists('d'), false)
})

test('changes of files are told', async () => {
  const seen = []
  for await (const event of session.files.watch('', { recursive: true })) {
    seen.push(`${event.type} ${event.name}`)
    if (event.type === 'watching') await session.files.mkdir('watched/below')
    if (event.name === 'watched/below') break
  }
  assert.ok(seen.includes('create watched'), String(seen))
})

test('a session: found, extended, paused, kept, ended', async () => {
  assert.deepEqual(
    (await client.sessions({ metadata: { of: 'sdk' }, state: 'running' })).map((s) => s.id),
    [session.id],
  )
  await client.withSession({ files: { kept: 'yes' }, ...low }, async (other) => {
    const expires = other.info.expires_at
    assert.ok(expires < (await other.extend(3600)).info.expires_at)
    assert.equal((await other.pause()).state, 'paused')
    await assert.rejects(
      other.execute({ command: 'true' }),
      (e) => e instanceof sdk.Conflict && e.rule === 'session_paused',
    )
    assert.equal((await other.resume()).state, 'running')
    const { snapshot_id: from } = await other.snapshot()
    assert.ok((await client.snapshots()).some((s) => s.snapshot_id === from))
    await other.end()
    await client.withSession({ from, ...low }, async (third) =>
      assert.equal(await third.files.readText('kept'), 'yes'),
    )
    await client.removeSnapshot(from)
    await until(async () => (await client.session(other.id)).state === 'ended')
  })
})
