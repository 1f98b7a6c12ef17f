// The client and a service that answers late, breaks off, or not at all.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import * as sdk from 'sandbox-agent'

let server
let answers = [] // what the next requests get: (request, response) => …
let asked = []

before(async () => {
  server = createServer((request, response) => {
    let body = ''
    request
      .on('data', (d) => (body += d))
      .on('end', () => {
        asked.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
        const answer = answers.shift()
        answer ? answer(request, response) : response.writeHead(500).end()
      })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(() => (server.closeAllConnections(), server.close()))

const client = (options = {}) =>
  new sdk.Sandbox({ url: `http://127.0.0.1:${server.address().port}`, apiKey: 'sa_key', ...options })
const script = (...steps) => ((answers = steps), (asked = []))
const json =
  (value, status = 200, headers = {}) =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const refused = (code, status, details = {}, headers = {}) =>
  json({ error: { code, message: 'no', details } }, status, headers)
const gone = (request) => request.socket.destroy()
const events =
  (...list) =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [id, event] of list)
      response.write(`: quiet\nid: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  }
const out = (data) => ({ type: 'stdout', data, at_ms: 1 })
const result = {
  type: 'result',
  result: {
    execution_id: 'e',
    reason: 'completed',
    exit_code: 0,
    stdout: 'ab',
    stderr: '',
    findings: [],
    error: null,
  },
}

test('429 and 503 are tried again, with the same key, for as long as Retry-After permits', async () => {
  script(refused('queue_full', 429), refused('unavailable', 503), events([1, result]))
  assert.equal((await client().execute('bash', 'a')).stdout, 'ab')
  const keys = asked.map((a) => a.headers['idempotency-key'])
  assert.deepEqual([keys.length, new Set(keys).size], [3, 1])
  assert.equal(asked[0].headers.authorization, 'Bearer sa_key')
  script(refused('rate_limited', 429, { retry_after_seconds: 3600 }))
  await assert.rejects(
    client().execute('bash', 'a'),
    (e) => e instanceof sdk.RateLimited && e.retryAfter === 3600 && e.status === 429,
  )
  script((_, response) => response.writeHead(503, { 'retry-after': '77' }).end('<html>'))
  await assert.rejects(client().capabilities(), (e) => e instanceof sdk.Unavailable && e.retryAfter === 77)
  assert.equal(asked.length, 1)
})

test('what cannot run twice is sent again when the connection broke, what could is not', async () => {
  script(gone, events([1, result]))
  assert.equal((await client().execute('bash', 'a')).stdout, 'ab')
  script(gone)
  await assert.rejects(client().createSession(), sdk.ConnectionLost)
  assert.equal(asked.length, 1)
  script(json({}), gone, json({ name: 'f' }))
  const session = await client().session('s')
  await session.files.write('f', 'x')
  assert.deepEqual(
    asked.slice(1).map((a) => a.line + a.body),
    Array(2).fill('PUT /api/v1/sandbox/sessions/s/files/fx'),
  )
})

test('a stream that breaks off: taken up where there are numbers, an error with its key where not', async () => {
  script(
    json({ execution_id: 'e', state: 'running' }),
    events([1, out('a')]),
    gone,
    events([2, out('b')], [3, result]),
  )
  const run = await client().execution('e')
  let said = ''
  await run.events().result({ onStdout: (text) => (said += text) })
  assert.equal(said, 'ab')
  assert.deepEqual(
    asked.slice(1).map((a) => a.headers['last-event-id']),
    [undefined, '1', '1'],
  )
  script(events([1, out('a')]))
  await assert.rejects(
    client().execute('bash', 'a', { idempotencyKey: 'k' }),
    (e) => e instanceof sdk.ConnectionLost && e.details.idempotency_key === 'k' && !e.retrySafe,
  )
  script(
    events([
      1,
      { type: 'error', error: { code: 'sandbox_error', message: 'no', details: { step: 'mount' } }, result: null },
    ]),
  )
  await assert.rejects(
    client().execute('bash', 'a'),
    (e) => e instanceof sdk.SandboxFailed && e.details.step === 'mount',
  )
})

test('events may come in any pieces, and cells of any width', async () => {
  const first = `id: 1\r\nevent: stdout\r\ndata: ${JSON.stringify(out('grün'))}\r\n\r\n`
  const text = `${first}id: 2\nevent: result\ndata: ${JSON.stringify(result)}\n\nid: 3\ndata: {"type"`
  script((_, response) => {
    response.writeHead(200)
    const bytes = Buffer.from(text)
    for (let i = 0; i < bytes.length; i++) response.write(bytes.subarray(i, i + 1))
    response.end()
  })
  const seen = []
  for await (const event of client().stream('bash', 'a')) seen.push(event.data ?? event.type)
  assert.deepEqual(seen, ['grün', 'result'])
  script((_, response) => response.end('data: [1]\n\n'))
  await assert.rejects(
    client().execute('bash', 'a'),
    (e) => e instanceof sdk.ConnectionLost && e.code === 'bad_answer',
  )
})

test('time is over, or the caller has had enough', async () => {
  const fetch = (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) // it never answers
  await assert.rejects(
    client({ timeout: 0.05, fetch }).capabilities(),
    (e) => e instanceof sdk.Timeout && e.code === 'client_timeout',
  )
  await assert.rejects(client({ fetch }).capabilities({ signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
  script(refused('unavailable', 503, { retry_after_seconds: 5 }))
  const reason = new Error('enough')
  const abort = new AbortController()
  const waits = client().capabilities({ signal: abort.signal })
  const poll = setInterval(() => asked.length && abort.abort(reason), 5)
  await assert.rejects(waits, reason)
  clearInterval(poll)
  script()
  await assert.rejects(client().capabilities({ signal: AbortSignal.abort(reason) }), reason)
  assert.equal(asked.length, 0)
})

test('a reader may take its time; where nothing listens, nothing ran', async () => {
  const pieces = ['a', 'b']
  const fetch = async (_, { signal }) => {
    const start = (c) => signal.addEventListener('abort', () => c.error(signal.reason))
    const pull = (c) => (pieces.length ? c.enqueue(Buffer.from(pieces.shift())) : c.close())
    return new Response(new ReadableStream({ start, pull }, { highWaterMark: 0 }))
  }
  const slow = new sdk.Session(client({ timeout: 0.05, fetch }).transport, 's')
  const reader = (await slow.files.readStream('f')).getReader()
  let said = ''
  for (let piece; !(piece = await reader.read()).done; await new Promise((r) => setTimeout(r, 80))) {
    said += Buffer.from(piece.value)
  }
  assert.equal(said, 'ab')
  const refusals = [
    new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }), // Node
    Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' }), // Bun
    new TypeError('error sending request: client error (Connect): tcp connect error: Connection refused'), // Deno
  ]
  for (const refusal of refusals) {
    const nothing = client({ retries: 0, fetch: () => Promise.reject(refusal) })
    await assert.rejects(nothing.createSession(), (e) => e instanceof sdk.Unavailable && e.retrySafe)
  }
})

test('the key goes where it was configured, and nowhere else', async () => {
  script((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  await assert.rejects(client({ retries: 0 }).capabilities(), sdk.ConnectionLost)
  script(json({}))
  await client().health()
  assert.deepEqual([asked[0].line, asked[0].headers.authorization], ['GET /readyz', undefined])
  for (const url of ['nonsense', 'unix:///run/s', 'http://key@host/', 'http://host/?a=b']) {
    assert.throws(
      () => new sdk.Sandbox({ url }),
      (e) => e instanceof sdk.InvalidRequest && e.code === 'bad_configuration',
    )
  }
  script(json({}))
  await new sdk.Sandbox({ url: `http://127.0.0.1:${server.address().port}/under/api/v1/sandbox/` }).health()
  assert.equal(asked[0].line, 'GET /under/readyz')
})

test('a level of the environment is never laxer', async () => {
  process.env.SANDBOX_AGENT_RISK_LEVEL = 'medium'
  script(...Array(3).fill(events([1, result])))
  for (const riskLevel of ['low', 'high', undefined])
    await client().execute('bash', 'a', riskLevel ? { riskLevel } : {})
  delete process.env.SANDBOX_AGENT_RISK_LEVEL
  assert.deepEqual(
    asked.map((a) => JSON.parse(a.body).risk_level),
    ['medium', 'high', 'medium'],
  )
})

test('packages: the requests of the contract', async () => {
  script(
    json({ name: 'p', state: 'building' }, 202),
    json({ packages: [] }),
    json({ name: 'p/q' }),
    json({}),
    json({ session_id: 's' }, 201),
  )
  const c = client()
  await c.createPackages('p', { python: 'six==1.16.0\n' })
  await c.packages()
  await c.package('p/q')
  await c.removePackages('p')
  await c.createSession({ packages: 'p' })
  assert.deepEqual(
    asked.map((a) => `${a.line} ${a.body}`.replaceAll('/api/v1/sandbox', '').trim()),
    [
      'POST /packages {"name":"p","python":"six==1.16.0\\n"}',
      'GET /packages',
      'GET /packages/p%2Fq',
      'DELETE /packages/p',
      'POST /sessions {"packages":"p"}',
    ],
  )
})
