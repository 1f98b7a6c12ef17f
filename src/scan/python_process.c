/* Processes, and code that is made at run time. */
#include "scan/embedded.h"
#include "scan/pickle.h"
#include "scan/python.h"

/* A server that runs what it is asked to. An argument of a known program is none. */
static void run_of_request(struct py *p, uint32_t node, uint32_t taint, const char *text)
{
    static const char *const shells[] = { "{}", "sh -c {}", "bash -c {}", "/bin/sh -c {}", "/bin/bash -c {}", NULL };
    if (taint & T_REQUEST && (!text || str_is_one_of(text, shells)))
        py_flow(p, node, "request-then-exec", text, NULL);
}

static void run_of_code(struct py *p, uint32_t node, uint32_t taint, const char *text)
{
    for (unsigned i = 0; text && i < p->fetched_count; i++)
        if (strlen(p->fetched[i]) > 2 && strstr(text, p->fetched[i]))
            taint |= T_NET;
    if (taint & T_NET)
        py_flow(p, node, "download-then-exec", text, NULL);
    else if (taint & T_DECODED)
        py_flow(p, node, "decode-then-exec", text, NULL);
    else if (taint & T_INPUT)
        py_flow(p, node, "input-then-exec", text, NULL);
}

/* git commit -m TEXT, logger TEXT: what they are given is told, not run. */
static bool is_telling(struct tv list)
{
    static const char *const tellers[] = { "gh", "glab", "logger", "notify-send", "echo", "printf", "say", NULL };
    static const char *const notes[] = { "commit", "tag", "notes", "stash", NULL };
    if (list.kind != TV_LIST || list.list->count < 2 || !py_is_str(list.list->items[0]))
        return false;
    char name[16] = "", what[16] = "";
    struct tv first = list.list->items[0], second = list.list->items[1];
    if (first.size < sizeof name)
        memcpy(name, first.text, first.size);
    if (py_is_str(second) && second.size < sizeof what)
        memcpy(what, second.text, second.size);
    return str_is_one_of(name, tellers) || (str_eq(name, "git") && str_is_one_of(what, notes));
}

/* A word by which a program is told what to run: the program's own name, and the text behind -c. */
static bool is_program_word(struct tv list, uint32_t i)
{
    struct tv before = i ? list.list->items[i - 1] : list;
    return i == 0 || (before.kind == TV_TEXT && before.size > 1 && before.size < 6 && before.text[0] == '-' &&
                      memchr("cerS", before.text[before.size - 1], 4));
}

/* ["sh", "-c", "..."] and "sh -c ..." are the same command. */
static const char *command_text(struct py *p, const struct py_call *c, enum effect how)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    unsigned to = how == EF_SPAWN ? 1 : how == EF_SPAWN_LIST ? 2 : c->count;
    if (how == EF_SPAWN && !(c->count && !c->keys[0])) {
        const struct tv *v = py_arg(c, -1, "args");
        return py_show(p, v->kind == TV_UNKNOWN ? *py_arg(c, -1, "cmd") : *v);
    }
    if (how == EF_SPAWN && is_telling(c->args[0]))
        return py_show(p, c->args[0].list->items[0]);
    bool is_program = how == EF_SPAWN_WORDS && c->name && (str_starts(c->name, "asyncio.") || strstr(c->name, "spawn"));
    /* os.execl(path, arg0, ...): arg0 is the program's own name once more */
    for (unsigned i = 0; i < to && i < c->count; i++) {
        if (c->keys[i] || (how == EF_SPAWN_WORDS && !is_program && i == 1 && c->count > 2))
            continue;
        const char *s = py_show(p, c->args[i]);
        if (o.size)
            fold_addc(&o, ' ');
        fold_add(&o, s ? s : "{}", s ? strlen(s) : 2);
    }
    return fold_end(&o, &t) ? t.data : NULL;
}

static void add_word(struct py *p, struct embedded_word *words, unsigned *count, struct tv v)
{
    if (*count == EMBEDDED_MAX_WORDS)
        return;
    struct embedded_word w = { 0 };
    if (v.kind == TV_TEXT)
        w = (struct embedded_word){ v.text, v.size };
    else if (v.kind == TV_PATH && v.name && str_eq(v.name, "sys.executable"))
        w = (struct embedded_word){ "python3", 7 };
    else if ((w.text = py_show(p, v)))
        w.size = strlen(w.text);
    words[(*count)++] = w;
}

static void add_words(struct py *p, struct embedded_word *words, unsigned *count, struct tv v)
{
    for (uint32_t i = 0; v.kind == TV_LIST && i < v.list->count; i++)
        add_word(p, words, count, v.list->items[i]);
}

/* The program that a command is given: sh -c TEXT, python3 FILE, what is written to its input. */
static void look_inside(struct py *p, const struct py_call *c, enum effect how)
{
    struct embedded_word words[EMBEDDED_MAX_WORDS];
    unsigned count = 0;
    struct tv first = *py_arg(c, 0, "args"), input = *py_arg(c, -1, "input");
    uint32_t byte = py_at(p, c->node)->start;
    if (first.kind == TV_UNKNOWN)
        first = *py_arg(c, -1, "cmd");
    if (how == EF_SPAWN && first.kind == TV_TEXT) {
        embedded_add(p->e->c, LANG_BASH, "shell command", first.text, first.size, byte);
        return;
    }
    if (how == EF_SPAWN) {
        add_words(p, words, &count, first);
    } else if (how == EF_SPAWN_LIST) {
        add_word(p, words, &count, first);
        struct tv rest = *py_arg(c, 1, "args");
        for (uint32_t i = 1; rest.kind == TV_LIST && i < rest.list->count; i++)
            add_word(p, words, &count, rest.list->items[i]);
    } else {
        bool is_program = c->name && (str_starts(c->name, "asyncio.") || strstr(c->name, "spawn"));
        for (unsigned i = 0; i < c->positional; i++)
            if (is_program || i != 1 || c->positional < 3)
                add_word(p, words, &count, *py_arg(c, (int)i, NULL));
    }
    embedded_command(p->e->c, words, count, input.kind == TV_TEXT ? input.text : NULL, input.size, byte);
}

/* The command itself comes from a request, and not its standard input or one of its words. */
static bool asked_whole(const struct py_call *c)
{
    const struct tv *first = c->count ? &c->args[0] : NULL;
    if (!first || (first->kind == TV_LIST && first->list->count == 0))
        return false;
    if (first->kind == TV_LIST)
        return (first->list->items[0].taint | first->list->items[first->list->count - 1].taint) & T_REQUEST;
    return first->taint & T_REQUEST;
}

static struct tv command(struct py *p, struct py_call *c, enum effect how)
{
    const char *text = command_text(p, c, how);
    uint32_t taint = 0, stdio = 0;
    bool is_myself = false;
    for (unsigned i = 0; i < c->count; i++) {
        bool is_stdio = c->keys[i] &&
                        (str_eq(c->keys[i], "stdin") || str_eq(c->keys[i], "stdout") || str_eq(c->keys[i], "stderr"));
        if (is_stdio)
            stdio |= c->args[i].taint |
                     (c->args[i].kind == TV_OBJECT && c->args[i].name && str_starts(c->args[i].name, "socket.")
                          ? T_SOCKET
                          : 0);
        else if (!c->keys[i] || str_eq(c->keys[i], "args") || str_eq(c->keys[i], "input") || str_eq(c->keys[i], "cmd"))
            taint |= c->args[i].taint & (c->args[i].kind == TV_LIST ? ~(uint32_t)T_NET : ~0u);
        const struct tv *v = &c->args[i];
        is_myself |= v->taint & T_MYSELF;
        for (uint32_t k = 0; v->kind == TV_LIST && k < v->list->count; k++) {
            taint |= v->list->items[k].taint & T_ORIGIN & (is_program_word(*v, k) ? ~0u : ~(uint32_t)T_NET);
            is_myself |= v->list->items[k].taint & T_MYSELF;
        }
    }
    py_fact_call(p, c);
    py_flow(p, c->node, "command", text, NULL);
    look_inside(p, c, how);
    if (stdio & T_SOCKET)
        py_flow(p, c->node, "socket-dup2", text, NULL);
    if (p->endless && (is_myself || (text && strstr(text, "python3 {}"))))
        py_flow(p, c->node, "fork-loop", text, NULL);
    else if (is_myself && p->loops)
        py_flow(p, c->node, "fork-loop", text, NULL);
    run_of_code(p, c->node, taint & ~(uint32_t)T_INPUT, text);
    run_of_request(p, c->node, asked_whole(c) ? taint : 0, text);
    if (text && c->name && py_is_process(c->name)) /* what is written to it later goes there */
        return py_thing(c->name, fold_of(text), taint & T_ORIGIN);
    return py_object(c->name, taint & T_ORIGIN);
}

/* p.communicate(TEXT), p.stdin.write(TEXT): the command reads it. */
static void feeds(struct py *p, const struct py_call *c)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    struct tv input = *py_arg(c, 0, "input");
    if (!c->callee.text || input.kind != TV_TEXT)
        return;
    fold_add(&o, c->callee.text, c->callee.size);
    fold_add(&o, " <<'END_OF_INPUT'\n", 18);
    fold_add(&o, input.text, input.size);
    fold_add(&o, "\nEND_OF_INPUT\n", 14);
    if (fold_end(&o, &t))
        embedded_add(p->e->c, LANG_BASH, "input", t.data, t.size, py_at(p, c->node)->start);
}

/* Does the running function call itself? */
static bool is_recursive(struct py *p)
{
    int32_t f = p->scopes[p->scope].function;
    if (f < 0 || !p->functions[f].name)
        return false;
    uint32_t node = p->functions[f].node, n = py_nodes_in(p, node);
    const char *name = p->functions[f].name;
    for (uint32_t i = node; i < node + n; i++)
        if (py_at(p, i)->op == IR_CALL && py_text_is(p, ir_part(p->e, i, ROLE_OF), name))
            return true;
    return false;
}

static void forks(struct py *p, struct py_call *c)
{
    if (p->endless || p->vague || is_recursive(p))
        py_flow(p, c->node, "fork-loop", NULL, NULL);
}

static void kills(struct py *p, struct py_call *c)
{
    struct tv pid = *py_arg(c, 0, NULL), sig = *py_arg(c, 1, NULL);
    if (sig.kind == TV_NUMBER && sig.number == 0) {
        py_flow(p, c->node, "process-probe", NULL, NULL);
        return;
    }
    if (pid.taint & T_SELF && pid.kind == TV_UNKNOWN)
        return;
    const char *who = py_show(p, pid);
    py_flow(p, c->node, "kill-other", who ? who : "", py_show(p, sig));
}

/* %%bash, !command and their like, as a notebook's export has them. */
static void cell(struct py *p, const struct py_call *c)
{
    static const char *const shells[] = { "bash", "sh", "script", "system", "sx", "!", NULL };
    struct tv magic = *py_arg(c, 0, NULL), text = *py_arg(c, (int)c->positional - 1, NULL);
    const char *name = py_show(p, magic);
    if (!name || text.kind != TV_TEXT || c->positional < 2)
        return;
    if (str_is_one_of(name, shells))
        embedded_add(p->e->c, LANG_BASH, "cell", text.text, text.size, py_at(p, c->node)->start);
    if (str_starts(name, "python"))
        embedded_add(p->e->c, LANG_PYTHON, "cell", text.text, text.size, py_at(p, c->node)->start);
}

struct tv py_do_process(struct py *p, struct py_call *c, enum effect how)
{
    switch (how) {
    case EF_CELL:
        py_fact_call(p, c);
        cell(p, c);
        return tv_unknown(0);
    case EF_SPAWN:
    case EF_SPAWN_WORDS:
    case EF_SPAWN_LIST:
        return command(p, c, how);
    case EF_FEED:
        py_fact_call(p, c);
        feeds(p, c);
        return tv_unknown(c->callee.taint & T_ORIGIN);
    case EF_SCRIPT: /* what script.c writes for system() of perl and its kin */
        look_inside(p, c, EF_SPAWN);
        run_of_code(p, c->node, c->taint & ~(uint32_t)T_INPUT, command_text(p, c, EF_SPAWN));
        return tv_unknown(c->taint & T_ORIGIN);
    case EF_FORK:
        py_fact_call(p, c);
        forks(p, c);
        return tv_unknown(T_SELF);
    case EF_OWN_PID:
        return tv_unknown(T_SELF);
    case EF_PARENT_PID:
        return tv_unknown(T_PID);
    case EF_KILL:
        py_fact_call(p, c);
        kills(p, c);
        return tv_unknown(0);
    case EF_DUP:
        py_fact_call(p, c);
        if (py_arg(c, 0, NULL)->taint & T_SOCKET)
            py_flow(p, c->node, "socket-dup2", NULL, NULL);
        return tv_unknown(py_arg(c, 0, NULL)->taint & T_SOCKET);
    default:
        return tv_unknown(0);
    }
}

/* What loading a constant calls. */
static void look_into_data(struct py *p, const struct py_call *c)
{
    struct tv a = *py_arg(c, 0, NULL);
    struct fold_text t = py_text(a), made = { 0 };
    if (a.kind != TV_TEXT || !c->name)
        return;
    if (str_starts(c->name, "marshal")) {
        embedded_unread(p->e->c, LANG_PYTHON, py_at(p, c->node)->start);
        return;
    }
    bool is_yaml = str_starts(c->name, "yaml") || str_starts(c->name, "ruamel");
    (void)(is_yaml ? yaml_as_python(&p->mem, t, &made) : pickle_as_python(&p->mem, t, &made));
    if (made.size)
        embedded_add(p->e->c, LANG_PYTHON, is_yaml ? "YAML" : "pickle", made.data, made.size, py_at(p, c->node)->start);
}

struct tv py_do_code(struct py *p, struct py_call *c, enum effect how)
{
    struct tv a = *py_arg(c, 0, NULL);
    const char *text = a.kind == TV_TEXT ? py_show(p, a) : NULL;
    uint32_t taint = a.taint & (T_ORIGIN | T_HARDLY);
    if (how == EF_YAML) {
        const char *loader = py_show(p, *py_arg(c, 1, "Loader"));
        py_fact_call(p, c);
        if (!loader || !strstr(loader, "Safe"))
            look_into_data(p, c);
        return tv_unknown(c->taint & T_ORIGIN);
    }
    if (how == EF_UNPICKLE) {
        py_fact_call(p, c);
        look_into_data(p, c);
        if (c->taint & (T_DECODED | T_NET | T_INPUT) && !(c->taint & T_OWN))
            py_flow(p, c->node, "unsafe-unpickle", c->name, NULL);
        return tv_unknown((c->taint & T_ORIGIN) | (str_starts(c->name, "marshal") ? T_DECODED : 0));
    }
    py_fact_call(p, c);
    if (a.kind == TV_TEXT)
        embedded_add(p->e->c, LANG_PYTHON, c->name && str_eq(c->name, "eval") ? "eval text" : "exec text", a.text,
                     a.size, py_at(p, c->node)->start);
    if (how == EF_EVAL && a.kind == TV_UNKNOWN)
        embedded_unread(p->e->c, LANG_PYTHON, py_at(p, c->node)->start);
    if (how == EF_FUNCTION) { /* types.FunctionType(code, globals): what it makes is called later */
        run_of_code(p, c->node, taint, NULL);
        return tv_unknown(taint & T_ORIGIN);
    }
    if (how == EF_EVAL || taint & (T_NET | T_DECODED))
        run_of_code(p, c->node, taint, text);
    if (how == EF_EVAL)
        run_of_request(p, c->node, taint, NULL);
    if (how == EF_COMPILE && text) /* what exec() gets of it was looked at */
        return py_object("code", taint & T_ORIGIN);
    if (a.kind == TV_TEXT && a.size && a.size < 32 && c->name && str_eq(c->name, "eval")) { /* eval("exec") is exec */
        uint32_t n = 0;
        while (n < a.size && (a.text[n] == '_' || ((a.text[n] | 0x20) >= 'a' && (a.text[n] | 0x20) <= 'z')))
            n++;
        const char *id = n == a.size ? py_intern(p, a.text, a.size) : NULL;
        struct tv named = id ? py_lookup(p, id) : tv_unknown(0);
        if (named.kind != TV_UNKNOWN) {
            named.taint |= T_COMPUTED;
            return named;
        }
    }
    return tv_unknown(taint & T_ORIGIN);
}
