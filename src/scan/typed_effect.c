/* What known functions do to values, and the flows that follow from it. */
#include "scan/embedded.h"
#include "scan/typed.h"

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

static void see(struct typed *t, uint32_t what, uint32_t *place, uint32_t byte)
{
    if (!(t->seen & what) && place)
        *place = byte;
    t->seen |= what;
}

static bool contains_any(const char *s, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(s, words[i]))
            return true;
    return false;
}

bool typed_is_secret_path(const char *path)
{
    static const char *const words[] = { "/etc/shadow",
                                         "/etc/passwd",
                                         "/etc/sudoers",
                                         "/etc/gshadow",
                                         ".ssh",
                                         "id_rsa",
                                         "id_ed25519",
                                         "id_ecdsa",
                                         ".aws/",
                                         ".netrc",
                                         ".git-credentials",
                                         ".kube/config",
                                         ".docker/config.json",
                                         ".gnupg",
                                         ".config/gcloud",
                                         ".config/solana",
                                         ".config/rclone",
                                         ".azure",
                                         "wallet.dat",
                                         "Login Data",
                                         "cookies.sqlite",
                                         "logins.json",
                                         "key4.db",
                                         "/environ",
                                         ".npmrc",
                                         ".pypirc",
                                         "_history",
                                         "/var/run/secrets",
                                         "/run/secrets",
                                         ".bitcoin",
                                         ".ethereum",
                                         ".vault-token",
                                         ".pgpass",
                                         ".my.cnf",
                                         ".env",
                                         "credentials",
                                         "/mem",
                                         ".electrum",
                                         ".metamask",
                                         "keyring",
                                         "Local Storage/leveldb",
                                         ".mozilla" };
    return contains_any(path, words, ARRAY_LEN(words));
}

bool typed_is_secret_name(const char *name)
{
    static const char *const words[] = { "SECRET",      "TOKEN",      "PASSW",      "API_KEY",      "APIKEY",
                                         "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL", "AWS_",         "SSH_AUTH",
                                         "GITHUB_",     "OPENAI",     "ANTHROPIC",  "DATABASE_URL", "MNEMONIC",
                                         "_KEY",        "PASSPHRASE", "WEBHOOK" };
    char upper[128];
    size_t n = 0;
    for (; name[n] && n < sizeof upper - 1; n++)
        upper[n] = name[n] >= 'a' && name[n] <= 'z' ? (char)(name[n] - 32) : name[n];
    upper[n] = '\0';
    return contains_any(upper, words, ARRAY_LEN(words));
}

const struct known *typed_known(const struct typed *t, const char *name)
{
    return effect_find(t->language, name, strlen(name));
}

static uint16_t taints(struct tv recv, const struct tv *args, unsigned n)
{
    uint16_t all = recv.taint;
    for (unsigned i = 0; i < n; i++)
        all |= args[i].taint;
    return all;
}

static struct tv folded(struct typed *t, const char *text, uint16_t taint)
{
    struct tv v = tv_text(t, text, strlen(text));
    v.taint = taint;
    return v;
}

/* --- commands: collected over chains and statements, told at the end with all their arguments --- */

static void command_add(struct typed *t, struct typed_command *c, struct tv v)
{
    if (v.kind == TV_LIST) {
        uint32_t at = v.head;
        c->is_dynamic |= v.is_partial;
        for (uint32_t i = 0; i < v.count && i < FACT_MAX_ARGS; i++, at = t->pool[at].next)
            if (c->arg_count < FACT_MAX_ARGS)
                c->args[c->arg_count++] = t->pool[at].value;
        return;
    }
    if (c->arg_count < FACT_MAX_ARGS)
        c->args[c->arg_count++] = v;
}

static void judge_argument(struct typed *t, struct tv v, uint32_t byte)
{
    if (v.taint & TAINT_NET)
        typed_flow(t, "download-then-exec", byte);
    if (v.taint & TAINT_DECODED)
        typed_flow(t, "decode-then-exec", byte);
}

/* exec.Command("sh", "-c", TEXT), Command::new("python3").arg("x.py") */
static void look_into_command(struct typed *t, const struct typed_command *c)
{
    struct embedded_word words[FACT_MAX_ARGS];
    unsigned count = 0;
    for (; count < c->arg_count; count++)
        words[count] = c->args[count].kind == TV_TEXT
                           ? (struct embedded_word){ c->args[count].text, strlen(c->args[count].text) }
                           : (struct embedded_word){ 0 };
    embedded_command(t->c, words, count, c->input, c->input ? strlen(c->input) : 0, c->byte);
}

static struct tv command_begin(struct typed *t, const char *name, const char *type, const struct tv *args, unsigned n,
                               uint32_t byte)
{
    uint16_t taint = taints(tv_unknown(0), args, n);
    struct tv v = tv_object(type ? type : name, (uint16_t)(taint & TAINT_SELF));
    see(t, SEEN_SPAWN, &t->spawn_byte, byte);
    if (n > 0 && args[0].kind == TV_UNKNOWN)
        typed_flow(t, "computed-command", byte);
    for (unsigned i = 0; i < n; i++)
        judge_argument(t, args[i], byte);
    if (t->loop) {
        bool is_shell = n > 0 && args[0].kind == TV_TEXT &&
                        (str_eq(args[0].text, "sh") || str_eq(args[0].text, "bash"));
        t->loop->has_spawn = true;
        t->loop->has_asked |= n > 0 && (args[0].kind == TV_UNKNOWN ||
                                        (is_shell && (args[n - 1].kind != TV_TEXT || !*args[n - 1].text)) ||
                                        (is_shell && n == 1));
        t->loop->has_fork |= (taint & TAINT_SELF) != 0;
    }
    if (t->command_count >= TYPED_COMMANDS) {
        typed_emit(t, FACT_CALL, name, args, n, byte);
        return v;
    }
    struct typed_command *c = &t->commands[t->command_count++];
    *c = (struct typed_command){ .callee = name, .byte = byte };
    for (unsigned i = 0; i < n; i++)
        command_add(t, c, args[i]);
    v.head = t->command_count;
    return v;
}

void typed_input(struct typed *t, const struct tv *args, unsigned n)
{
    for (unsigned i = 0; i < n && t->command_count > 0; i++)
        if (args[i].kind == TV_TEXT && args[i].text && args[i].text[0] && args[i].text[1])
            t->commands[t->command_count - 1].input = args[i].text;
}

static void command_more(struct typed *t, struct tv recv, const struct tv *args, unsigned n, uint32_t byte)
{
    for (unsigned i = 0; i < n; i++) {
        judge_argument(t, args[i], byte);
        if (recv.kind == TV_OBJECT && recv.head > 0 && recv.head <= t->command_count)
            command_add(t, &t->commands[recv.head - 1], args[i]);
    }
}

/* --- files --- */

static struct tv read_file(struct typed *t, struct tv path, uint16_t taint, const char *type, uint32_t byte)
{
    if (path.kind == TV_TEXT && typed_is_secret_path(path.text)) {
        taint |= TAINT_SECRET;
        see(t, SEEN_SECRET, &t->secret_byte, byte);
    }
    return type ? tv_object(type, taint) : tv_unknown(taint);
}

static void write_file(struct typed *t, struct tv recv, const struct tv *args, unsigned n, uint32_t byte)
{
    if (!t->is_quiet && n >= 2 && args[0].kind == TV_TEXT) /* WriteFile(path, text, ...), fs::write(path, text) */
        embedded_file(t->c, args[0].text, strlen(args[0].text), args[1].kind == TV_TEXT ? args[1].text : NULL,
                      args[1].kind == TV_TEXT ? strlen(args[1].text) : 0, byte, false);
    else if (!t->is_quiet && n == 1 && args[0].kind == TV_TEXT && recv.kind != TV_OBJECT) /* os.Create(path) */
        t->opened = args[0].text;
    else if (!t->is_quiet && n == 1 && args[0].kind == TV_TEXT && t->opened) /* f.WriteString(text) */
        embedded_file(t->c, t->opened, strlen(t->opened), args[0].text, strlen(args[0].text), byte, true);
    if (taints(recv, args, n) & TAINT_NET)
        see(t, SEEN_FETCHED_FILE, NULL, byte);
    if (n > 0 && (args[0].taint & TAINT_WALK))
        see(t, SEEN_OVERWRITE, NULL, byte);
    if (t->loop)
        t->loop->has_write = true;
}

static void remove_path(struct typed *t, struct tv path, bool is_tree, uint32_t byte)
{
    if (path.taint & TAINT_TEMP)
        return;
    if (is_tree && (path.kind == TV_UNKNOWN || (path.kind == TV_TEXT && str_starts(path.text, "{}"))))
        typed_flow(t, "remove-tree-computed", byte);
    if (path.taint & TAINT_WALK)
        see(t, SEEN_REMOVE, NULL, byte);
}

static void chmod_path(struct typed *t, const struct tv *args, unsigned n, uint32_t byte)
{
    for (unsigned i = 0; i < n; i++) {
        if (args[i].kind != TV_NUMBER)
            continue;
        if (args[i].number & 06000)
            typed_flow(t, "setuid-bit", byte);
        if (args[i].number & 0111)
            see(t, SEEN_EXECUTABLE, NULL, byte);
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

static struct tv get_env(struct typed *t, struct tv name, uint32_t byte)
{
    if (name.kind != TV_TEXT)
        return tv_unknown(0);
    if (str_eq(name.text, "HOME") || str_eq(name.text, "USERPROFILE"))
        return folded(t, "~", 0);
    if (str_eq(name.text, "TMPDIR"))
        return folded(t, "/tmp", 0);
    if (!typed_is_secret_name(name.text))
        return tv_unknown(0);
    if (is_foreign(name.text))
        see(t, SEEN_SECRET, &t->secret_byte, byte);
    return tv_unknown(TAINT_SECRET);
}

static void send_out(struct typed *t, struct tv recv, const struct tv *args, unsigned n, uint32_t byte)
{
    see(t, SEEN_SEND | SEEN_FETCH, &t->send_byte, byte);
    if (taints(recv, args, n) & TAINT_SECRET)
        typed_flow(t, "secret-then-send", byte);
    if (taints(recv, args, n) & TAINT_PIPE)
        typed_flow(t, "socket-to-process", byte);
}

static void loop_mark(struct typed *t, enum effect e)
{
    struct typed_loop *l = t->loop;
    if (!l)
        return;
    l->has_wait |= e == EF_WAIT || e == EF_ACCEPT || e == EF_RECEIVE || e == EF_SEND || e == EF_READ || e == EF_CONNECT;
    l->has_exit |= e == EF_EXIT;
    l->has_thread |= e == EF_THREAD;
    l->has_fork |= e == EF_FORK;
    l->has_spawn |= e == EF_SPAWN;
    l->has_alloc |= e == EF_ALLOC;
    l->has_write |= e == EF_WRITE;
}

static struct tv result_of(const struct known *k, uint16_t taint)
{
    return k && k->returns ? tv_object(k->returns, taint) : tv_unknown(taint);
}

static struct tv expanded(struct typed *t, struct tv v)
{
    static const char *const forms[] = { "${HOME}", "$HOME" };
    struct tv home = folded(t, "~", 0);
    for (size_t i = 0; i < ARRAY_LEN(forms) && v.kind == TV_TEXT; i++)
        if (strstr(v.text, forms[i]))
            v = tv_replace(t, v, folded(t, forms[i], 0), home);
    return v;
}

/* Everything that gives text. */
static struct tv fold(struct typed *t, enum effect e, struct tv recv, struct tv *args, unsigned n, bool *ret_done)
{
    struct tv first = recv.kind != TV_UNKNOWN ? recv : n > 0 ? args[0] : recv;
    struct tv none = tv_unknown(0);
    *ret_done = true;
    switch (e) {
    case EF_HOME:
        return folded(t, "~", 0);
    case EF_TEMP:
        return folded(t, "/tmp", 0);
    case EF_MKTEMP:
        return folded(t, "/tmp/{}", TAINT_TEMP);
    case EF_SELF:
        return folded(t, "/proc/self/exe", TAINT_SELF);
    case EF_CONFIG:
        return folded(t, "~/.config", 0);
    case EF_EXPAND:
        return expanded(t, first);
    case EF_FIELDS:
        return tv_fields(t, first);
    case EF_CWD:
        return folded(t, ".", 0);
    case EF_PASS:
        return first;
    case EF_BRACES:
        return tv_braces(t, args, n);
    case EF_SPRINTF:
        return tv_sprintf(t, args, n);
    case EF_BASE64:
        return tv_base64(t, n > 0 ? args[0] : first);
    case EF_HEX:
        return tv_hex(t, n > 0 ? args[0] : first);
    case EF_DECODE:
        return tv_unknown(taints(recv, args, n) | TAINT_DECODED);
    case EF_BYTES:
        return tv_from_bytes(t, first);
    case EF_EMPTY:
        return folded(t, "", 0);
    case EF_LIST:
        return tv_list();
    case EF_LOWER:
        return tv_lower(t, first);
    case EF_REVERSE:
        return tv_reverse(t, first);
    case EF_REPLACE:
        if (recv.kind != TV_UNKNOWN)
            return n >= 2 ? tv_replace(t, recv, args[0], args[1]) : none;
        return n >= 3 ? tv_replace(t, args[0], args[1], args[2]) : none;
    case EF_JOIN:
        if (recv.kind == TV_LIST)
            return n > 0 ? tv_join_list(t, recv, args[0]) : tv_from_bytes(t, recv);
        return n >= 2 ? tv_join_list(t, args[0], args[1]) : tv_unknown(taints(recv, args, n));
    case EF_PATH_JOIN:
    case EF_CONCAT:
        first = recv.kind != TV_UNKNOWN || n == 0 ? recv : args[0];
        for (unsigned i = recv.kind == TV_UNKNOWN; i < n; i++)
            first = e == EF_CONCAT ? tv_concat(t, first, args[i]) : tv_join_path(t, first, args[i]);
        return first;
    default:
        *ret_done = false;
        return none;
    }
}

/* io.Copy(conn, output), io.Copy(input, conn): a shell over a socket; io.Copy(conn, file): a file leaves. */
static struct tv act_copy(struct typed *t, const struct tv *args, unsigned n, uint32_t byte)
{
    struct tv to = args[0], from = n > 1 ? args[1] : tv_unknown(0);
    if (((to.taint & TAINT_SOCKET) && (from.taint & TAINT_PIPE)) ||
        ((to.taint & TAINT_PIPE) && (from.taint & TAINT_SOCKET)))
        typed_flow(t, "socket-to-process", byte);
    if ((to.taint & TAINT_SOCKET) && (from.taint & TAINT_SECRET))
        typed_flow(t, "secret-then-send", byte);
    return tv_unknown(0);
}

static struct tv act(struct typed *t, const struct known *k, const char *name, struct tv recv, struct tv *args,
                     unsigned n, uint32_t byte)
{
    enum effect e = k ? (enum effect)k->effects[0] : EF_NONE;
    uint16_t all = taints(recv, args, n);
    struct tv none = tv_unknown(0), first = n > 0 ? args[0] : none;
    switch (e) {
    case EF_COMMAND:
        return command_begin(t, name, k->returns, args, n, byte);
    case EF_COMMAND_CTX:
        return command_begin(t, name, k->returns, args + (n > 0), n - (n > 0), byte);
    case EF_COMMAND_ARG:
        command_more(t, recv, args, n, byte);
        return recv;
    case EF_COMMAND_IO:
        if (all & TAINT_SOCKET)
            typed_flow(t, "socket-to-process", byte);
        typed_input(t, args, n);
        return recv;
    case EF_COMMAND_RUN:
        return tv_unknown(TAINT_PIPE);
    case EF_PIPE:
        return tv_unknown(TAINT_PIPE);
    case EF_COPY_INTO:
        if (n >= 2) {
            struct tv turned[] = { args[1], args[0] };
            return act_copy(t, turned, 2, byte);
        }
        return none;
    case EF_COPY:
        if ((first.taint & TAINT_SOCKET) || (first.taint & TAINT_PIPE))
            return act_copy(t, args, n, byte);
        if (all & TAINT_NET)
            see(t, SEEN_FETCHED_FILE, NULL, byte);
        return none;
    case EF_SPAWN:
        see(t, SEEN_SPAWN, &t->spawn_byte, byte);
        for (unsigned i = 0; i < n; i++)
            judge_argument(t, args[i], byte);
        if (t->loop && (all & TAINT_SELF))
            t->loop->has_fork = true;
        return result_of(k, 0);
    case EF_DUP:
        if ((all & TAINT_SOCKET) || (t->seen & SEEN_SOCKET))
            typed_flow(t, "socket-to-process", byte);
        return result_of(k, all);
    case EF_CONNECT:
        see(t, SEEN_SEND | SEEN_SOCKET, &t->send_byte, byte);
        return result_of(k, TAINT_SOCKET | TAINT_NET | (all & TAINT_SECRET));
    case EF_ACCEPT:
        see(t, SEEN_SEND | SEEN_SOCKET, &t->send_byte, byte);
        return result_of(k, TAINT_SOCKET | TAINT_NET);
    case EF_SEND:
        send_out(t, recv, args, n, byte);
        return result_of(k, TAINT_NET);
    case EF_RECEIVE:
        return result_of(k, all | TAINT_NET);
    case EF_ENV:
        return get_env(t, first, byte);
    case EF_ENVIRON:
        see(t, SEEN_SECRET, &t->secret_byte, byte);
        return result_of(k, TAINT_SECRET);
    case EF_READ:
        return read_file(t, first, all, k->returns, byte);
    case EF_WRITE:
        write_file(t, recv, args, n, byte);
        return result_of(k, all & (TAINT_WALK | TAINT_TEMP));
    case EF_REMOVE:
    case EF_REMOVE_TREE:
        remove_path(t, first, e == EF_REMOVE_TREE, byte);
        return none;
    case EF_WALK:
        see(t, SEEN_WALK, &t->walk_byte, byte);
        return result_of(k, TAINT_WALK);
    case EF_CHMOD:
        chmod_path(t, args, n, byte);
        return result_of(k, all);
    case EF_CRYPT:
        see(t, SEEN_CRYPT, NULL, byte);
        return result_of(k, all | TAINT_DECODED);
    default:
        return result_of(k, all);
    }
}

struct tv typed_call(struct typed *t, const char *name, struct tv recv, struct tv *args, unsigned n, uint32_t byte)
{
    const struct known *k = typed_known(t, name);
    enum effect e = k ? (enum effect)k->effects[0] : EF_NONE;
    bool is_done;
    if (e != EF_COMMAND && e != EF_COMMAND_CTX) /* these are told at the end */
        typed_emit(t, FACT_CALL, name, args, n, byte);
    loop_mark(t, e);
    if (taints(recv, args, n) & TAINT_PIPE)
        typed_input(t, args, n);
    struct tv v = fold(t, e, recv, args, n, &is_done);
    if (is_done && v.kind == TV_TEXT && (v.taint & TAINT_DECODED))
        typed_string(t, v, byte);
    return is_done ? v : act(t, k, name, recv, args, n, byte);
}

void typed_loop_end(struct typed *t, const struct typed_loop *l, uint32_t byte)
{
    if (l->has_fork)
        typed_flow(t, "self-spawn-loop", byte);
    if (!l->is_endless || l->has_exit)
        return;
    if (l->has_wait && l->has_asked && t->seen & (SEEN_FETCH | SEEN_SEND))
        typed_flow(t, "poll-loop", byte);
    if (l->has_wait)
        return;
    if (l->has_spawn)
        typed_flow(t, "spawn-loop", byte);
    if (l->has_thread)
        typed_flow(t, "thread-loop", byte);
    else if (l->has_alloc)
        typed_flow(t, "endless-alloc", byte);
    else if (l->has_write)
        typed_flow(t, "endless-write", byte);
    else if (!l->has_call)
        typed_flow(t, "endless-busy", byte);
}

void typed_finish(struct typed *t)
{
    for (uint32_t i = 0; i < t->command_count; i++) {
        const struct typed_command *c = &t->commands[i];
        typed_emit(t, FACT_CALL, c->callee, c->args, c->arg_count, c->byte);
        look_into_command(t, c);
    }
    uint32_t s = t->seen;
    if ((s & SEEN_SECRET) && (s & SEEN_SEND))
        typed_flow(t, "secret-then-send", t->send_byte);
    if ((s & SEEN_FETCH) && (s & SEEN_SPAWN) && (s & (SEEN_FETCHED_FILE | SEEN_EXECUTABLE)))
        typed_flow(t, "download-then-exec", t->spawn_byte);
    if ((s & SEEN_WALK) && (s & SEEN_REMOVE))
        typed_flow(t, "walk-then-remove", t->walk_byte);
    if ((s & SEEN_WALK) && (s & SEEN_OVERWRITE) && (s & SEEN_CRYPT))
        typed_flow(t, "walk-then-write", t->walk_byte);
}
