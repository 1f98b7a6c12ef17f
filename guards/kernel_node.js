'use strict';
// A kernel for Node: cells that share their names, as in a notebook.
//
//     node FLAGS --require /code/main.js [--expose-internals --require /code/.guard.js] -e 0 REQUESTS REPLIES
//
// REQUESTS and REPLIES are descriptors, perhaps the same one; the frames are those of kernel_python.py, and
// src/kernel/frame.h reads the replies. It is loaded before the guard and keeps the modules that it needs; cells come
// later, when the guard judges what they ask for.
//
// A cell is evaluated as Chrome's console does (replMode: top-level await, and `let` and `const` that may be declared
// again), in the main context, with node's own `require`. SIGINT interrupts it while it runs or awaits; code that runs
// on after an await is interrupted when it awaits again. Between cells timers and servers go on. display(value) shows
// a value; Symbol.for('Jupyter.display') names a method that answers {MIME type: data}, as in Deno's kernel.
(function kernel() {
  const words = process.argv.slice(1, 3);
  if (words.length !== 2 || !words.every((word) => /^\d+$/.test(word))) return; // a worker's copy of us
  const net = require('net'), vm = require('vm'), util = require('util'), url = require('url');
  const {Session} = require('inspector');
  const MAX_FORM = 4 << 20; // bytes of one form; as in src/kernel/frame.h
  const MAX_TEXT = 1 << 20; // of a value's text, which is cut
  const MAX_RESULTS = 64;
  const MAX_TRACEBACK = 64 << 10;
  const RUN = Symbol.for('sandbox.kernel.run'), IMPORT = Symbol.for('sandbox.kernel.import');
  const inCode = (symbol) => `globalThis[Symbol.for('${symbol.description}')]`;
  const DISPLAY = Symbol.for('Jupyter.display');
  const exit = process.reallyExit.bind(process);
  const {defineProperty} = Object;

  process.argv.length = 1;
  delete module.constructor._cache[__filename];

  // What a cell forks is no kernel. Only when all is loaded: node is walking through the list, and would pass over the
  // guard, which comes behind us.
  function leaveFlags() {
    for (const flags of [process.execArgv, process._preload_modules]) {
      const at = flags.indexOf(__filename);
      if (at >= 0) flags.splice(flags[at - 1] === '--require' ? at - 1 : at, flags[at - 1] === '--require' ? 2 : 1);
    }
  }

  // --- frames ---------------------------------------------------------------------------------------------------

  const [requests, replies] = words.map(Number);
  const incoming = new net.Socket({fd: requests, readable: true, writable: requests === replies});
  const outgoing = requests === replies ? incoming : new net.Socket({fd: replies, readable: false, writable: true});
  for (const side of new Set([incoming, outgoing])) for (const end of ['error', 'close']) side.on(end, () => exit(0));

  const held = []; // goes out with the next reply
  /** Frames [kind, data] of one cell, of which no code runs any more: its end follows at once, and wakes the reader. */
  function hold(number, ...frames) {
    for (const [kind, data] of frames) held.push(Buffer.from(`${kind} ${number} ${data.length}\n`), data);
  }

  /** The same, whole and in one piece. */
  function reply(number, ...frames) {
    hold(number, ...frames);
    outgoing.write(Buffer.concat(held.splice(0)));
  }

  let pending = Buffer.alloc(0);
  const waiting = []; // cells to come
  function onData(chunk) {
    pending = Buffer.concat([pending, chunk]);
    for (let end; (end = pending.indexOf(10)) >= 0;) {
      const [kind, number, length] = pending.toString('latin1', 0, end).split(' ');
      if (pending.length < end + 1 + Number(length)) return;
      if (kind === 'x') waiting.push([Number(number), pending.toString('utf8', end + 1, end + 1 + Number(length))]);
      pending = pending.subarray(end + 1 + Number(length));
    }
  }

  // --- values -----------------------------------------------------------------------------------------------------

  const cut = (text, most) => text.length > most ? `${text.slice(0, most)}... (${text.length} characters)` : text;

  /** What it returns, or undefined and a word on standard error where it fails. */
  function ask(what, f) {
    try {
      return f();
    } catch (error) {
      process.stderr.write(`${what}: ${cut(textOf(error), 1000)}\n`);
    }
  }

  function textOf(value) {
    try {
      return `${value}`;
    } catch {
      return '<no text>';
    }
  }

  function bundle(value) {
    const forms = {};
    const made = ask('Jupyter.display', () => typeof value?.[DISPLAY] === 'function' ? value[DISPLAY]() : null);
    if (made !== null && typeof made === 'object') Object.assign(forms, made);
    const plain = forms['text/plain'] ?? ask('util.inspect', () => util.inspect(value)) ?? '<no text>';
    return {...forms, 'text/plain': cut(textOf(plain), MAX_TEXT)};
  }

  function encode(mime, data) {
    if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    if (typeof data !== 'string') return Buffer.from(JSON.stringify(data));
    const isPicture = /^image\/|^application\/pdf$/.test(mime) && mime !== 'image/svg+xml';
    return Buffer.from(data, isPicture ? 'base64' : 'utf8');
  }

  let cell = null; // {number, results, interrupt} of the one that runs
  function send(kind, forms, tell = reply) {
    if (cell === null || ++cell.results > MAX_RESULTS) {
      if (cell?.results === MAX_RESULTS + 1) {
        process.stderr.write(`display: more than ${MAX_RESULTS} results of a cell are left out\n`);
      }
      return;
    }
    const frames = [['r', Buffer.from(kind)]];
    for (const [mime, value] of Object.entries(forms)) {
      const data = ask(mime, () => encode(mime, value));
      if (data && data.length > MAX_FORM) {
        process.stderr.write(`display: ${mime} of ${data.length} bytes is left out: more than ${MAX_FORM}\n`);
      } else if (data) {
        frames.push(['m', Buffer.concat([Buffer.from(`${mime.replace(/\0/g, '?').slice(0, 100)}\0`), data])]);
      }
    }
    tell(cell.number, ...frames);
  }

  let last; // what `_` was set to: the name is ours unless the code uses it
  function showValue(value) {
    if (value === undefined) return;
    if (globalThis._ === last) {
      defineProperty(globalThis, '_', {value, writable: true, configurable: true, enumerable: false});
      last = value;
    }
    send('value', bundle(value), hold);
  }

  // --- import: the evaluator knows none, so it becomes a call -----------------------------------------------------

  defineProperty(globalThis, IMPORT, {value: (name, options) => {
    const isFile = typeof name === 'string' && /^\.{0,2}\//.test(name);
    return import(isFile ? new URL(name, url.pathToFileURL(`${process.cwd()}/`)).href : name, options);
  }});

  const NAMES = /(?:\s+([\w$]+)\s*,?)?(?:\s*\*\s*as\s+([\w$]+)|\s*\{([^}]*)\})?\s*/;
  const STATEMENT = new RegExp(`import${NAMES.source}from\\s*(['"])([^'"\\n]+)\\4;?`, 'y');
  const BARE = /import\s*(['"])([^'"\n]+)\1;?/y;

  /** `import x, {a as b} from 'm'` as declarations. */
  function declared([whole, standard, all, names, , from]) {
    const parts = [];
    if (standard) parts.push(`default: ${standard}`);
    for (const name of (names || '').split(',')) if (name.trim()) parts.push(name.trim().replace(/\s+as\s+/, ': '));
    const target = all || `{${parts.join(', ')}}`;
    const more = all && standard ? `; const ${standard} = ${all}.default` : '';
    return `const ${target} = await ${inCode(IMPORT)}('${from}')${more};${'\n'.repeat(whole.split('\n').length - 1)}`;
  }

  // Texts, comments and templates are passed over; a slash begins a pattern where no value can stand before it.
  const TOKEN = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"|[\w$]+|\s+|[^]/y;
  const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y;
  const AN_END = /[\w$)\]}'"`]$/; // of a value, but for these words
  const NO_END = /^(return|typeof|case|in|of|do|else|void|delete|throw|await|yield)$/;
  const LITERAL = /(?:\\[^]|\$(?!\{)|[^\\`$])*(`|\$\{)?/y; // of a template: to its end, or to what it computes

  function match(pattern, text, at) {
    pattern.lastIndex = at;
    return pattern.exec(text);
  }

  function withImports(source) {
    if (!/\bimport\b/.test(source)) return source;
    const braces = []; // for each that is open: whether a template goes on behind it
    let out = '', before = ';';
    for (let at = 0; at < source.length;) {
      const isBehindValue = AN_END.test(before) && !NO_END.test(before);
      let [token] = (!isBehindValue && match(PATTERN, source, at)) || match(TOKEN, source, at), made = token;
      if (token === 'import' && !before.endsWith('.')) {
        const statement = braces.length ? null : match(STATEMENT, source, at) || match(BARE, source, at);
        if (statement && statement.length > 3) [token, made] = [statement[0], declared(statement)];
        else if (statement) [token, made] = [statement[0], `await ${inCode(IMPORT)}('${statement[2]}');`];
        else if (match(/\s*\(/y, source, at + token.length)) made = inCode(IMPORT);
      }
      if (token === '{') braces.push(false);
      if (token === '`' || (token === '}' && braces.pop())) {
        const literal = match(LITERAL, source, at + 1);
        if (literal[1] === '${') braces.push(true);
        made = token += literal[0];
      }
      if (token.trim() && !/^\/[/*]/.test(token)) before = token;
      out += made;
      at += token.length;
    }
    return out;
  }

  // --- running ----------------------------------------------------------------------------------------------------

  const session = new Session();
  session.connect();
  const post = (method, parameters) => new Promise((resolve, reject) => {
    session.post(method, parameters, (error, answer) => error ? reject(error) : resolve(answer));
  });

  let caught; // the last value that came through `sink`
  let sink = null; // our function, as the evaluator calls it
  async function prepare() {
    defineProperty(globalThis, RUN, {value: (value) => void (caught = value), configurable: true});
    const answer = await post('Runtime.evaluate', {expression: inCode(RUN)});
    sink = answer.result.objectId;
    delete globalThis[RUN];
  }

  /** The value behind the evaluator's description of it. */
  async function unwrap(described) {
    if (described.type === 'undefined') return undefined;
    if (described.unserializableValue !== undefined) {
      const text = described.unserializableValue;
      return described.type === 'bigint' ? BigInt(text.slice(0, -1)) : text === '-0' ? -0 : Number(text);
    }
    if (described.objectId === undefined) return described.value;
    await post('Runtime.callFunctionOn', {
      objectId: described.objectId, arguments: [{objectId: sink}],
      functionDeclaration: 'function(f) { "use strict"; f(this); }',
    });
    const value = caught;
    caught = undefined;
    return value;
  }

  const runner = new vm.Script(`${inCode(RUN)}()`, {filename: __filename});

  /** -> {result, exceptionDetails}, or {isInterrupted} */
  function evaluate(source, name) {
    return new Promise((resolve) => {
      const interrupted = () => resolve({isInterrupted: true});
      cell.interrupt = interrupted;
      defineProperty(globalThis, RUN, {configurable: true, value: () => {
        delete globalThis[RUN];
        const expression = `${withImports(source)}\n//# sourceURL=${name}`;
        session.post('Runtime.evaluate', {expression, replMode: true, awaitPromise: true, objectGroup: 'cell'},
          (error, answer) => resolve(error ? {failure: error} : answer));
      }});
      try {
        runner.runInThisContext({breakOnSigint: true, displayErrors: false});
      } catch (error) {
        if (error?.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') interrupted();
        else resolve({failure: error});
      }
    });
  }

  const isOurs = (line) => line.includes(__filename) || /\(?node:(inspector|vm|internal\/)/.test(line);

  function tellError(error) {
    const isError = util.types.isNativeError(error) || error instanceof Error;
    const name = isError ? textOf(error.name) : 'Uncaught';
    const value = isError ? textOf(error.message) : ask('util.inspect', () => util.inspect(error)) ?? '<no text>';
    const stack = isError && typeof error.stack === 'string' ? error.stack : `${name}: ${value}`;
    const lines = stack.split('\n').filter((line) => !isOurs(line));
    if (/^ +at new Promise \(<anonymous>\)$/.test(lines[lines.length - 1])) lines.pop();
    let told = lines.join('\n');
    const half = MAX_TRACEBACK / 2;
    if (told.length > MAX_TRACEBACK) told = `${told.slice(0, half)}\n...\n${told.slice(-half)}`;
    const parts = [name, value.slice(0, MAX_TRACEBACK), told].map((part) => part.replace(/\0/g, '\\0'));
    hold(cell.number, ['e', Buffer.from(parts.join('\0'))]);
  }

  class Interrupted extends Error {
    name = 'Interrupted';
    stack = `Interrupted: ${this.message}`;
  }

  async function run(number, source) {
    cell = {number, results: 0, interrupt: null};
    try {
      const answer = await evaluate(source, `cell-${number}`);
      if (answer.isInterrupted) tellError(new Interrupted('the cell was interrupted'));
      else if (answer.failure) tellError(answer.failure);
      else if (answer.exceptionDetails) tellError(await unwrap(answer.exceptionDetails.exception));
      else showValue(await unwrap(answer.result));
    } catch (error) {
      tellError(error);
    }
    await post('Runtime.releaseObjectGroup', {objectGroup: 'cell'}).catch(() => {});
    reply(number, ['d', Buffer.alloc(0)]);
    cell = null;
  }

  let isRunning = false;
  async function serve() {
    if (isRunning) return;
    isRunning = true;
    while (waiting.length) await run(...waiting.shift());
    isRunning = false;
  }

  function display(...values) {
    for (const value of values) send('display', bundle(value));
  }
  defineProperty(globalThis, 'display', {value: display, configurable: true, writable: true, enumerable: false});
  process.on('SIGINT', () => cell?.interrupt?.()); // between cells it is ignored
  for (const event of ['uncaughtException', 'unhandledRejection']) { // of a timer or a promise: the kernel goes on
    process.on(event, (error) => process.stderr.write(`Uncaught ${ask('util.inspect', () => util.inspect(error))}\n`));
  }
  setImmediate(async () => {
    leaveFlags();
    await prepare();
    incoming.on('data', (chunk) => {
      onData(chunk);
      serve();
    });
    reply(0, ['i', Buffer.alloc(0)]);
  });
})();
