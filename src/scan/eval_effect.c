/* What known functions do to values, and the flows that follow from it. */
#include "scan/embedded.h"
#include "scan/eval.h"
#include "scan/secret.h"

enum {
    SEEN_SEND = 1,
    SEEN_SECRET = 2,
    SEEN_SPAWN = 4,
    SEEN_WALK = 8,
    SEEN_CRYPT = 16,
    SEEN_FETCHED_FILE = 32, /* wrote to a file what came from the network */
    SEEN_FETCH = 64,
    SEEN_EXECUTABLE = 128, /* made a file executable */
    SEEN_REMOVE = 256,     /* removes paths that it computes */
    SEEN_OVERWRITE = 512,
    SEEN_SOCKET = 1024,
};

static void see(struct eval *e, uint32_t what, uint32_t *place, uint32_t byte)
{
    if (!(e->seen & what) && place)
        *place = byte;
    e->seen |= what;
}

bool eval_is_secret_path(const char *path)
{
    return secret_place_in(path, strlen(path)) || secret_word_in(path, strlen(path), ".env|credentials|keyring|/mem");
}

bool eval_is_secret_name(const char *name)
{
    char upper[128];
    size_t n = 0;
    for (; n < sizeof upper - 1 && name[n]; n++)
        upper[n] = name[n] >= 'a' && name[n] <= 'z' ? (char)(name[n] - 32) : name[n];
    upper[n] = '\0';
    return secret_word_in(upper, n,
                          "SECRET|TOKEN|PASSW|API_KEY|APIKEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIAL|AWS_|SSH_AUTH|"
                          "GITHUB_|OPENAI|ANTHROPIC|DATABASE_URL|MNEMONIC|_KEY|PASSPHRASE");
}

const struct known *eval_known(const struct eval *e, const char *name)
{
    return effect_find(e->l->language, name, strlen(name));
}

static uint32_t taints(struct tv recv, const struct tv *args, unsigned n)
{
    uint32_t all = recv.taint;
    for (unsigned i = 0; i < n; i++)
        all |= args[i].taint;
    return all;
}

static struct tv folded(struct eval *e, const char *text, uint32_t taint)
{
    struct tv v = tv_text(e, text, strlen(text));
    v.taint = taint;
    return v;
}

/* --- commands: collected over chains and statements, told at the end with all their arguments --- */

static void command_add(struct eval *e, struct eval_command *c, struct tv v)
{
    if (v.kind == TV_LIST) {
        uint32_t at = v.head;
        c->is_dynamic |= v.is_partial;
        for (uint32_t i = 0; i < v.count && i < FACT_MAX_ARGS; i++, at = e->pool[at].next)
            if (c->arg_count < FACT_MAX_ARGS)
                c->args[c->arg_count++] = e->pool[at].value;
        return;
    }
    if (c->arg_count < FACT_MAX_ARGS)
        c->args[c->arg_count++] = v;
}

static void judge_argument(struct eval *e, struct tv v, uint32_t byte)
{
    if (v.taint & TAINT_NET)
        eval_flow(e, "download-then-exec", byte);
    if (v.taint & TAINT_DECODED)
        eval_flow(e, "decode-then-exec", byte);
}

/* exec.Command("sh", "-c", TEXT), Command::new("python3").arg("x.py") */
static void look_into_command(struct eval *e, const struct eval_command *c)
{
    struct embedded_word words[FACT_MAX_ARGS];
    unsigned count = 0;
    for (; count < c->arg_count; count++)
        words[count] = c->args[count].kind == TV_TEXT
                           ? (struct embedded_word){ c->args[count].text, strlen(c->args[count].text) }
                           : (struct embedded_word){ 0 };
    embedded_command(e->c, words, count, c->input, c->input ? strlen(c->input) : 0, c->byte);
}

static struct tv command_begin(struct eval *e, const char *name, const char *type, const struct tv *args, unsigned n,
                               uint32_t byte)
{
    uint32_t taint = taints(tv_unknown(0), args, n);
    struct tv v = tv_object(type ? type : name, taint & TAINT_SELF);
    see(e, SEEN_SPAWN, &e->spawn_byte, byte);
    if (n > 0 && args[0].kind == TV_UNKNOWN)
        eval_flow(e, "computed-command", byte);
    for (unsigned i = 0; i < n; i++)
        judge_argument(e, args[i], byte);
    if (e->loop) {
        bool is_shell = n > 0 && args[0].kind == TV_TEXT &&
                        (str_eq(args[0].text, "sh") || str_eq(args[0].text, "bash"));
        e->loop->has_spawn = true;
        e->loop->has_asked |= n > 0 && (args[0].kind == TV_UNKNOWN ||
                                        (is_shell && (args[n - 1].kind != TV_TEXT || !*args[n - 1].text)) ||
                                        (is_shell && n == 1));
        e->loop->has_fork |= (taint & TAINT_SELF) != 0;
    }
    if (e->command_count >= EVAL_COMMANDS) {
        eval_emit(e, FACT_CALL, name, args, n, byte);
        return v;
    }
    struct eval_command *c = &e->commands[e->command_count++];
    *c = (struct eval_command){ .callee = name, .byte = byte };
    for (unsigned i = 0; i < n; i++)
        command_add(e, c, args[i]);
    v.head = e->command_count;
    return v;
}

void eval_input(struct eval *e, const struct tv *args, unsigned n)
{
    for (unsigned i = 0; i < n && e->command_count > 0; i++)
        if (args[i].kind == TV_TEXT && args[i].text && args[i].text[0] && args[i].text[1])
            e->commands[e->command_count - 1].input = args[i].text;
}

static void command_more(struct eval *e, struct tv recv, const struct tv *args, unsigned n, uint32_t byte)
{
    for (unsigned i = 0; i < n; i++) {
        judge_argument(e, args[i], byte);
        if (recv.kind == TV_OBJECT && recv.head > 0 && recv.head <= e->command_count)
            command_add(e, &e->commands[recv.head - 1], args[i]);
    }
}

/* --- files --- */

static struct tv read_file(struct eval *e, struct tv path, uint32_t taint, const char *type, uint32_t byte)
{
    if (path.kind == TV_TEXT && eval_is_secret_path(path.text)) {
        taint |= TAINT_SECRET;
        see(e, SEEN_SECRET, &e->secret_byte, byte);
    }
    return type ? tv_object(type, taint) : tv_unknown(taint);
}

static void write_file(struct eval *e, struct tv recv, const struct tv *args, unsigned n, uint32_t byte)
{
    if (!e->is_quiet && n >= 2 && args[0].kind == TV_TEXT) /* WriteFile(path, text, ...), fs::write(path, text) */
        embedded_file(e->c, args[0].text, strlen(args[0].text), args[1].kind == TV_TEXT ? args[1].text : NULL,
                      args[1].kind == TV_TEXT ? strlen(args[1].text) : 0, byte, false);
    else if (!e->is_quiet && n == 1 && args[0].kind == TV_TEXT && recv.kind != TV_OBJECT) /* os.Create(path) */
        e->opened = args[0].text;
    else if (!e->is_quiet && n == 1 && args[0].kind == TV_TEXT && e->opened) /* f.WriteString(text) */
        embedded_file(e->c, e->opened, strlen(e->opened), args[0].text, strlen(args[0].text), byte, true);
    if (taints(recv, args, n) & TAINT_NET)
        see(e, SEEN_FETCHED_FILE, NULL, byte);
    if (n > 0 && (args[0].taint & TAINT_WALK))
        see(e, SEEN_OVERWRITE, NULL, byte);
    if (e->loop)
        e->loop->has_write = true;
}

static void remove_path(struct eval *e, struct tv path, bool is_tree, uint32_t byte)
{
    if (path.taint & TAINT_TEMP)
        return;
    if (is_tree && (path.kind == TV_UNKNOWN || (path.kind == TV_TEXT && str_starts(path.text, "{}"))))
        eval_flow(e, "remove-tree-computed", byte);
    if (path.taint & TAINT_WALK)
        see(e, SEEN_REMOVE, NULL, byte);
}

static void chmod_path(struct eval *e, const struct tv *args, unsigned n, uint32_t byte)
{
    for (unsigned i = 0; i < n; i++) {
        if (args[i].kind != TV_NUMBER)
            continue;
        if (args[i].number & 06000)
            eval_flow(e, "setuid-bit", byte);
        if (args[i].number & 0111)
            see(e, SEEN_EXECUTABLE, NULL, byte);
    }
}

/* --- environment, network --- */

/* A credential that is for another program. One's own key is sent to many an honest service, in a header mostly. */
static bool is_foreign(const char *name)
{
    static const char *const names[] = { "AWS_SE", "AWS_AC",       "AZURE_",  "VAULT_",   "KUBE",
                                         "SSH_",   "DATABASE_URL", "DB_PASS", "POSTGRES", "MYSQL",
                                         "PGPASS", "DOCKER_",      "STRIPE_", "NPM_TOKEN" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_starts(name, names[i]))
            return true;
    return false;
}

static struct tv get_env(struct eval *e, struct tv name, uint32_t byte)
{
    if (name.kind != TV_TEXT)
        return tv_unknown(0);
    if (str_eq(name.text, "HOME") || str_eq(name.text, "USERPROFILE"))
        return folded(e, "~", 0);
    if (str_eq(name.text, "TMPDIR"))
        return folded(e, "/tmp", 0);
    if (!eval_is_secret_name(name.text))
        return tv_unknown(0);
    if (is_foreign(name.text))
        see(e, SEEN_SECRET, &e->secret_byte, byte);
    return tv_unknown(TAINT_SECRET);
}

static void send_out(struct eval *e, struct tv recv, const struct tv *args, unsigned n, uint32_t byte)
{
    see(e, SEEN_SEND | SEEN_FETCH, &e->send_byte, byte);
    if (taints(recv, args, n) & TAINT_SECRET)
        eval_flow(e, "secret-then-send", byte);
    if (taints(recv, args, n) & TAINT_PIPE)
        eval_flow(e, "socket-to-process", byte);
}

static void loop_mark(struct eval *e, enum effect does)
{
    struct eval_loop *l = e->loop;
    if (!l)
        return;
    l->has_wait |= does == EF_WAIT || does == EF_ACCEPT || does == EF_RECEIVE || does == EF_SEND || does == EF_READ ||
                   does == EF_CONNECT;
    l->has_exit |= does == EF_EXIT;
    l->has_thread |= does == EF_THREAD;
    l->has_fork |= does == EF_FORK;
    l->has_spawn |= does == EF_SPAWN;
    l->has_alloc |= does == EF_ALLOC;
    l->has_write |= does == EF_WRITE;
}

static struct tv result_of(const struct known *k, uint32_t taint)
{
    return k && k->returns ? tv_object(k->returns, taint) : tv_unknown(taint);
}

static struct tv expanded(struct eval *e, struct tv v)
{
    static const char *const forms[] = { "${HOME}", "$HOME" };
    struct tv home = folded(e, "~", 0);
    for (size_t i = 0; i < ARRAY_LEN(forms) && v.kind == TV_TEXT; i++)
        if (strstr(v.text, forms[i]))
            v = tv_replace(e, v, folded(e, forms[i], 0), home);
    return v;
}

struct tv eval_folded(struct eval *e, enum effect does, struct tv recv, struct tv *args, unsigned n, bool *ret_done)
{
    struct tv first = recv.kind != TV_UNKNOWN ? recv : n > 0 ? args[0] : recv;
    struct tv none = tv_unknown(0);
    *ret_done = true;
    switch (does) {
    case EF_HOME:
        return folded(e, "~", 0);
    case EF_TEMP:
        return folded(e, "/tmp", 0);
    case EF_MKTEMP:
        return folded(e, "/tmp/{}", TAINT_TEMP);
    case EF_SELF:
        return folded(e, "/proc/self/exe", TAINT_SELF);
    case EF_CONFIG:
        return folded(e, "~/.config", 0);
    case EF_EXPAND:
        return expanded(e, first);
    case EF_FIELDS:
        return tv_fields(e, first);
    case EF_CWD:
        return folded(e, ".", 0);
    case EF_PASS:
        return first;
    case EF_BRACES:
        return tv_braces(e, args, n);
    case EF_SPRINTF:
        return tv_sprintf(e, args, n);
    case EF_BASE64:
        return tv_base64(e, n > 0 ? args[0] : first);
    case EF_HEX:
        return tv_hex(e, n > 0 ? args[0] : first);
    case EF_DECODE:
        return tv_unknown(taints(recv, args, n) | TAINT_DECODED);
    case EF_BYTES:
        return tv_from_bytes(e, first);
    case EF_EMPTY:
        return folded(e, "", 0);
    case EF_LIST:
        return tv_list();
    case EF_LOWER:
        return tv_lower(e, first);
    case EF_REVERSE:
        return tv_reverse(e, first);
    case EF_REPLACE:
        if (recv.kind != TV_UNKNOWN)
            return n >= 2 ? tv_replace(e, recv, args[0], args[1]) : none;
        return n >= 3 ? tv_replace(e, args[0], args[1], args[2]) : none;
    case EF_JOIN:
        if (recv.kind == TV_LIST)
            return n > 0 ? tv_join_list(e, recv, args[0]) : tv_from_bytes(e, recv);
        return n >= 2 ? tv_join_list(e, args[0], args[1]) : tv_unknown(taints(recv, args, n));
    case EF_PATH_JOIN:
    case EF_CONCAT:
        first = recv.kind != TV_UNKNOWN || n == 0 ? recv : args[0];
        for (unsigned i = recv.kind == TV_UNKNOWN; i < n; i++)
            first = does == EF_CONCAT ? tv_concat(e, first, args[i]) : tv_join_path(e, first, args[i]);
        return first;
    default:
        *ret_done = false;
        return none;
    }
}

/* io.Copy(conn, output), io.Copy(input, conn): a shell over a socket; io.Copy(conn, file): a file leaves. */
static struct tv act_copy(struct eval *e, const struct tv *args, unsigned n, uint32_t byte)
{
    struct tv to = args[0], from = n > 1 ? args[1] : tv_unknown(0);
    if (((to.taint & TAINT_SOCKET) && (from.taint & TAINT_PIPE)) ||
        ((to.taint & TAINT_PIPE) && (from.taint & TAINT_SOCKET)))
        eval_flow(e, "socket-to-process", byte);
    if ((to.taint & TAINT_SOCKET) && (from.taint & TAINT_SECRET))
        eval_flow(e, "secret-then-send", byte);
    return tv_unknown(0);
}

static struct tv act(struct eval *e, const struct known *k, const char *name, struct tv recv, struct tv *args,
                     unsigned n, uint32_t byte)
{
    enum effect does = k ? (enum effect)k->effects[0] : EF_NONE;
    uint32_t all = taints(recv, args, n);
    struct tv none = tv_unknown(0), first = n > 0 ? args[0] : none;
    switch (does) {
    case EF_COMMAND:
        return command_begin(e, name, k->returns, args, n, byte);
    case EF_COMMAND_CTX:
        return command_begin(e, name, k->returns, args + (n > 0), n - (n > 0), byte);
    case EF_COMMAND_ARG:
        command_more(e, recv, args, n, byte);
        return recv;
    case EF_COMMAND_IO:
        if (all & TAINT_SOCKET)
            eval_flow(e, "socket-to-process", byte);
        eval_input(e, args, n);
        return recv;
    case EF_COMMAND_RUN:
        return tv_unknown(TAINT_PIPE);
    case EF_PIPE:
        return tv_unknown(TAINT_PIPE);
    case EF_COPY_INTO:
        if (n >= 2) {
            struct tv turned[] = { args[1], args[0] };
            return act_copy(e, turned, 2, byte);
        }
        return none;
    case EF_COPY:
        if ((first.taint & TAINT_SOCKET) || (first.taint & TAINT_PIPE))
            return act_copy(e, args, n, byte);
        if (all & TAINT_NET)
            see(e, SEEN_FETCHED_FILE, NULL, byte);
        return none;
    case EF_SPAWN:
        see(e, SEEN_SPAWN, &e->spawn_byte, byte);
        for (unsigned i = 0; i < n; i++)
            judge_argument(e, args[i], byte);
        if (e->loop && (all & TAINT_SELF))
            e->loop->has_fork = true;
        return result_of(k, 0);
    case EF_DUP:
        if ((all & TAINT_SOCKET) || (e->seen & SEEN_SOCKET))
            eval_flow(e, "socket-to-process", byte);
        return result_of(k, all);
    case EF_CONNECT:
        see(e, SEEN_SEND | SEEN_SOCKET, &e->send_byte, byte);
        return result_of(k, TAINT_SOCKET | TAINT_NET | (all & TAINT_SECRET));
    case EF_ACCEPT:
        see(e, SEEN_SEND | SEEN_SOCKET, &e->send_byte, byte);
        return result_of(k, TAINT_SOCKET | TAINT_NET);
    case EF_SEND:
        send_out(e, recv, args, n, byte);
        return result_of(k, TAINT_NET);
    case EF_RECEIVE:
        return result_of(k, all | TAINT_NET);
    case EF_ENV:
        return get_env(e, first, byte);
    case EF_ENVIRON:
        see(e, SEEN_SECRET, &e->secret_byte, byte);
        return result_of(k, TAINT_SECRET);
    case EF_READ:
        return read_file(e, first, all, k->returns, byte);
    case EF_WRITE:
        write_file(e, recv, args, n, byte);
        return result_of(k, all & (TAINT_WALK | TAINT_TEMP));
    case EF_REMOVE:
    case EF_REMOVE_TREE:
        remove_path(e, first, does == EF_REMOVE_TREE, byte);
        return none;
    case EF_WALK:
        see(e, SEEN_WALK, &e->walk_byte, byte);
        return result_of(k, TAINT_WALK);
    case EF_CHMOD:
        chmod_path(e, args, n, byte);
        return result_of(k, all);
    case EF_CRYPT:
        see(e, SEEN_CRYPT, NULL, byte);
        return result_of(k, all | TAINT_DECODED);
    default:
        return result_of(k, all);
    }
}

struct tv eval_call(struct eval *e, const char *name, struct tv recv, struct tv *args, unsigned n, uint32_t byte)
{
    const struct known *k = eval_known(e, name);
    enum effect does = k ? (enum effect)k->effects[0] : EF_NONE;
    bool is_done;
    if (does != EF_COMMAND && does != EF_COMMAND_CTX) /* these are told at the end */
        eval_emit(e, FACT_CALL, name, args, n, byte);
    loop_mark(e, does);
    if (taints(recv, args, n) & TAINT_PIPE)
        eval_input(e, args, n);
    struct tv v = eval_folded(e, does, recv, args, n, &is_done);
    if (is_done && v.kind == TV_TEXT && (v.taint & TAINT_DECODED))
        eval_string(e, v, byte);
    return is_done ? v : act(e, k, name, recv, args, n, byte);
}

void eval_loop_end(struct eval *e, const struct eval_loop *l, uint32_t byte)
{
    if (l->has_fork)
        eval_flow(e, "self-spawn-loop", byte);
    if (!l->is_endless || l->has_exit)
        return;
    if (l->has_wait && l->has_asked && e->seen & (SEEN_FETCH | SEEN_SEND))
        eval_flow(e, "poll-loop", byte);
    if (l->has_wait)
        return;
    if (l->has_spawn)
        eval_flow(e, "spawn-loop", byte);
    if (l->has_thread)
        eval_flow(e, "thread-loop", byte);
    else if (l->has_alloc)
        eval_flow(e, "endless-alloc", byte);
    else if (l->has_write)
        eval_flow(e, "endless-write", byte);
    else if (!l->has_call)
        eval_flow(e, "endless-busy", byte);
}

void eval_finish(struct eval *e)
{
    for (uint32_t i = 0; i < e->command_count; i++) {
        const struct eval_command *c = &e->commands[i];
        eval_emit(e, FACT_CALL, c->callee, c->args, c->arg_count, c->byte);
        look_into_command(e, c);
    }
    uint32_t s = e->seen;
    if ((s & SEEN_SECRET) && (s & SEEN_SEND))
        eval_flow(e, "secret-then-send", e->send_byte);
    if ((s & SEEN_FETCH) && (s & SEEN_SPAWN) && (s & (SEEN_FETCHED_FILE | SEEN_EXECUTABLE)))
        eval_flow(e, "download-then-exec", e->spawn_byte);
    if ((s & SEEN_WALK) && (s & SEEN_REMOVE))
        eval_flow(e, "walk-then-remove", e->walk_byte);
    if ((s & SEEN_WALK) && (s & SEEN_OVERWRITE) && (s & SEEN_CRYPT))
        eval_flow(e, "walk-then-write", e->walk_byte);
}
