// Piston's own client against this service: PISTON_SERVER says where. One line of JSON for each case, {name, error}.
import assert from 'node:assert/strict'
import piston from 'piston-client'

const client = piston({ server: process.env.PISTON_SERVER })

// A machine may be slow: three seconds, which the client presets, are for none that is to succeed.
const execute = (language, code, more) => client.execute(language, code, { runTimeout: 60000, ...more })

const hello = {
  python: 'import sys; print("hello", *sys.argv[1:]); print(sys.stdin.read(), file=sys.stderr, end="")',
  javascript:
    'console.log("hello", ...process.argv.slice(2)); process.stdin.on("data", (d) => process.stderr.write(d))',
  bash: 'echo hello "$@"; cat >&2',
  go: `package main
import ("fmt"; "io"; "os")
func main() { fmt.Println("hello", os.Args[1], os.Args[2]); io.Copy(os.Stderr, os.Stdin) }`,
  rust: `use std::{env, io};
fn main() { let a: Vec<String> = env::args().skip(1).collect(); println!("hello {}", a.join(" "));
  io::copy(&mut io::stdin(), &mut io::stderr()).unwrap(); }`,
}

const cases = {
  async 'five languages have versions and aliases, and run with input and arguments'() {
    const runtimes = await client.runtimes()
    assert.deepEqual(runtimes.map((r) => r.language), Object.keys(hello))
    for (const r of runtimes) {
      assert.match(r.version, /^\d+\.\d+(\.\d+)?$/)
      assert.ok(r.aliases.length >= 1)
    }
    await Promise.all(runtimes.map(async (r) => {
      const done = await execute(r.language, hello[r.language], { stdin: 'in', args: ['a', 'b'] })
      assert.ok(done.run, JSON.stringify(done))
      const { stdout, stderr, code, signal, status, message } = done.run
      assert.deepEqual([done.language, done.version], [r.language, r.version])
      assert.deepEqual([stdout, stderr, code, signal, status, message], ['hello a b\n', 'in', 0, null, null, null])
      assert.ok(done.run.wall_time >= 0 && done.run.cpu_time >= 0 && done.run.memory > 0)
      assert.equal(done.compile?.code, ['go', 'rust'].includes(r.language) ? 0 : undefined)
    }))
  },
  async 'both outputs as one, an alias, a version, and how a program ends'() {
    const bash = (code, more) => execute('sh', code, more)
    const mixed = await bash('echo a; echo b >&2; echo c; exit 3', { version: '*' })
    assert.ok(['a\nb\nc\n', 'a\nc\nb\n', 'b\na\nc\n'].includes(mixed.run.output), mixed.run.output)
    assert.deepEqual([mixed.run.code, mixed.run.status], [3, 'RE'])
    const killed = await bash('kill -SEGV $$')
    assert.deepEqual([killed.run.code, killed.run.signal, killed.run.status], [null, 'SIGSEGV', 'SG'])
    const late = await bash('echo there; sleep 1000', { runTimeout: 5000 })
    assert.deepEqual([late.run.stdout, late.run.signal, late.run.status], ['there\n', 'SIGKILL', 'TO'])
    const bytes = await bash("printf '\\xff\\303\\274'")
    assert.deepEqual([bytes.run.stdout, bytes.run.output], ['\ufffdü', '\ufffdü'])
  },
  async 'files of each encoding lie beside the program, which is the first that is text'() {
    const done = await execute('python', {
      files: [
        { name: 'b.bin', content: '4142', encoding: 'hex' },
        { name: 'main program.py', content: 'import m; print(m.x, open("b.bin").read(), open("d/t").read())' },
        { name: 'm.py', content: 'x = "ü"', encoding: 'utf8' },
        { name: 'd/t', content: 'aGk=', encoding: 'base64' },
      ],
    })
    assert.equal(done.run?.stdout, 'ü AB hi\n', JSON.stringify(done))
  },
  async 'what does not compile is not run'() {
    const done = await execute('go', 'package main\nfunc main() { x }')
    assert.match(done.compile.stderr, /undefined: x/)
    assert.deepEqual([done.compile.code, done.compile.status], [2, 'RE'])
    assert.deepEqual(done.run, done.compile)
  },
  async 'what is not accepted is told'() {
    const messages = [
      [['cobol', 'x'], /^cobol-\* runtime is unknown$/],
      [['python', 'x', { version: '2.7' }], /^python-2.7 runtime is unknown$/],
      [['python', { files: [] }], /^files must include at least one utf8 encoded file$/],
      [['python', 'x', { runTimeout: 1e10 }], /limits\.timeout/],
      [['python', 'x', { runMemoryLimit: 2 ** 50 }], /memory/],
    ]
    for (const [words, message] of messages) assert.match((await client.execute(...words)).message, message)
  },
}

let failed = 0
await Promise.all(Object.entries(cases).map(async ([name, run]) => {
  const error = await run().then(() => null, (e) => String(e.stack ?? e))
  failed += error !== null
  console.log(JSON.stringify({ name, error }))
}))
process.exit(failed ? 1 : 0)
