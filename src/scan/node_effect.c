/* What JavaScript's calls do: which results are secrets, connections, shells, and where such things must not meet. */
#include "scan/ir_node.h"

#include "scan/secret.h"

enum { SEEN_SECRET = 1, SEEN_LISTING = 2, SEEN_CIPHER = 4 }; /* of eval.seen */

static bool starts(struct tv v, const char *prefix)
{
    return v.kind == TV_PATH && str_starts(v.text, prefix);
}

static bool is_text(struct tv v)
{
    return v.kind == TV_TEXT;
}

static bool is_secret_place(struct tv v)
{
    return is_text(v) && secret_place_in(v.text, strlen(v.text));
}

static bool is_method(const struct call *k, const char *const *names)
{
    for (; k->is_method && k->name.n && *names; names++)
        if (span_is(k->name, *names))
            return true;
    return false;
}
#define ONE_OF(...) ((const char *const[]){ __VA_ARGS__, NULL })

static uint32_t all_taints(const struct call *k)
{
    uint32_t taint = 0;
    for (unsigned i = 0; i < k->n; i++)
        taint |= k->args[i].taint;
    return taint;
}

static void flow(struct eval *e, const struct call *k, const char *name, const struct tv *about)
{
    eval_emit(e, FACT_FLOW, name, about, about != NULL, k->byte);
}

static void flow_of_argument(struct eval *e, const struct call *k, const char *name)
{
    struct tv first = node_argument(k, 0);
    flow(e, k, name, &first);
}

/* --- loops ------------------------------------------------------------------------------------------ */

static bool is_endless(struct eval *e, uint32_t loop)
{
    uint32_t condition = ir_part(e, loop, ROLE_CONDITION);
    bool is_for = ir_at(e, loop)->sign == 'f';
    struct span s = condition ? ir_span(e, condition) : (struct span){ 0 };
    if (!condition || s.n == 0)
        return is_for;
    if (span_is(s, "true") || (is_for && s.n == 1 && *s.s == ';'))
        return true;
    return !is_for && ir_at(e, condition)->op == IR_NUMBER && *s.s != '0';
}

void node_loop(struct eval *e, uint32_t loop)
{
    bool grows = false;
    if (!is_endless(e, loop))
        return;
    /* what is in it was lowered behind it */
    for (uint32_t i = loop + 1; i < e->ir.count && ir_at(e, i)->start < ir_at(e, loop)->end; i++) {
        const struct ir_node *n = ir_at(e, i);
        struct span s = ir_span(e, i);
        if (n->op == IR_BREAK || n->op == IR_WAIT || i - loop > 4000)
            return;
        grows |= n->op == IR_SPREAD || (n->op == IR_ASSIGN && n->sign && n->sign != 'd');
        if (n->op != IR_NAME || n->role != ROLE_NAME)
            continue;
        if (span_is(s, "exit"))
            return;
        grows |= span_is(s, "push") || span_is(s, "concat") || span_is(s, "repeat") ||
                 (s.n >= 5 && memcmp(s.s, "alloc", 5) == 0);
    }
    eval_emit(e, FACT_FLOW, grows ? "endless-alloc" : "endless-loop", NULL, 0, ir_at(e, loop)->start);
}

/* setInterval(f, 5000): the last argument is a second or more, or not a plain number. */
static bool is_slow(struct eval *e, uint32_t call)
{
    uint32_t last = 0, count = 0, args = ir_part(e, call, ROLE_ARGS);
    for (uint32_t p = args ? ir_at(e, args)->first : 0; p; p = ir_at(e, p)->next)
        last = p, count++;
    return count >= 2 && (ir_at(e, last)->op != IR_NUMBER || ir_span(e, last).n >= 4);
}

static void judge_spawn(struct eval *e, const struct call *k)
{
    const size_t size = k->value.kind == TV_PATH ? strlen(k->value.text) : 0;
    bool is_looped = false, is_waited = size > 4 && str_eq(k->value.text + size - 4, "Sync");
    unsigned limit = 32;
    for (const struct eval_frame *f = e->frame; f && limit-- > 0; f = f->outer) {
        const uint8_t op = ir_at(e, f->node)->op;
        is_waited |= op == IR_WAIT;
        is_looped |= op == IR_LOOP;
        if ((op == IR_LOOP && is_endless(e, f->node) && !is_waited) ||
            (f->call && tv_says(f->call->value, "setInterval") && !is_slow(e, f->node))) {
            flow(e, k, "fork-loop", NULL);
            return;
        }
    }
    if (all_taints(k) & TAINT_SELF) /* a pool of threads is made in a loop, too: whether each makes more, a rule asks */
        flow(e, k,
             tv_says(k->value, "worker_threads.Worker") ? "self-thread"
             : is_looped                                ? "fork-loop"
                                                        : "self-spawn",
             NULL);
    else if (is_looped)
        flow(e, k, "spawn-in-loop", NULL);
}

/* --- code and commands ------------------------------------------------------------------------------- */

bool node_is_loader(const struct call *k)
{
    return tv_says(k->value, "require") || tv_says(k->value, "import") || tv_says(k->value, "export");
}

static bool runs_what_was_written(struct eval *e, const struct call *k)
{
    const char *path = node_own(e)->written;
    for (unsigned i = 0; path && path[0] && path[1] && path[2] && i < k->n; i++) {
        struct tv v = k->args[i];
        if (v.kind == TV_LIST)
            v = tv_join_list(e, v, (struct tv){ .kind = TV_TEXT, .text = " " });
        if ((v.kind == TV_TEXT || v.kind == TV_PATH) && strstr(v.text, path))
            return true;
    }
    return false;
}

static void judge_input(struct eval *e, const struct call *k)
{
    uint32_t taint = all_taints(k);
    if (taint & TAINT_SOCKET)
        flow_of_argument(e, k, "reverse-shell");
    else if (taint & TAINT_NET || runs_what_was_written(e, k))
        flow_of_argument(e, k, "download-then-exec");
    if (taint & TAINT_DECODED && !node_is_loader(k))
        flow_of_argument(e, k, "decode-then-exec");
}

static void add_program(struct eval *e, const struct call *k, uint8_t language, const char *how, struct tv text)
{
    struct embedded_word w = node_place(e, text);
    embedded_add(e->c, language, how, w.text, w.size, k->byte);
}

/* import("data:text/javascript,..."): a program. */
void node_look_into_import(struct eval *e, const struct call *k)
{
    static const char data[] = "data:text/javascript,";
    struct tv first = node_argument(k, 0);
    if (is_text(first) && str_starts(first.text, data) && first.text[sizeof data - 1])
        embedded_add(e->c, LANG_NODE, "data", first.text + sizeof data - 1, strlen(first.text) - (sizeof data - 1),
                     k->byte);
}

/* eval(TEXT), new Function("a", TEXT): the last text is the program. */
static void look_into_code(struct eval *e, const struct call *k)
{
    struct tv text = { 0 };
    if (node_is_loader(k))
        return;
    for (unsigned i = 0; i < k->n; i++)
        if (is_text(k->args[i]) && (!text.text || tv_says(k->value, "Function")))
            text = k->args[i];
    if (text.text)
        add_program(e, k, LANG_NODE, "eval text", text);
    else if (k->n && e->c->embedded) /* node-eval says it; the report is not complete */
        e->c->embedded->has_unread = true;
}

/* { input: TEXT } among the arguments; unknown: none, or not known. */
static bool option(struct eval *e, const struct call *k, const char *name, struct tv *ret)
{
    for (unsigned i = 0; i < k->n; i++)
        if (k->args[i].kind == TV_RECORD && tv_field(e, k->args[i], (struct span){ name, strlen(name) }, ret))
            return true;
    return false;
}

/* child.stdin.write(TEXT), child.stdin.end(TEXT): the last command that was started reads it. */
static void feed(struct eval *e, const struct call *k)
{
    struct node *own = node_own(e);
    struct tv text = node_argument(k, 0);
    if (!own->started_count || !(k->recv.taint & TAINT_PIPE) || !is_text(text) || !is_method(k, ONE_OF("write", "end")))
        return;
    struct embedded_word w = node_place(e, text);
    embedded_command(e->c, own->started, own->started_count, w.text, w.size, k->byte);
}

/* exec("sh ..."), spawn("python3", ["-c", TEXT]), execFile, fork("x.js"). */
static void look_into_command(struct eval *e, const struct call *k)
{
    struct tv first = node_argument(k, 0), list = node_argument(k, 1), input = tv_unknown(0);
    struct embedded_word words[EMBEDDED_MAX_WORDS];
    unsigned count = 0;
    if (tv_says(first, "process.execPath") || (is_text(first) && tv_says(k->value, "child_process.fork")))
        words[count++] = (struct embedded_word){ "node", 4 };
    else if (!is_text(first))
        return;
    if (is_text(first) && (node_does(k, EF_SHELL) || strchr(first.text, ' '))) {
        add_program(e, k, LANG_BASH, "shell command", first);
        return;
    }
    if (is_text(first))
        words[count++] = node_place(e, first);
    for (uint32_t i = 0, at = list.head; list.kind == TV_LIST && i < list.count && count < EMBEDDED_MAX_WORDS;
         i++, at = e->pool[at].next) {
        struct tv v = e->pool[at].value;
        if (v.kind == TV_NUMBER)
            v = (struct tv){ .kind = TV_TEXT, .text = arena_printf(e->c->arena, "%lld", (long long)v.number) };
        words[count++] = is_text(v) ? node_place(e, v) : (struct embedded_word){ "{}", 2 };
    }
    bool has_input = option(e, k, "input", &input) && is_text(input);
    struct embedded_word given = has_input ? node_place(e, input) : (struct embedded_word){ 0 };
    memcpy(node_own(e)->started, words, count * sizeof words[0]);
    node_own(e)->started_count = count;
    embedded_command(e->c, words, count, given.text, given.size, k->byte);
}

/* What it prints is of the work at hand, and not of the machine: git log, npm test. */
static bool is_building(struct tv command)
{
    static const char *const tools[] = {
        "git ",      "npm ",    "npx ", "yarn ",  "pnpm ",  "node ",         "make",
        "go ",       "cargo ",  "tsc",  "eslint", "jest",   "docker build",  "pytest",
        "mvn ",      "gradle ", "date", "df ",    "uptime", "systemctl is-", "systemctl status",
        "docker ps", "free ",   "du ",  "ls"
    };
    for (size_t i = 0; is_text(command) && i < ARRAY_LEN(tools); i++) {
        size_t n = strlen(tools[i]), size = strlen(command.text);
        bool is_whole = size + 1 == n && tools[i][n - 1] == ' ' && memcmp(command.text, tools[i], size) == 0;
        if ((is_whole || str_starts(command.text, tools[i])) && !command.text[strcspn(command.text, ";|&")])
            return true;
    }
    return false;
}

static uint32_t judge_command(struct eval *e, const struct call *k)
{
    uint32_t taint = is_building(node_argument(k, 0)) ? 0 : TAINT_PIPE;
    look_into_command(e, k);
    judge_input(e, k);
    judge_spawn(e, k);
    for (unsigned i = 0; i < k->n && i < 2; i++) {
        struct tv v = k->args[i];
        if (v.kind == TV_LIST)
            v = tv_join_list(e, v, (struct tv){ .kind = TV_TEXT, .text = " " });
        if (is_secret_place(v))
            taint |= TAINT_SECRET;
    }
    e->seen |= taint & TAINT_SECRET ? SEEN_SECRET : 0;
    return taint;
}

/* --- files --------------------------------------------------------------------------------------------- */

static bool is_outside(struct tv v)
{
    if (!is_text(v) || !*v.text || str_starts(v.text, "/tmp/"))
        return false;
    return *v.text == '/' || *v.text == '~' || strstr(v.text, "../..") || (v.text[1] == ':' && v.text[2]);
}

static bool is_own_temporary(struct tv v)
{
    return starts(v, "fs.mkdtemp") || (is_text(v) && strstr(v.text, "tmp"));
}

/* The directory at hand, what is above it, all of it, or what is hidden in it: not ./dist. */
static bool is_all_of_it(const char *path)
{
    while (str_starts(path, "./"))
        path += 2;
    return !*path || *path == '.' || *path == '*';
}

static void judge_delete(struct eval *e, const struct call *k)
{
    struct tv path = node_argument(k, 0);
    struct span options = node_span(e, k, 1);
    bool is_tree = node_does(k, EF_REMOVE_TREE) || (options.n && memmem(options.s, options.n, "recursive", 9));
    bool is_unsure = !is_text(path) || path.is_partial;
    if (is_outside(path))
        flow(e, k, is_tree ? "delete-tree" : "delete-outside", &path);
    else if (is_own_temporary(path))
        ;
    else if (is_tree && (is_unsure || is_all_of_it(path.text)))
        flow(e, k, "delete-tree", &path);
    else if (e->seen & SEEN_LISTING && is_unsure)
        flow(e, k, "delete-many", &path);
    else if (!is_text(path))
        flow(e, k, "delete-computed", &path);
    if (e->seen & SEEN_CIPHER && e->seen & SEEN_LISTING)
        flow(e, k, "encrypt-files", &path);
}

static uint32_t judge_file(struct eval *e, const struct call *k)
{
    struct tv path = node_argument(k, 0), text = node_argument(k, 1);
    bool is_more = node_does(k, EF_APPEND), is_opened = node_does(k, EF_OPEN), is_moved = node_does(k, EF_MOVE);
    if (node_does(k, EF_WALK)) {
        e->seen |= SEEN_LISTING;
    } else if (node_does(k, EF_READ)) {
        bool is_secret = is_secret_place(path) || path.taint & TAINT_SECRET;
        e->seen |= is_secret ? SEEN_SECRET : 0;
        return is_secret ? TAINT_SECRET : path.taint & TAINT_SELF;
    } else if (node_does(k, EF_WRITE) || is_more || is_opened || is_moved) {
        if (text.taint & TAINT_NET || is_opened)
            node_own(e)->written = is_text(path) ? path.text : NULL;
        if (is_text(path) && !is_moved) {
            struct embedded_word w = is_text(text) ? node_place(e, text) : (struct embedded_word){ 0 };
            embedded_file(e->c, path.text, strlen(path.text), w.text, w.size, k->byte, is_more);
        }
        if (path.taint & TAINT_SELF)
            flow(e, k, "self-modify", &path);
        if (e->seen & SEEN_CIPHER && e->seen & SEEN_LISTING)
            flow(e, k, "encrypt-files", &path);
    } else if (node_does(k, EF_REMOVE) || node_does(k, EF_REMOVE_TREE)) {
        judge_delete(e, k);
    }
    return 0;
}

/* --- network -------------------------------------------------------------------------------------------- */

static bool is_sender(const struct call *k)
{
    if (k->value.kind != TV_PATH)
        return (k->recv.taint & TAINT_SOCKET) && is_method(k, ONE_OF("write", "end", "send", "emit"));
    return node_does(k, EF_SEND);
}

static void judge_send(struct eval *e, const struct call *k)
{
    uint32_t taint = all_taints(k);
    const char *what = NULL;
    if (node_own(e)->has_told_exfiltration)
        return;
    if (taint & (TAINT_SECRET | TAINT_ENVIRON) || e->seen & SEEN_SECRET)
        what = "secret-then-send";
    else if (taint & TAINT_PIPE)
        what = "output-then-send";
    else if (taint & TAINT_HOST)
        what = "profile-then-send";
    else if (taint & TAINT_CREDENTIAL)
        what = "credential-then-send";
    if (!what)
        return;
    node_own(e)->has_told_exfiltration = str_eq(what, "secret-then-send");
    flow_of_argument(e, k, what);
}

static void judge_pipe(struct eval *e, const struct call *k)
{
    struct tv to = node_argument(k, 0), from = k->recv;
    if ((from.taint & TAINT_SOCKET && to.taint & TAINT_PIPE) || (from.taint & TAINT_PIPE && to.taint & TAINT_SOCKET))
        flow(e, k, "reverse-shell", NULL);
    else if (from.taint & (TAINT_SECRET | TAINT_ENVIRON) && (to.taint & TAINT_SOCKET || starts(to, "http")))
        flow(e, k, "secret-then-send", NULL);
}

/* --- all together ----------------------------------------------------------------------------------------- */

static uint32_t own_result(const struct call *k)
{
    if (node_does(k, EF_CONNECT))
        return TAINT_SOCKET;
    if (node_does(k, EF_PROFILE))
        return TAINT_HOST;
    if (node_does(k, EF_DECODE))
        return TAINT_DECODED;
    return is_sender(k) ? TAINT_NET : 0;
}

uint32_t node_judge(struct eval *e, struct call *k)
{
    struct tv first = node_argument(k, 0), unused;
    uint32_t taint = own_result(k);
    bool writes = is_method(k, ONE_OF("write", "end"));
    if (node_does(k, EF_SPAWN))
        return taint | judge_command(e, k);
    if (node_does(k, EF_EVAL)) {
        judge_input(e, k);
        look_into_code(e, k);
    }
    if (node_does(k, EF_TIMER) && (is_text(first) || first.taint & TAINT_DECODED)) {
        flow_of_argument(e, k, "timer-code");
        judge_input(e, k);
    }
    if (node_does(k, EF_THREAD))
        judge_spawn(e, k);
    if (node_does(k, EF_THREAD) && option(e, k, "eval", &unused) && is_text(first))
        add_program(e, k, LANG_NODE, "worker", first);
    feed(e, k);
    e->seen |= node_does(k, EF_CRYPT) ? SEEN_CIPHER : 0;
    taint |= judge_file(e, k);
    if (node_does(k, EF_SHOW) && all_taints(k) & TAINT_ENVIRON)
        flow(e, k, "env-dump", NULL);
    if ((is_method(k, ONE_OF("repeat", "padEnd", "padStart")) || node_does(k, EF_ALLOC)) && first.kind == TV_NUMBER &&
        first.number >= 100000000)
        flow(e, k, "huge-alloc", &first);
    if (is_method(k, ONE_OF("pipe")))
        judge_pipe(e, k);
    if (is_method(k, ONE_OF("_compile"))) {
        judge_input(e, k);
        if (!node_does(k, EF_EVAL))
            look_into_code(e, k);
    }
    if (is_sender(k) || (k->recv.taint & TAINT_SOCKET && (writes || is_method(k, ONE_OF("send")))) ||
        (k->recv.taint & TAINT_NET && writes))
        judge_send(e, k);
    if (k->recv.taint & TAINT_SOCKET && (writes || is_method(k, ONE_OF("send"))) && all_taints(k) & TAINT_PIPE)
        flow(e, k, "reverse-shell", NULL);
    if (node_does(k, EF_QUIET))
        return taint;
    /* what goes through a call that is not known comes out of it */
    return taint | ((k->recv.taint | all_taints(k)) & (uint32_t)~TAINT_SELF);
}

/* A line for a shell that does more than look. */
static bool is_telling_line(struct tv v)
{
    static const char *const words[] = { "rm -", "curl ",  "wget ", "sudo ", "| sh",
                                         "|sh",  "| bash", "|bash", ">>",    "chmod " };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strstr(v.text, words[i]))
            return true;
    return false;
}

/* The element of a list that a reader would look at first. */
struct tv node_element(struct eval *e, struct tv list)
{
    struct tv best = tv_unknown(list.taint);
    for (uint32_t i = 0, at = list.head; list.kind == TV_LIST && i < MIN_OF(list.count, 32u);
         i++, at = e->pool[at].next) {
        struct tv v = e->pool[at].value;
        if (v.kind == TV_UNKNOWN || v.kind == TV_PATH)
            v = (struct tv){ .kind = TV_TEXT, .text = "{}" };
        v.taint |= list.taint;
        if (is_secret_place(v) || is_outside(v) || (is_text(v) && is_telling_line(v)))
            return v;
        best = i ? best : v;
    }
    return best;
}

struct tv node_parameter(struct eval *e, const struct call *given, unsigned n)
{
    struct call copy = *given, *k = &copy;
    struct tv first = node_argument(k, 0), v = tv_unknown(0);
    node_look_up(k);
    if (node_does(k, EF_ACCEPT)) {
        v.taint = n == 0 ? TAINT_SOCKET : 0;
    } else if (node_does(k, EF_SPAWN)) {
        if (n > 0 && !is_building(first))
            v.taint = is_secret_place(first) ? TAINT_PIPE | TAINT_SECRET : TAINT_PIPE;
    } else if (starts(k->value, "fs.read") && n > 0) {
        v.taint = is_secret_place(first) ? TAINT_SECRET : first.taint & TAINT_SECRET;
        if (starts(k->value, "fs.readFile") && v.taint)
            e->seen |= SEEN_SECRET;
    } else if (is_sender(k) && !is_method(k, ONE_OF("on", "once", "addEventListener"))) {
        v.taint = TAINT_NET;
    } else if (node_does(k, EF_SERVE)) {
        v.taint = n == 0 ? TAINT_NET : 0;
    } else if (is_method(k, ONE_OF("on", "once", "addEventListener", "addListener"))) {
        v.taint = k->recv.taint & (TAINT_PIPE | TAINT_SECRET | TAINT_NET | TAINT_SOCKET);
        if (tv_says(first, "error") || tv_says(first, "close") || tv_says(first, "exit"))
            v.taint = 0;
        if (starts(k->recv, "ws.") || starts(k->recv, "socket.io") || starts(k->recv, "net.createServer") ||
            starts(k->recv, "net.Server"))
            v.taint |= TAINT_SOCKET;
    } else if (is_method(k, ONE_OF("then"))) {
        v = k->recv; /* import("x").then(m => ...) */
    } else if (is_method(k, ONE_OF("forEach", "map", "filter", "some", "every", "find", "flatMap", "for"))) {
        v = n ? v : node_element(e, k->recv);
    }
    return v;
}

void node_finish(struct eval *e)
{
    if (node_own(e)->has_listed && node_own(e)->outside)
        eval_emit(e, FACT_FLOW, "walk-outside", NULL, 0, node_own(e)->outside - 1);
}
