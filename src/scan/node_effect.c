/* What JavaScript's calls do: which results are secrets, connections, shells, and where such things must not meet. */
#include "scan/node.h"
#include "scan/secret.h"

static bool has(const char *s, size_t n, const char *word)
{
    return memmem(s, n, word, strlen(word)) != NULL;
}

static bool starts(const struct js_value *v, const char *prefix)
{
    size_t n = strlen(prefix);
    return v->kind == JS_NAME && v->len >= n && memcmp(v->text, prefix, n) == 0;
}

void js_look_up(struct js_call *k)
{
    k->does = k->callee.kind == JS_NAME ? effects_of(LANG_NODE, k->callee.text, k->callee.len) : (struct effects){ 0 };
}

static bool is_method(const struct js_call *k, const char *const *names)
{
    for (; k->method && k->method_len && *names; names++)
        if (**names == k->method[0] && k->method_len == strlen(*names) && memcmp(k->method, *names, k->method_len) == 0)
            return true;
    return false;
}
#define ONE_OF(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct js_value *argument(const struct js_call *k, uint32_t n)
{
    static const struct js_value none;
    return n < k->count ? &k->args[n] : &none;
}

static bool is_shell(const struct js_value *v)
{
    static const char *const shells[] = { "sh",      "bash", "zsh",        "dash",           "ksh",
                                          "cmd.exe", "cmd",  "powershell", "powershell.exe", "pwsh" };
    if (v->kind == JS_NAME)
        return js_is(v, "process.env.SHELL") || js_is(v, "process.env.ComSpec");
    if (v->kind != JS_STRING)
        return false;
    const char *end = memchr(v->text, ' ', v->len);
    size_t n = end ? (size_t)(end - v->text) : v->len, at = n;
    while (at && v->text[at - 1] != '/')
        at--;
    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        if (n - at == strlen(shells[i]) && memcmp(v->text + at, shells[i], n - at) == 0)
            return true;
    return false;
}

static uint16_t all_flags(const struct js_call *k)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < k->count; i++)
        flags |= k->args[i].flags;
    return (uint16_t)flags;
}

/* --- loops ------------------------------------------------------------------------------------------ */

static bool is_endless(const struct js *j, uint32_t loop)
{
    const struct flat *f = &j->flat;
    uint32_t condition = flat_field(f, loop, F_CONDITION);
    if (condition == FLAT_NONE)
        return f->nodes[loop].kind == N_FOR;
    if (f->nodes[loop].kind == N_FOR)
        return f->nodes[condition].end - f->nodes[condition].start <= 1 || f->nodes[condition].kind == N_TRUE;
    uint32_t inner = f->nodes[condition].kind == N_PARENTHESES ? flat_named(f, condition, 0) : condition;
    if (inner == FLAT_NONE)
        return false;
    return f->nodes[inner].kind == N_TRUE ||
           (f->nodes[inner].kind == N_NUMBER && f->text[f->nodes[inner].start] != '0');
}

void js_judge_loop(struct js *j, uint32_t node)
{
    const struct flat *f = &j->flat;
    bool grows = false;
    if (!is_endless(j, node) || f->nodes[node].after - node > 4000)
        return;
    for (uint32_t i = node + 1; i < f->nodes[node].after; i++) {
        const char *s = f->text + f->nodes[i].start;
        size_t n = f->nodes[i].end - f->nodes[i].start;
        switch (f->nodes[i].kind) {
        case N_BREAK:
        case N_RETURN:
        case N_THROW:
        case N_AWAIT:
        case N_YIELD:
            return;
        case N_PROPERTY:
            if (n == 4 && memcmp(s, "exit", 4) == 0)
                return;
            grows |= (n == 4 && memcmp(s, "push", 4) == 0) || (n >= 5 && memcmp(s, "alloc", 5) == 0) ||
                     (n == 6 && memcmp(s, "concat", 6) == 0) || (n == 6 && memcmp(s, "repeat", 6) == 0);
            break;
        case N_AUGMENTED:
        case N_SPREAD:
            grows = true;
            break;
        default:
            break;
        }
    }
    js_flow(j, node, grows ? "endless-alloc" : "endless-loop", NULL);
}

/* setInterval(f, 5000): the last argument is a second or more, or not a plain number. */
static bool is_slow(const struct js *j, uint32_t call)
{
    const struct flat *f = &j->flat;
    uint32_t list = flat_field(f, call, F_ARGUMENTS), last = FLAT_NONE, count = 0;
    if (list == FLAT_NONE)
        return false;
    FLAT_CHILDREN(c, f, list)
    if (f->nodes[c].is_named)
        last = c, count++;
    if (count < 2)
        return false;
    return f->nodes[last].kind != N_NUMBER || f->nodes[last].end - f->nodes[last].start >= 4;
}

static void judge_spawn(struct js *j, const struct js_call *k)
{
    uint32_t limit = 64;
    bool is_looped = false, is_waited = k->callee.kind == JS_NAME && k->callee.len > 4 &&
                                        memcmp(k->callee.text + k->callee.len - 4, "Sync", 4) == 0;
    for (uint32_t i = j->flat.nodes[k->node].parent; i != FLAT_NONE && limit-- > 0; i = j->flat.nodes[i].parent) {
        uint8_t kind = j->flat.nodes[i].kind;
        is_waited |= kind == N_AWAIT;
        if (kind == N_WHILE || kind == N_DO || kind == N_FOR) {
            is_looped = true;
            if (is_endless(j, i) && !is_waited) {
                js_flow(j, k->node, "fork-loop", NULL);
                return;
            }
        }
        struct js_call outer = { 0 };
        uint32_t callee = kind == N_CALL ? flat_field(&j->flat, i, F_FUNCTION) : FLAT_NONE;
        if (callee != FLAT_NONE)
            outer.callee = j->values[callee];
        if (js_is(&outer.callee, "setInterval") && !is_slow(j, i)) {
            js_flow(j, k->node, "fork-loop", NULL);
            return;
        }
    }
    if (all_flags(k) & JS_SCRIPT)
        js_flow(j, k->node,
                is_looped                                    ? "fork-loop"
                : js_is(&k->callee, "worker_threads.Worker") ? "self-thread"
                                                             : "self-spawn",
                NULL);
    else if (is_looped)
        js_flow(j, k->node, "spawn-in-loop", NULL);
}

/* --- code and commands ------------------------------------------------------------------------------- */

static bool runs_what_was_written(const struct js *j, const struct js_call *k)
{
    for (uint32_t i = 0; j->written.kind == JS_STRING && j->written.len > 2 && i < k->count; i++)
        if (k->args[i].text && memmem(k->args[i].text, k->args[i].len, j->written.text, j->written.len))
            return true;
    return false;
}

static void judge_input(struct js *j, const struct js_call *k)
{
    uint16_t flags = all_flags(k);
    if (flags & JS_SOCKET)
        js_flow(j, k->node, "reverse-shell", argument(k, 0));
    else if (flags & JS_NETWORK || runs_what_was_written(j, k))
        js_flow(j, k->node, "download-then-exec", argument(k, 0));
    if (flags & JS_DECODED && !js_is(&k->callee, "require") && !js_is(&k->callee, "import"))
        js_flow(j, k->node, "decode-then-exec", argument(k, 0));
}

static uint32_t byte_of(const struct js *j, const struct js_call *k)
{
    return j->flat.nodes[k->node].start;
}

void js_import(struct js *j, const struct js_call *k)
{
    static const char data[] = "data:text/javascript,";
    const struct js_value *first = argument(k, 0);
    if (first->kind == JS_STRING && first->len > sizeof data && memcmp(first->text, data, sizeof data - 1) == 0)
        embedded_add(j->c, LANG_NODE, "data", first->text + sizeof data - 1, first->len - (uint32_t)(sizeof data - 1),
                     byte_of(j, k));
}

/* eval(TEXT), new Function("a", TEXT): the last text is the program. */
static void look_into_code(struct js *j, const struct js_call *k)
{
    const struct js_value *text = NULL;
    if (js_is(&k->callee, "require") || js_is(&k->callee, "import"))
        return;
    for (uint32_t i = 0; i < k->count; i++)
        if (k->args[i].kind == JS_STRING && (!text || js_is(&k->callee, "Function")))
            text = &k->args[i];
    if (text)
        embedded_add(j->c, LANG_NODE, "eval text", text->text, text->len, byte_of(j, k));
    else if (k->count && j->c->embedded) /* node-eval says it; the report is not complete */
        j->c->embedded->has_unread = true;
}

/* { input: TEXT } among the arguments; NULL: none, or not known. */
static const struct js_value *option(const struct js *j, const struct js_call *k, const char *name)
{
    for (uint32_t i = 0; i < k->count; i++) {
        if (k->args[i].kind != JS_OBJECT || !k->args[i].node)
            continue;
        FLAT_CHILDREN(c, &j->flat, k->args[i].node)
        {
            uint32_t key = j->flat.nodes[c].kind == N_PAIR ? flat_field(&j->flat, c, F_KEY) : FLAT_NONE;
            uint32_t value = j->flat.nodes[c].kind == N_PAIR ? flat_field(&j->flat, c, F_VALUE) : FLAT_NONE;
            if (key != FLAT_NONE && value != FLAT_NONE && js_says(j, key, name))
                return &j->values[value];
        }
    }
    return NULL;
}

/* child.stdin.write(TEXT), child.stdin.end(TEXT): the last command that was started reads it. */
static void feed(struct js *j, const struct js_call *k)
{
    const struct js_value *text = argument(k, 0);
    if (j->started_count && k->base.flags & JS_CHILD && text->kind == JS_STRING && is_method(k, ONE_OF("write", "end")))
        embedded_command(j->c, j->started, j->started_count, text->text, text->len, byte_of(j, k));
}

/* exec("sh ..."), spawn("python3", ["-c", TEXT]), execFile, fork("x.js"). */
static void look_into_command(struct js *j, const struct js_call *k)
{
    const struct js_value *first = argument(k, 0), *list = argument(k, 1);
    struct embedded_word words[EMBEDDED_MAX_WORDS];
    unsigned count = 0;
    if (first->kind == JS_NAME && js_is(first, "process.execPath"))
        words[count++] = (struct embedded_word){ "node", 4 };
    else if (first->kind != JS_STRING)
        return;
    else if (js_is(&k->callee, "child_process.fork"))
        words[count++] = (struct embedded_word){ "node", 4 };
    if (first->kind == JS_STRING && (js_does(k, EF_SHELL) || memchr(first->text, ' ', first->len))) {
        embedded_add(j->c, LANG_BASH, "shell command", first->text, first->len, byte_of(j, k));
        return;
    }
    if (first->kind == JS_STRING)
        words[count++] = (struct embedded_word){ first->text, first->len };
    struct js_value v;
    for (uint32_t i = 0; list->kind == JS_ARRAY && count < EMBEDDED_MAX_WORDS && js_element(list, i, &v); i++)
        words[count++] = (struct embedded_word){ v.kind == JS_STRING ? v.text : NULL, v.len };
    const struct js_value *input = option(j, k, "input");
    bool has_input = input && input->kind == JS_STRING;
    memcpy(j->started, words, count * sizeof words[0]);
    j->started_count = count;
    embedded_command(j->c, words, count, has_input ? input->text : NULL, has_input ? input->len : 0, byte_of(j, k));
}

/* What it prints is of the work at hand, and not of the machine: git log, npm test. */
static bool is_building(const struct js_value *command)
{
    static const char *const tools[] = {
        "git ",      "npm ",    "npx ", "yarn ",  "pnpm ",  "node ",         "make",
        "go ",       "cargo ",  "tsc",  "eslint", "jest",   "docker build",  "pytest",
        "mvn ",      "gradle ", "date", "df ",    "uptime", "systemctl is-", "systemctl status",
        "docker ps", "free ",   "du ",  "ls"
    };
    for (size_t i = 0; command->kind == JS_STRING && i < ARRAY_LEN(tools); i++) {
        size_t n = strlen(tools[i]);
        bool is_whole = command->len + 1 == n && tools[i][n - 1] == ' ' && memcmp(command->text, tools[i], n - 1) == 0;
        if ((is_whole || (command->len >= n && memcmp(command->text, tools[i], n) == 0)) &&
            !memchr(command->text, ';', command->len) && !memchr(command->text, '|', command->len) &&
            !memchr(command->text, '&', command->len))
            return true;
    }
    return false;
}

static uint16_t judge_command(struct js *j, const struct js_call *k)
{
    const struct js_value *command = argument(k, 0);
    uint32_t flags = is_building(command) ? 0 : JS_CHILD;
    look_into_command(j, k);
    judge_input(j, k);
    judge_spawn(j, k);
    if (is_shell(command)) {
        flags |= JS_SHELL;
        j->has_shell = true;
    }
    for (uint32_t i = 0; i < k->count && i < 2; i++)
        if (k->args[i].text && secret_place_in(k->args[i].text, k->args[i].len))
            flags |= JS_SECRET;
    j->seen |= flags & JS_SECRET;
    return (uint16_t)flags;
}

/* --- files --------------------------------------------------------------------------------------------- */

enum { SEEN_LISTING = 1 << 11, SEEN_CIPHER = 1 << 12 }; /* of js->seen only */

static bool is_outside(const struct js_value *v)
{
    if (v->kind != JS_STRING || !v->len)
        return v->kind == JS_NAME && (js_is(v, "process.env.HOME") || js_is(v, "process.env.USERPROFILE"));
    if (v->len >= 5 && memcmp(v->text, "/tmp/", 5) == 0)
        return false;
    return v->text[0] == '/' || v->text[0] == '~' || has(v->text, v->len, "../..") || (v->len > 2 && v->text[1] == ':');
}

static bool is_own_temporary(const struct js_value *v)
{
    return starts(v, "fs.mkdtemp") ||
           (v->kind == JS_STRING && ((v->len > 5 && memcmp(v->text, "/tmp/", 5) == 0) || has(v->text, v->len, "tmp")));
}

static bool is_recursive(const struct js *j, const struct js_call *k)
{
    uint32_t node = k->count > 1 ? k->arg_nodes[1] : 0;
    const struct flat_node *n = &j->flat.nodes[node];
    return node && has(j->flat.text + n->start, n->end - n->start, "recursive");
}

static void judge_delete(struct js *j, const struct js_call *k)
{
    const struct js_value *path = argument(k, 0);
    bool is_tree = js_does(k, EF_REMOVE_TREE) || is_recursive(j, k);
    if (is_outside(path))
        js_flow(j, k->node, is_tree ? "delete-tree" : "delete-outside", path);
    else if (is_tree && !is_own_temporary(path) &&
             (path->kind != JS_STRING || path->flags & JS_PARTIAL || path->text[0] == '.'))
        js_flow(j, k->node, "delete-tree", path);
    else if (j->seen & SEEN_LISTING && !is_own_temporary(path) && (path->kind != JS_STRING || path->flags & JS_PARTIAL))
        js_flow(j, k->node, "delete-many", path);
    else if (path->kind != JS_STRING && !is_own_temporary(path))
        js_flow(j, k->node, "delete-computed", path);
    if (j->seen & SEEN_CIPHER && j->seen & SEEN_LISTING)
        js_flow(j, k->node, "encrypt-files", path);
}

static uint16_t judge_file(struct js *j, const struct js_call *k)
{
    const struct js_value *path = argument(k, 0);
    bool is_more = js_does(k, EF_APPEND), is_opened = js_does(k, EF_OPEN), is_moved = js_does(k, EF_MOVE);
    if (js_does(k, EF_WALK)) {
        j->seen |= SEEN_LISTING;
    } else if (js_does(k, EF_READ)) {
        bool is_secret = path->text && path->kind == JS_STRING && secret_place_in(path->text, path->len);
        is_secret |= path->flags & JS_SECRET;
        j->seen |= is_secret ? JS_SECRET : 0;
        return is_secret ? JS_SECRET : path->flags & JS_SCRIPT;
    } else if (js_does(k, EF_WRITE) || is_more || is_opened || is_moved) {
        if (argument(k, 1)->flags & JS_NETWORK || is_opened)
            j->written = *path;
        if (path->kind == JS_STRING && !is_moved) {
            const struct js_value *text = argument(k, 1);
            bool is_known = text->kind == JS_STRING;
            embedded_file(j->c, path->text, path->len, is_known ? text->text : NULL, is_known ? text->len : 0,
                          byte_of(j, k), is_more);
        }
        if (path->flags & JS_SCRIPT)
            js_flow(j, k->node, "self-modify", path);
        if (j->seen & SEEN_CIPHER && j->seen & SEEN_LISTING)
            js_flow(j, k->node, "encrypt-files", path);
    } else if (js_does(k, EF_REMOVE) || js_does(k, EF_REMOVE_TREE)) {
        judge_delete(j, k);
    }
    return 0;
}

/* --- network -------------------------------------------------------------------------------------------- */

static bool is_sender(const struct js_call *k)
{
    if (k->callee.kind != JS_NAME)
        return (k->base.flags & JS_SOCKET) && is_method(k, ONE_OF("write", "end", "send", "emit"));
    return js_does(k, EF_SEND);
}

static void judge_send(struct js *j, const struct js_call *k)
{
    uint16_t flags = all_flags(k);
    if (j->has_told_exfiltration)
        return;
    const char *what = NULL;
    if (flags & (JS_SECRET | JS_ENV | JS_CHILD) || j->seen & JS_SECRET)
        what = (flags | j->seen) & (JS_SECRET | JS_ENV) ? "secret-then-send" : "output-then-send";
    else if (flags & JS_SYSTEM)
        what = "profile-then-send";
    else if (flags & JS_CREDENTIAL)
        what = "credential-then-send";
    if (!what)
        return;
    j->has_told_exfiltration = str_eq(what, "secret-then-send");
    js_flow(j, k->node, what, argument(k, 0));
}

static void judge_pipe(struct js *j, const struct js_call *k)
{
    uint16_t to = argument(k, 0)->flags, from = k->base.flags;
    if ((from & JS_SOCKET && to & JS_CHILD) || (from & JS_CHILD && to & JS_SOCKET))
        js_flow(j, k->node, "reverse-shell", NULL);
    else if (from & (JS_SECRET | JS_ENV) && (to & JS_SOCKET || starts(argument(k, 0), "http")))
        js_flow(j, k->node, "secret-then-send", NULL);
}

/* --- all together ----------------------------------------------------------------------------------------- */

static void judge_size(struct js *j, const struct js_call *k)
{
    bool is_repeat = is_method(k, ONE_OF("repeat", "padEnd", "padStart"));
    if (!is_repeat && !js_does(k, EF_ALLOC))
        return;
    const struct js_value *n = argument(k, 0);
    if (n->kind == JS_NUMBER && n->len >= 9 && !memchr(n->text, '.', n->len))
        js_flow(j, k->node, "huge-alloc", n);
}

static uint16_t own_result(const struct js_call *k)
{
    if (js_does(k, EF_CONNECT))
        return JS_SOCKET;
    if (js_does(k, EF_PROFILE))
        return JS_SYSTEM;
    if (js_does(k, EF_DECODE))
        return JS_DECODED;
    return is_sender(k) ? JS_NETWORK : 0;
}

uint16_t js_judge(struct js *j, const struct js_call *k)
{
    uint32_t flags = own_result(k);
    if (js_does(k, EF_SPAWN))
        return (uint16_t)(flags | judge_command(j, k));
    if (js_does(k, EF_EVAL)) {
        judge_input(j, k);
        look_into_code(j, k);
    }
    if (js_does(k, EF_TIMER) && (argument(k, 0)->kind == JS_STRING || argument(k, 0)->flags & JS_DECODED)) {
        js_flow(j, k->node, "timer-code", argument(k, 0));
        judge_input(j, k);
    }
    if (js_does(k, EF_THREAD))
        judge_spawn(j, k);
    if (js_does(k, EF_THREAD) && option(j, k, "eval") && argument(k, 0)->kind == JS_STRING)
        embedded_add(j->c, LANG_NODE, "worker", argument(k, 0)->text, argument(k, 0)->len, byte_of(j, k));
    feed(j, k);
    if (js_does(k, EF_CRYPT))
        j->seen |= SEEN_CIPHER;
    flags |= judge_file(j, k);
    if (js_does(k, EF_SHOW) && all_flags(k) & JS_ENV)
        js_flow(j, k->node, "env-dump", NULL);
    judge_size(j, k);
    if (is_method(k, ONE_OF("pipe")))
        judge_pipe(j, k);
    if (is_method(k, ONE_OF("_compile"))) {
        judge_input(j, k);
        if (!js_does(k, EF_EVAL))
            look_into_code(j, k);
    }
    if (is_sender(k) || (k->base.flags & JS_SOCKET && is_method(k, ONE_OF("write", "end", "send"))) ||
        (k->base.flags & JS_NETWORK && is_method(k, ONE_OF("write", "end"))))
        judge_send(j, k);
    if (k->base.flags & JS_SOCKET && is_method(k, ONE_OF("write", "end", "send")) && all_flags(k) & JS_CHILD)
        js_flow(j, k->node, "reverse-shell", NULL);
    /* what goes through a call that is not known comes out of it */
    uint32_t through = JS_DECODED | JS_NETWORK | JS_SECRET | JS_SOCKET | JS_CHILD | JS_SHELL | JS_ENV | JS_SYSTEM |
                       JS_CREDENTIAL;
    if (js_does(k, EF_QUIET))
        return (uint16_t)flags;
    return (uint16_t)(flags | ((k->base.flags | all_flags(k)) & through));
}

/* A line for a shell that does more than look. */
static bool is_telling_line(const struct js_value *v)
{
    static const char *const words[] = { "rm -", "curl ",  "wget ", "sudo ", "| sh",
                                         "|sh",  "| bash", "|bash", ">>",    "chmod " };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (has(v->text, v->len, words[i]))
            return true;
    return false;
}

/* The element of a list that a reader would look at first. */
static struct js_value worst_element(const struct js_value *list)
{
    struct js_value e = { .flags = list->flags }, first = e;
    for (uint32_t i = 0; i < 32 && js_element(list, i, &e); i++) {
        if (i == 0)
            first = e;
        if (secret_place_in(e.text, e.len) || is_outside(&e) || is_telling_line(&e))
            return e;
    }
    return first;
}

struct js_value js_callback_parameter(struct js *j, const struct js_call *k, uint32_t n)
{
    const struct js_value *f = &k->callee, *b = &k->base;
    struct js_value v = { 0 };
    (void)j;
    if (js_does(k, EF_ACCEPT)) {
        v.flags = n == 0 ? JS_SOCKET : 0;
    } else if (js_does(k, EF_SPAWN)) {
        v.flags = n > 0 && !is_building(argument(k, 0))
                      ? JS_CHILD | (argument(k, 0)->text && secret_place_in(argument(k, 0)->text, argument(k, 0)->len)
                                        ? JS_SECRET
                                        : 0)
                      : 0;
    } else if (starts(f, "fs.read") && n > 0) {
        const struct js_value *path = argument(k, 0);
        v.flags = path->flags & JS_SECRET;
        if (path->kind == JS_STRING && secret_place_in(path->text, path->len))
            v.flags |= JS_SECRET;
        if (n > 0 && starts(f, "fs.readFile") && v.flags)
            j->seen |= JS_SECRET;
    } else if (is_sender(k) && !is_method(k, ONE_OF("on", "once", "addEventListener"))) {
        v.flags = JS_NETWORK;
    } else if (js_does(k, EF_SERVE)) {
        v.flags = n == 0 ? JS_NETWORK : 0;
    } else if (is_method(k, ONE_OF("on", "once", "addEventListener", "addListener"))) {
        const struct js_value *event = argument(k, 0);
        v.flags = b->flags & (JS_CHILD | JS_SECRET | JS_NETWORK | JS_SOCKET);
        if (js_is(event, "error") || js_is(event, "close") || js_is(event, "exit"))
            v.flags = 0;
        if (starts(b, "ws.") || starts(b, "socket.io") || starts(b, "net.createServer") || starts(b, "net.Server"))
            v.flags |= JS_SOCKET;
    } else if (is_method(k, ONE_OF("then"))) {
        v = *b; /* import("x").then(m => ...) */
    } else if (is_method(k, ONE_OF("forEach", "map", "filter", "some", "every", "find", "flatMap", "for"))) {
        v = b->kind == JS_ARRAY ? worst_element(b) : (struct js_value){ .flags = b->flags };
        if (n > 0)
            v = (struct js_value){ 0 };
    }
    return v;
}
