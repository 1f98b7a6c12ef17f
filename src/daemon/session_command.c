#include "daemon/session_command.h"

#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "base/io.h"
#include "base/json.h"
#include "base/parse.h"
#include "run/result.h"

#define START_PATIENCE_MS 0u /* it may wait in the service's queue */

static const char help[] =
    "usage: sandbox-agent session start [--risk-level LEVEL] [--agent-id ID] [--ttl TIME] [--env NAME=VALUE]...\n"
    "             [--metadata NAME=VALUE]... [--from SNAPSHOT] [--packages NAME] [--json]\n"
    "       sandbox-agent session list [--state STATE] [--metadata NAME=VALUE]... [--json]\n"
    "       sandbox-agent session exec [options] ID -- COMMAND [ARG]...\n"
    "       sandbox-agent session exec [options] ID -c CODE --language LANGUAGE [-- ARG...]\n"
    "       sandbox-agent session shell [options] ID [-- COMMAND [ARG]...]\n"
    "       sandbox-agent session cp FILE|DIR ID:PATH, or ID:PATH FILE|DIR\n"
    "       sandbox-agent session snapshot ID\n"
    "       sandbox-agent session snapshots list [--json] | snapshots remove SNAPSHOT...\n"
    "       sandbox-agent session checkpoint ID [CONTEXT]\n"
    "       sandbox-agent session undo ID [CONTEXT] [CHECKPOINT]\n"
    "       sandbox-agent session pause ID... | resume ID... | end ID...\n\n"
    "A sandbox of the service that stays for many jobs (docs/sessions.md). start prints its id. exec runs a job in "
    "it:\n"
    "its output comes as it is written, standard input is passed on when it is no terminal (all of it, before the job\n"
    "begins), ^C ends the job. shell runs bash, or COMMAND, on a terminal of its own, which this one becomes. pause "
    "lets\n"
    "all its processes stand still until resume. snapshot keeps its workspace and prints the snapshot's id; start "
    "--from\n"
    "begins with it. snapshots lists those of the key, and removes them. checkpoint keeps the workspace as it is, "
    "with\n"
    "CONTEXT also the variables of that context of Python, and prints its id; undo goes back to it, or to the last "
    "one.\n"
    "  --ttl TIME        how long it lives: seconds, or such as 10m\n"
    "  --timeout TIME, --cwd DIR, --env NAME=VALUE    of the job\n"
    "cp copies a file, or a directory with all that is in it. PATH is below /workspace; with a / at its end it is the\n"
    "directory that the file is put into. A directory that is there already is added to.\n"
    "  --url URL         of the service: http://HOST:PORT, https://HOST, unix:///PATH; also SANDBOX_AGENT_URL. "
    "Without:\n"
    "                    http://127.0.0.1:8080\n"
    "  --key-file FILE   a key of the service; also SANDBOX_AGENT_API_KEY (the key itself)\n"
    "  --ca FILE         certificates that a https URL is checked with; also SANDBOX_AGENT_CA_FILE\n"
    "exit: of exec that of the job, as of run; else 0 done, 2 usage, 123 refused by policy, 125 the service did not do "
    "it\n";

/* --- words ---------------------------------------------------------------------------------------- */

enum verb {
    VERB_START,
    VERB_LIST,
    VERB_EXEC,
    VERB_SHELL,
    VERB_COPY,
    VERB_SNAPSHOT,
    VERB_SNAPSHOTS,
    VERB_CHECKPOINT,
    VERB_UNDO,
    VERB_PAUSE,
    VERB_RESUME,
    VERB_END,
    VERBS
};
static const char *const verb_names[VERBS] = { "start",     "list",       "exec", "shell", "cp",     "snapshot",
                                               "snapshots", "checkpoint", "undo", "pause", "resume", "end" };

#define ON(v) (1u << (v))
#define ALL   (ON(VERBS) - 1)
#define JOB   (ON(VERB_EXEC) | ON(VERB_SHELL))
#define EACH  (ON(VERB_PAUSE) | ON(VERB_RESUME) | ON(VERB_END)) /* done to each ID */
#define MANY  (EACH | ON(VERB_SNAPSHOTS))

static int wrong(struct error *err, const char *verb, const char *what, const char *word)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: %s", what, word);
    return err_remedy(err, "see sandbox-agent session %s --help", verb);
}

struct option {
    const char *name;
    const char **text;    /* one of these takes the value */
    struct strlist *list; /* NAME=VALUE, many times */
    unsigned verbs;       /* ON() of those that have it */
};

static int take_value(const struct option *o, const char *value, struct error *err)
{
    if (o->text) {
        *o->text = value;
        return 0;
    }
    if (!strchr(value, '=') || value[0] == '=')
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s %s: expected is NAME=VALUE", o->name, value);
    const int e = strlist_add(o->list, value);
    return e < 0 ? err_set(err, e, BLAME_CALLER, NULL, "%s: all together are longer than %u bytes", o->name,
                           STRLIST_MAX_BYTES)
                 : 0;
}

static const struct option *find_option(const struct option *table, size_t count, const char *word, enum verb v)
{
    const size_t n = strcspn(word, "=");
    for (size_t i = 0; i < count; i++)
        if (strlen(table[i].name) == n && strncmp(table[i].name, word, n) == 0 && table[i].verbs & ON(v))
            return &table[i];
    return NULL;
}

static int read_place(struct session_command *s, enum verb v, const char *word, struct error *err)
{
    static const unsigned most[VERBS] = {
        [VERB_EXEC] = 1, [VERB_SHELL] = 1, [VERB_COPY] = 2, [VERB_SNAPSHOT] = 1, [VERB_CHECKPOINT] = 2, [VERB_UNDO] = 3
    };
    if (!(ON(v) & MANY) && s->places.count == most[v]) {
        (void)wrong(err, verb_names[v], "unexpected argument", word);
        return ON(v) & JOB ? err_remedy(err, "the command stands behind --: session %s ID -- COMMAND", verb_names[v])
                           : err->code;
    }
    const int e = strlist_add(&s->places, word);
    return e < 0 ? err_set(err, e, BLAME_CALLER, NULL, "%.100s: the words are too long together", word) : 0;
}

static int read_words(int argc, char **argv, enum verb v, struct session_command *s, struct error *err)
{
    const struct option table[] = { { "--url", &s->service.url, NULL, ALL },
                                    { "--key-file", &s->service.key_file, NULL, ALL },
                                    { "--ca", &s->service.ca, NULL, ALL },
                                    { "--risk-level", &s->level, NULL, ON(VERB_START) },
                                    { "--agent-id", &s->agent, NULL, ON(VERB_START) },
                                    { "--from", &s->from, NULL, ON(VERB_START) },
                                    { "--packages", &s->packages, NULL, ON(VERB_START) },
                                    { "--ttl", &s->ttl, NULL, ON(VERB_START) },
                                    { "--env", NULL, &s->env, ON(VERB_START) | JOB },
                                    { "--metadata", NULL, &s->metadata, ON(VERB_START) | ON(VERB_LIST) },
                                    { "--state", &s->state, NULL, ON(VERB_LIST) },
                                    { "-c", &s->code, NULL, ON(VERB_EXEC) },
                                    { "--language", &s->language, NULL, ON(VERB_EXEC) },
                                    { "--timeout", &s->timeout, NULL, JOB },
                                    { "--cwd", &s->cwd, NULL, JOB } };
    for (int i = 0; i < argc; i++) {
        const bool is_json = str_eq(argv[i], "--json") && ON(v) & (ON(VERB_START) | ON(VERB_LIST) | ON(VERB_SNAPSHOTS));
        if (str_eq(argv[i], "--") && ON(v) & JOB) {
            s->rest = argv + i + 1;
            return 0;
        }
        if (is_json || str_eq(argv[i], "--help") || str_eq(argv[i], "-h")) {
            *(is_json ? &s->json : &s->help) = true;
            continue;
        }
        int e;
        const struct option *o = find_option(table, ARRAY_LEN(table), argv[i], v);
        const char *equals = strchr(argv[i], '=');
        if (argv[i][0] != '-')
            e = read_place(s, v, argv[i], err);
        else if (!o)
            e = wrong(err, verb_names[v], "unexpected argument", argv[i]);
        else if (equals)
            e = take_value(o, equals + 1, err);
        else if (i + 1 < argc)
            e = take_value(o, argv[++i], err);
        else
            e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s needs a value", o->name);
        if (e < 0)
            return e;
    }
    return 0;
}

/* --- asking --------------------------------------------------------------------------------------- */

void session_command_path(struct buf *to, const char *id)
{
    (void)buf_adds(to, "/sessions/");
    service_client_quote(to, id, "");
}

void session_command_pairs(struct buf *b, const char *name, const struct strlist *pairs)
{
    if (!pairs->count)
        return;
    json_key(b, name), json_open(b, '{');
    json_pairs(b, pairs, NULL);
    json_close(b, '}');
}

int session_command_ask(const struct session_command *s, struct service_request r, struct buf *out, struct error *err)
{
    r.max_bytes = SESSION_ANSWER_MAX;
    return service_client_expect(&s->service, &r, out, err);
}

int session_command_print(const char *text, size_t size)
{
    return write_all(STDOUT_FILENO, text, size) < 0 ? 125 : 0;
}

/* --- start ---------------------------------------------------------------------------------------- */

static int put_ttl(const struct session_command *s, struct buf *body, struct error *err)
{
    uint64_t ms = 0;
    if (!s->ttl)
        return 0;
    if (parse_duration(s->ttl, &ms) < 0 || ms < 1000 || ms % 1000)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--ttl %s: accepted are whole seconds, or such as 10m or 1h",
                       s->ttl);
    json_key(body, "ttl"), json_uint(body, ms / 1000);
    return 0;
}

static void put_text(struct buf *b, const char *name, const char *text)
{
    if (text)
        json_key(b, name), json_put_string(b, text);
}

static int print_id(const struct buf *answer, const char *name, struct error *err)
{
    json_t *root = answer->size ? json_loadb(answer->data, answer->size, 0, NULL) : NULL;
    const char *id = json_string_value(json_object_get(root, name));
    char line[200];
    const int n = snprintf(line, sizeof line, "%s\n", id ? id : "");
    const int code = id ? session_command_print(line, (size_t)n)
                        : err_set(err, -EBADMSG, BLAME_HOST, NULL, "the answer has no %s", name);
    json_decref(root);
    return code;
}

static int start(struct session_command *s, struct error *err)
{
    struct buf body, answer = { 0 };
    buf_init(&body, MIB);
    json_open(&body, '{');
    put_text(&body, "risk_level", s->level);
    put_text(&body, "agent_id", s->agent);
    put_text(&body, "from", s->from);
    put_text(&body, "packages", s->packages);
    session_command_pairs(&body, "env", &s->env);
    session_command_pairs(&body, "metadata", &s->metadata);
    int e = put_ttl(s, &body, err);
    json_close(&body, '}');
    if (e == 0)
        e = session_command_ask(
            s, (struct service_request){ "POST", "/sessions", .body = body.data, .timeout_ms = START_PATIENCE_MS },
            &answer, err);
    if (e == 0)
        e = s->json ? session_command_print(answer.data, answer.size) : print_id(&answer, "session_id", err);
    buf_done(&answer);
    buf_done(&body);
    return e;
}

/* --- snapshot -------------------------------------------------------------------------------------- */

#define SNAPSHOT_PATIENCE_MS 0u /* it takes as long as there is */

static int snapshot(struct session_command *s, struct error *err)
{
    struct buf path, answer = { 0 };
    buf_init(&path, 256 * KIB);
    STRLIST_FOREACH(id, &s->places)
    {
        session_command_path(&path, id);
    }
    (void)buf_adds(&path, "/snapshots");
    int e = session_command_ask(s, (struct service_request){ "POST", path.data, .timeout_ms = SNAPSHOT_PATIENCE_MS },
                                &answer, err);
    if (e == 0)
        e = print_id(&answer, "snapshot_id", err);
    buf_done(&answer);
    buf_done(&path);
    return e;
}

/* --- checkpoint, undo ------------------------------------------------------------------------------- */

#define UNDO_PATIENCE_MS 0u /* the workspace may be large */

/* ID [CONTEXT] [CHECKPOINT]: no context's id begins as a checkpoint's does. */
static int ask_context(struct session_command *s, const char *what, struct error *err)
{
    struct buf path, body, answer = { 0 };
    const char *id = strlist_first(&s->places), *checkpoint = NULL;
    buf_init(&path, 256 * KIB);
    buf_init(&body, 256 * KIB);
    json_open(&body, '{');
    STRLIST_FOREACH(place, &s->places)
    {
        if (place == id)
            session_command_path(&path, place);
        else if (str_starts(place, "cp-"))
            checkpoint = place;
        else
            (void)buf_adds(&path, "/contexts/"), service_client_quote(&path, place, "");
    }
    put_text(&body, "checkpoint_id", checkpoint);
    json_close(&body, '}');
    (void)buf_adds(&path, what);
    int e = session_command_ask(s,
                                (struct service_request){ "POST", path.data, .body = checkpoint ? body.data : NULL,
                                                          .timeout_ms = UNDO_PATIENCE_MS },
                                &answer, err);
    if (e == 0)
        e = print_id(&answer, "checkpoint_id", err);
    buf_done(&answer);
    buf_done(&body);
    buf_done(&path);
    return e;
}

static int checkpoint(struct session_command *s, struct error *err)
{
    return ask_context(s, "/checkpoints", err);
}

static int undo(struct session_command *s, struct error *err)
{
    return ask_context(s, "/undo", err);
}

/* --- pause, resume, end ---------------------------------------------------------------------------- */

static int do_to(const struct session_command *s, const char *id, const struct session_deed *d, struct error *err)
{
    struct buf path, answer = { 0 };
    buf_init(&path, 256 * KIB);
    (void)buf_adds(&path, d->before);
    service_client_quote(&path, id, "");
    (void)buf_adds(&path, d->after);
    const int e = session_command_ask(
        s, (struct service_request){ d->method, path.data, .timeout_ms = SESSION_PATIENCE_MS }, &answer, err);
    buf_done(&answer);
    buf_done(&path);
    return e;
}

int session_command_each(const struct session_command *s, const char *but, const struct session_deed *d,
                         struct error *err)
{
    STRLIST_FOREACH(id, &s->places)
    {
        struct error one = { 0 };
        const int e = id == but ? 0 : do_to(s, id, d, &one);
        if (e < 0 && err->code)
            service_client_say(d->verb, &one);
        else if (e < 0)
            *err = one;
    }
    return err->code;
}

static int pause_each(struct session_command *s, struct error *err)
{
    static const struct session_deed deed = { "session pause", "POST", "/sessions/", "/pause" };
    return session_command_each(s, NULL, &deed, err);
}

static int resume_each(struct session_command *s, struct error *err)
{
    static const struct session_deed deed = { "session resume", "POST", "/sessions/", "/resume" };
    return session_command_each(s, NULL, &deed, err);
}

static int end_each(struct session_command *s, struct error *err)
{
    static const struct session_deed deed = { "session end", "DELETE", "/sessions/", "" };
    return session_command_each(s, NULL, &deed, err);
}

/* --- all of it ------------------------------------------------------------------------------------ */

static int check_places(const struct session_command *s, enum verb v, struct error *err)
{
    if (ON(v) & EACH && !s->places.count)
        return wrong(err, verb_names[v], "missing", "the ID of a session");
    if (ON(v) & (JOB | ON(VERB_SNAPSHOT) | ON(VERB_CHECKPOINT) | ON(VERB_UNDO)) && !s->places.count)
        return wrong(err, verb_names[v], "missing", "the ID of the session");
    if (v == VERB_SNAPSHOTS)
        return session_command_check_snapshots(s, err);
    return 0;
}

static int find_verb(const char *word, struct error *err)
{
    for (int v = 0; word && v < VERBS; v++)
        if (str_eq(word, verb_names[v]))
            return v;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, word ? "%s: no such command" : "what about them?", word);
    return err_remedy(err, "sandbox-agent session "
                           "start|list|exec|shell|cp|snapshot|snapshots|checkpoint|undo|pause|resume|end; --help says "
                           "more");
}

static int run(struct session_command *s, int argc, char **argv, struct error *err)
{
    static int (*const doing[VERBS])(struct session_command *, struct error *) = { start,
                                                                                   session_command_list,
                                                                                   session_command_exec,
                                                                                   session_command_shell,
                                                                                   session_command_copy,
                                                                                   snapshot,
                                                                                   session_command_snapshots,
                                                                                   checkpoint,
                                                                                   undo,
                                                                                   pause_each,
                                                                                   resume_each,
                                                                                   end_each };
    const int v = find_verb(argc > 1 ? argv[1] : NULL, err);
    if (v < 0)
        return v;
    int e = read_words(argc - 2, argv + 2, (enum verb)v, s, err);
    if (e == 0 && s->help)
        return fputs(help, stdout) == EOF ? 125 : 0;
    if (e == 0)
        e = check_places(s, (enum verb)v, err);
    (void)service_client_settle(&s->service);
    if (e == 0)
        e = service_client_open(&s->service, err);
    return e < 0 ? e : doing[v](s, err);
}

int session_command_main(int argc, char **argv)
{
    struct session_command s = { 0 };
    struct error err = { 0 };
    char verb[40];
    if (argc > 1 && (str_eq(argv[1], "--help") || str_eq(argv[1], "-h")))
        return fputs(help, stdout) == EOF ? 125 : 0;
    int code = run(&s, argc, argv, &err);
    (void)snprintf(verb, sizeof verb, "session%s%s", argc > 1 ? " " : "", argc > 1 ? argv[1] : "");
    if (code < 0) {
        service_client_say(verb, &err);
        code = error_exit_code(&err);
    }
    service_client_done(&s.service);
    strlist_done(&s.env);
    strlist_done(&s.metadata);
    strlist_done(&s.places);
    return code;
}
