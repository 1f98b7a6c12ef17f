'use strict';
// Courtesy layer for Node: module rules with clear errors, inside the interpreter.
//
// The kernel is the fence (namespaces, seccomp, landlock); this file is advisory. Code that wants past it gets
// past it and stands before the fence. What it must never do is alter an honest program.
//
// How this works. The launcher fills in RULES and runs
//     node FLAGS --expose-internals --require /code/.guard.js /code/main.js ARG...
// so that Node itself starts the program: argv, require.main, stack traces, ES modules and exit codes are its own,
// and worker threads run this file, too. --expose-internals lets us reach one method, through which every built-in
// module goes on its way to a program (require, import, createRequire, process.getBuiltinModule), and nothing that
// Node's own modules need from each other. Looking there, not at Module._load, leaves no frame in anybody's stack.
// Afterwards the internals are closed to the program again. Tried with Node 18 (Debian 12, Ubuntu 24.04) and 20.
const RULES = null; // replaced by the launcher

(function guard(rules) {
  if (rules === null) {
    throw new Error('sandbox guard: no rules were filled in: this file is for the launcher to start');
  }
  const Module = module.constructor;
  if (rules.idle) { // nothing is refused here; an interpreter that waits for its work needs the rest of us
    for (const flags of [process.execArgv, process._preload_modules]) {
      const at = flags.indexOf(__filename);
      if (at >= 0) flags.splice(flags[at - 1] === '--require' ? at - 1 : at, flags[at - 1] === '--require' ? 2 : 1);
    }
    waitForWork(require);
    delete Module._cache[__filename];
    return;
  }
  const builtin = require('internal/modules/helpers').loadBuiltinModule('path', 'path').constructor;
  const {allowed = null, restricted = false, interpreter_only: interpreterOnly = false, report_fd: reportFd = null} = rules;

  // Our own ways to call methods: the program may replace what it likes.
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const slice = uncurry(String.prototype.slice), startsWith = uncurry(String.prototype.startsWith);
  const indexOf = uncurry(String.prototype.indexOf), lastIndexOf = uncurry(String.prototype.lastIndexOf);
  const has = uncurry(Set.prototype.has), add = uncurry(Set.prototype.add), ruleOf = uncurry(Map.prototype.get);
  const includes = uncurry(Array.prototype.includes), matches = uncurry(RegExp.prototype.test);
  const {exec} = RegExp.prototype;
  const {captureStackTrace} = Error, {stringify} = JSON, {defineProperty} = Object, {apply} = Reflect;

  // --- telling the launcher: one JSON line for each new (type, name) --------------------------------------------

  const {existsSync, fstatSync, writeSync} = builtin.map.get('fs').exports; // Node itself loaded it already
  const told = new Set();
  let reportTo = null; // device and inode: the program may close the descriptor and get its number for a file
  if (Number.isInteger(reportFd)) {
    try {
      reportTo = identity(fstatSync(reportFd));
    } catch { /* closed: no process listens */ }
  }

  function identity(stat) {
    return `${stat.dev}:${stat.ino}`;
  }

  function letters(text) {
    const known = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/@ -';
    let clean = '';
    for (let i = 0; i < text.length && i < 200; i++) clean += indexOf(known, text[i]) < 0 ? '_' : text[i];
    return clean;
  }

  function report(type, detail) {
    // 64 short lines: they fit into any pipe, so that writing never blocks. The reader takes only these letters.
    const line = stringify({type, detail: letters(`${detail}`)}) + '\n';
    if (reportTo === null || has(told, line) || told.size >= 64) return;
    add(told, line);
    try {
      if (identity(fstatSync(reportFd)) === reportTo) writeSync(reportFd, line);
    } catch { /* no process listens any more */ }
  }

  // `hide` and what it called are left out of the stack, as internal functions of Node are.
  function refusal(Kind, text, hide, code) {
    const error = new Kind(text);
    captureStackTrace(error, hide);
    // What a missing module has: programs with an optional dependency go on without it.
    if (code) error.code = code;
    return error;
  }

  // An interpreter that was started before there was any work gets it at this descriptor: its length in bytes and a
  // newline; the number of arguments, the arguments, the environment, each ended by NUL. main.js is empty until then.
  function waitForWork(load, prepare = () => {}) {
    const {fstatSync, readSync, writeSync, closeSync} = load('fs');
    const fd = Number(process.env.SANDBOX_PARKED);
    if (!isPipe(fd, fstatSync)) return; // started with its work, or a child of the program's
    delete process.env.SANDBOX_PARKED;
    rehearse(load);
    prepare();
    const chunk = Buffer.alloc(65536);
    let note = Buffer.alloc(0), start = 0, length = Infinity;
    while (note.length - start < length) {
      const count = readSync(fd, chunk);
      if (count === 0) process.reallyExit(0); // it was never needed
      note = Buffer.concat([note, chunk.subarray(0, count)]);
      if (length === Infinity && note.includes(10)) {
        start = note.indexOf(10) + 1;
        length = Number(note.toString('latin1', 0, start));
      }
    }
    writeSync(fd - 1, 't'); // taken: from here on the run counts
    closeSync(fd);
    closeSync(fd - 1);
    const [count, ...words] = note.toString('utf8', start).split('\0').slice(0, -1);
    for (const word of words.splice(0, Number(count))) process.argv.push(word);
    for (const pair of words) process.env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1);
  }

  // A program's first line takes longer than all the rest of a short one: the console, streams and a pipe's kind of them
  // are loaded for it. That is done before there is any work. Descriptors 1 and 2 are not touched, since a stream on a
  // pipe makes it non-blocking: hence no colours, for which Node looks at process.stderr.
  function rehearse(load) {
    const {Console} = load('console'), {PassThrough} = load('stream'), {Socket} = load('net');
    load('tty');
    new Console({stdout: new PassThrough(), colorMode: false}).log('');
    new Socket().destroy();
  }

  function isPipe(fd, fstatSync) {
    try {
      return Number.isInteger(fd) && fd > 2 && fstatSync(fd).isFIFO();
    } catch {
      return false;
    }
  }

  // --- judging names ---------------------------------------------------------------------------------------------

  const refused = new Map();
  for (const name of rules.blocked || []) refused.set(plain(name), 'blocked_modules');
  if (restricted) for (const name of ['vm', 'inspector', 'repl']) refused.set(name, refused.get(name) || 'restricted');
  if (interpreterOnly) for (const name of ['child_process', 'cluster']) refused.set(name, refused.get(name) || 'interpreter_only');
  const granted = allowed && new Set(allowed.map(plain));

  function plain(name) {
    return startsWith(name, 'node:') ? slice(name, 5) : name;
  }

  /** The rule that refuses this built-in or package to the program, or undefined. `fs` covers `fs/promises`. */
  function judge(name) {
    let found;
    let isGranted = granted === null;
    // _http_client is http, _tls_wrap is tls
    const owner = name[0] === '_' ? slice(name, 1, Math.max(1, indexOf(name, '_', 1))) : '';
    for (let part = owner || name; part !== ''; part = slice(part, 0, Math.max(0, lastIndexOf(part, '/')))) {
      found = found || ruleOf(refused, part);
      isGranted = isGranted || has(granted, part);
    }
    return found || (isGranted ? undefined : 'allowed_modules');
  }

  function refuse(name, rule, hide) {
    report('blocked_module', name);
    const text = rule === 'allowed_modules' ?
      `module '${name}' is not among the modules allowed at this risk level (allowed_modules)` :
      `module '${name}' is blocked at this risk level (${rule})`;
    return refusal(Error, text, hide, 'MODULE_NOT_FOUND');
  }

  // --- judging callers: only when something is about to be refused --------------------------------------------------

  // The program may have replaced exec(), which test() looks up at each call.
  const fixed = (pattern) => defineProperty(pattern, 'exec', {value: exec});
  const library = fixed(/^(file:\/\/)?\/usr\/(local\/)?(lib|share)\/(nodejs|node_modules|[^/]+\/nodejs)\//);

  /** File names on the stack from the caller of `above` on, Node's own among them. */
  function filesOnStack(above) {
    const {prepareStackTrace, stackTraceLimit} = Error;
    const holder = {};
    try {
      Error.stackTraceLimit = 50;
      Error.prepareStackTrace = (_, sites) => sites;
      captureStackTrace(holder, above);
      const files = [];
      for (let i = 0; i < holder.stack.length; i++) files[i] = `${holder.stack[i].getFileName()}`;
      return files;
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  // Packages that came with the system (Debian's node-*) use what they need.
  function isForLibrary(above) {
    const files = filesOnStack(above);
    for (let i = 0; i < files.length; i++) {
      if (!startsWith(files[i], 'node:')) return matches(library, files[i]);
    }
    return false;
  }

  // --- the one door -----------------------------------------------------------------------------------------------------

  const {compileForPublicLoader} = builtin.prototype;
  let isOpen = true; // to this file, until its end
  let isPlain = true; // the program has used no module that does something when node ends
  const late = new Set(['worker_threads', 'cluster', 'child_process', 'inspector', 'trace_events', 'v8', 'wasi', 'diagnostics_channel']);
  function admit(id, hide) {
    const rule = isOpen ? undefined : judge(id);
    if (rule === undefined || isForLibrary(hide)) return;
    const error = refuse(id, rule, hide);
    throw error;
  }

  const door = {compileForPublicLoader() {
    const {id} = this;
    if (!isOpen && startsWith(id, 'internal/')) {
      const error = refusal(Error, `Cannot find module '${id}'`, door, 'MODULE_NOT_FOUND');
      throw error;
    }
    admit(id, door);
    if (has(late, id)) isPlain = isOpen;
    if (id === 'worker_threads' && !this.exportKeys) {
      this.compileForInternalLoader();
      guardWorkers(this.exports);
    }
    return apply(compileForPublicLoader, this, []);
  }}.compileForPublicLoader;
  builtin.prototype.compileForPublicLoader = door;
  Module.builtinModules = Object.freeze(Module.builtinModules.filter((id) => !startsWith(id, 'internal/')));

  const {getBuiltinModule} = process; // Node 20.16 and later; goes straight to the exports
  if (getBuiltinModule) {
    process.getBuiltinModule = {getBuiltinModule(id) {
      if (typeof id === 'string' && builtin.map.has(plain(id))) admit(plain(id), process.getBuiltinModule);
      return getBuiltinModule(id);
    }}.getBuiltinModule;
  }

  // Names of packages: only where a profile speaks of any.
  const isPath = fixed(/^(\.{0,2}\/|\.{1,2}$|node:)/);
  const packages = granted !== null || [...refused.keys()].some((name) => !builtin.map.has(name));
  if (packages) {
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function _resolveFilename(request, parent) {
      if (typeof request === 'string' && !matches(isPath, request) && !builtin.map.has(request)) {
        const rule = judge(request);
        if (rule !== undefined && !matches(library, `${parent && parent.filename}`)) {
          const error = refuse(request, rule, _resolveFilename);
          throw error;
        }
      }
      return apply(resolve, this, arguments);
    };
  }

  // --- the doors beside it ------------------------------------------------------------------------------------------------

  // A worker with an execArgv of its own would start without us.
  function guardWorkers(exports) {
    const {Worker: Original} = exports;
    const flags = ['--expose-internals', '--require', __filename];
    exports.Worker = class Worker extends Original {
      constructor(file, options) {
        if (restricted && options && options.eval) refuseBuiltin('Worker with eval', Worker);
        super(file, options && options.execArgv ? {...options, execArgv: [...flags, ...options.execArgv]} : options);
      }
    };
  }

  // The C++ halves of the modules, under the names that process.binding() knows them by.
  const halves = {
    __proto__: null,
    fs: ['fs', 'fs_dir', 'fs_event_wrap'], child_process: ['process_wrap', 'spawn_sync', 'pipe_wrap'],
    net: ['tcp_wrap', 'pipe_wrap', 'stream_wrap', 'cares_wrap'], http: ['http_parser'], dgram: ['udp_wrap'], tls: ['tls_wrap'],
    dns: ['cares_wrap'], vm: ['contextify'], worker_threads: ['worker'], inspector: ['inspector'], crypto: ['crypto'], os: ['os'],
  };
  for (const side of ['binding', '_linkedBinding']) {
    const original = process[side];
    process[side] = {[side](name) {
      if (restricted) refuseBuiltin(`process.${side}`, process[side]);
      for (const owner in halves) {
        if (includes(halves[owner], `${name}`)) admit(owner, process[side]);
      }
      return apply(original, this, arguments);
    }}[side];
  }

  const {dlopen} = process;
  process.dlopen = function dlopen_(target, file) {
    // Node's loader may, for an add-on that is required; the program itself may not.
    const caller = filesOnStack(dlopen_)[0];
    if ((restricted || interpreterOnly || !startsWith(`${caller}`, 'node:')) && !matches(library, `${file}`)) {
      refuseBuiltin('process.dlopen', dlopen_, interpreterOnly ? 'interpreter_only' : restricted ? 'restricted' : 'blocked_modules');
    }
    isPlain = false;
    return apply(dlopen, this, arguments);
  };
  defineProperty(process.dlopen, 'name', {value: 'dlopen'});

  function refuseBuiltin(name, hide, rule = 'restricted', Kind = Error) {
    report('blocked_builtin', name);
    const error = refusal(Kind, `${name} is not available at this risk level (${rule})`, hide);
    throw error;
  }

  // --- a sandbox without /proc -------------------------------------------------------------------------------------------------
  // process.memoryUsage() throws ENOENT there, and ordinary programs print it. The peak is the nearest to be had.
  if (!existsSync('/proc/self/stat')) {
    const rss = () => process.resourceUsage().maxRSS * 1024;
    process.memoryUsage = {memoryUsage() {
      const v8 = builtin.map.get('v8');
      v8.compileForInternalLoader();
      const heap = v8.exports.getHeapStatistics();
      return {
        rss: rss(), heapTotal: heap.total_heap_size, heapUsed: heap.used_heap_size, external: heap.external_memory, arrayBuffers: 0,
      };
    }}.memoryUsage;
    process.memoryUsage.rss = rss;
  }

  // --- restricted: no code from strings ---------------------------------------------------------------------------------------
  // V8 refuses it itself (--disallow-code-generation-from-strings); these give the clear words and the report.
  if (restricted) {
    for (const name of ['eval', 'Function']) {
      const original = globalThis[name];
      const stub = {[name]: function() {
        refuseBuiltin(name, stub, 'restricted', EvalError);
      }}[name];
      stub.prototype = original.prototype;
      defineProperty(globalThis, name, {value: stub, writable: true, configurable: true, enumerable: false});
      if (name === 'Function') defineProperty(original.prototype, 'constructor', {value: stub, writable: true, configurable: true, enumerable: false});
    }

    // module._compile(text) is for the loader only. A getter, since a wrapper would show in every stack trace.
    const {_compile} = Module.prototype;
    defineProperty(Module.prototype, '_compile', {
      get: function get() {
        if (!startsWith(`${filesOnStack(get)[0]}`, 'node:')) refuseBuiltin('module._compile', get);
        return _compile;
      },
      set(value) {
        defineProperty(this, '_compile', {value, writable: true, configurable: true, enumerable: true});
      },
      configurable: true,
    });

    // import('data:text/javascript,...'): closed when the loader of ES modules is first asked for
    const closeData = (loader) => {
      const prototype = Object.getPrototypeOf(loader);
      for (const step of ['resolve', 'resolveSync']) {
        const original = prototype[step];
        if (typeof original !== 'function') continue;
        prototype[step] = {[step](specifier) {
          if (matches(fixed(/^\s*data:/i), specifier)) refuseBuiltin('import of a data: URL', prototype[step]);
          return apply(original, this, arguments);
        }}[step];
      }
    };
    const loaders = require('internal/modules/esm/loader');
    const {getOrInitializeCascadedLoader} = loaders;
    if (getOrInitializeCascadedLoader) {
      let isClosed = false;
      loaders.getOrInitializeCascadedLoader = function() {
        const loader = getOrInitializeCascadedLoader();
        if (!isClosed) closeData(loader);
        isClosed = true;
        return loader;
      };
    } else {
      closeData(require('internal/process/esm_loader').esmLoader); // Node 18 has it ready
    }
  }

  // --- the end -------------------------------------------------------------------------------------------------------------
  // Node's own end takes longer than a short program: it takes down its heap and joins its threads, none of which the
  // program can tell. So where it has waited for its work, has come to its natural end, with code 0 and no listener
  // that would hear of it, and has used nothing that acts later, it asks to be ended (base/watch_bits.h). Node looks up
  // process.emit for that event and no other from no frame at all: a getter, since a wrapper would show in stack traces.
  function endEarly() {
    const {_kill, emit, listenerCount} = process;
    const isOver = (above) => isPlain && !process.exitCode && apply(listenerCount, process, ['exit']) === 0 &&
      filesOnStack(above).length === 0;
    defineProperty(Object.getPrototypeOf(process), 'emit', {
      get: function get() {
        try {
          if (process._exiting && isOver(get)) _kill(0x53410000, 0); // comes back where it may not be: then as ever
        } catch { /* the program has frozen Error */ }
        return emit;
      },
      set(value) {
        defineProperty(this, 'emit', {value, writable: true, configurable: true, enumerable: true});
      },
      configurable: true,
    });
    isOver(process.emit); // compiled now
  }

  isOpen = false;
  waitForWork((id) => {
    builtin.map.get(id).compileForInternalLoader();
    return builtin.map.get(id).exports;
  }, endEarly);
  report('begun', 'program'); // the interpreter's own start is over
  delete Module._cache[__filename];
})(RULES);
