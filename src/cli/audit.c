/* audit.c - the commands `audit tail`, `audit search`, `audit export` and `audit verify`. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include "audit/chain.h"
#include "audit/search.h"
#include "audit/tail.h"
#include "audit/verify.h"
#include "base/json.h"
#include "cli/audit_export.h"
#include "cli/cmd.h"
#include "cli/records.h"
#include "base/clock.h"

#define SHOWN_PROBLEMS 50u

/* --- verify ---------------------------------------------------------------------------------------- */

struct shown {
    bool json;
    uint64_t problems;
    struct buf list;
};

static void show_problem(void *context, const struct verify_problem *p)
{
    struct shown *s = context;
    struct buf b;
    if (!p->is_note && s->problems++ >= SHOWN_PROBLEMS)
        return;
    if (s->json) {
        json_open(&s->list, '{');
        json_key(&s->list, "file");
        json_put_string(&s->list, p->file);
        json_key(&s->list, "line");
        json_uint(&s->list, p->line);
        json_key(&s->list, "sequence");
        json_uint(&s->list, p->sequence);
        json_key(&s->list, "text");
        json_put_string(&s->list, p->text);
        json_key(&s->list, "is_note");
        json_bool(&s->list, p->is_note);
        json_close(&s->list, '}');
        return;
    }
    buf_init(&b, 4096);
    (void)buf_adds(&b, p->is_note ? "note: " : "");
    if (p->file)
        (void)buf_addf(&b, "%s:", p->file);
    if (p->line)
        (void)buf_addf(&b, "%llu:", (unsigned long long)p->line);
    (void)buf_addf(&b, "%s", p->file || p->line ? " " : "");
    if (p->sequence)
        (void)buf_addf(&b, "line %llu: ", (unsigned long long)p->sequence);
    (void)buf_adds_clean(&b, p->text);
    (void)printf("%s\n", b.data ? b.data : "");
    buf_done(&b);
}

static void json_member(struct buf *b, const char *key, uint64_t v)
{
    (void)buf_addf(b, ",\"%s\":%llu", key, (unsigned long long)v);
}

static int print_verdict(struct shown *s, const struct verify_result *r)
{
    if (s->json) {
        struct buf b;
        buf_init(&b, 4 * MIB);
        (void)buf_addf(&b, "{\"ok\":%s", r->problems ? "false" : "true");
        json_member(&b, "files", r->files);
        json_member(&b, "lines", r->lines);
        json_member(&b, "bytes", r->bytes);
        json_member(&b, "signatures", r->signatures);
        json_member(&b, "first_sequence", r->first_sequence);
        json_member(&b, "last_sequence", r->last_sequence);
        json_member(&b, "signed_sequence", r->signed_sequence);
        json_member(&b, "repairs", r->repairs);
        json_member(&b, "problem_count", r->problems);
        (void)buf_addf(&b, ",\"problems\":[%s]}\n", s->list.data ? s->list.data : "");
        (void)fwrite(b.data, 1, b.size, stdout);
        buf_done(&b);
    } else if (r->problems) {
        if (r->problems > SHOWN_PROBLEMS)
            (void)printf("... and %llu more\n", (unsigned long long)(r->problems - SHOWN_PROBLEMS));
        (void)printf("%llu problem%s in %llu lines of %llu file%s\n", (unsigned long long)r->problems,
                     r->problems == 1 ? "" : "s", (unsigned long long)r->lines, (unsigned long long)r->files,
                     r->files == 1 ? "" : "s");
    } else if (!r->lines) {
        (void)printf("there is no audit yet\n");
    } else {
        (void)printf("ok: %llu lines of %llu file%s, number %llu to %llu, signed up to %llu\n",
                     (unsigned long long)r->lines, (unsigned long long)r->files, r->files == 1 ? "" : "s",
                     (unsigned long long)r->first_sequence, (unsigned long long)r->last_sequence,
                     (unsigned long long)r->signed_sequence);
    }
    return output_end(r->problems ? 1 : 0);
}

static int read_keys(const struct strlist *words, struct verify_options *o, struct error *err)
{
    STRLIST_FOREACH(word, words)
    {
        if (o->key_count == VERIFY_MAX_KEYS || strlen(word) != 64 || hex_read(word, o->keys[o->key_count], 32) < 0)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "--public-key %s: accepted are 64 hex digits, at most %u of them", word, VERIFY_MAX_KEYS);
        o->key_count++;
    }
    return 0;
}

/* What a witness said, carried here by a person: good only with the witness' own signature, since who holds the log's
 * key could sign another checkpoint. 1: read. 0: no witness of these has signed it. */
static int read_witness(const char *file, const struct strlist *keys, struct checkpoint *ret, struct error *err)
{
    char note[NOTE_MAX_BYTES];
    cleanup(closep) int fd = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, note, sizeof note);
    if (n < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--witness %s: %m", file);
    if (!checkpoint_read(note, (size_t)n, ret))
        return err_set(err, -EBADMSG, BLAME_CALLER, NULL, "--witness %s: is no checkpoint", file);
    bool is_signed = false;
    STRLIST_FOREACH(word, keys)
    {
        struct note_key key;
        if (note_key_read(word, &key) < 0 || key.algorithm != NOTE_WITNESS)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "--witness-key %s: accepted is NAME+ID+KEY, as `sandbox-agent witness` prints it", word);
        is_signed |= note_is_signed(note, (size_t)n, &key, NULL);
    }
    return is_signed;
}

static int ask_witness(const char *file, const struct strlist *keys, struct checkpoint *c, struct verify_options *o,
                       struct shown *s, struct verify_result *r, struct error *err)
{
    if (!file != !keys->count)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "--witness FILE and --witness-key NAME+ID+KEY belong together: who holds the log's key could "
                       "have written the file");
    int e = file ? read_witness(file, keys, c, err) : 1;
    if (e < 0)
        return e;
    o->witnessed = c;
    o->witnessed_count = file != NULL;
    if (e == 0) {
        r->problems++;
        show_problem(s, &(struct verify_problem){ .file = file, .text = "no witness with this key has signed it" });
    }
    return 0;
}

static int audit_cmd_verify(const struct paths *p, struct arena *a, int argc, char **argv, struct error *err)
{
    const char *config = NULL, *first = NULL, *witness = NULL;
    struct verify_options o = { 0 };
    struct verify_result r = { 0 }, found = { 0 };
    struct checkpoint seen;
    struct strlist keys = { 0 }, witnesses = { 0 };
    struct records where;
    struct shown s = { 0 };
    size_t n;
    const struct word table[] = { { "--file", &o.file, NULL, NULL },     { "--public-key", NULL, NULL, &keys },
                                  { "--first", &first, NULL, NULL },     { "--config", &config, NULL, NULL },
                                  { "--witness", &witness, NULL, NULL }, { "--witness-key", NULL, NULL, &witnesses },
                                  { "--json", NULL, &s.json, NULL },     { 0 } };
    int e = words_parse(argc, argv, table, NULL, 0, &n, err);
    if (e == 0)
        e = read_keys(&keys, &o, err);
    if (e == 0 && first)
        e = records_number("--first", first, UINT64_MAX / 2, &o.first, err);
    buf_init(&s.list, MIB);
    if (e == 0)
        e = ask_witness(witness, &witnesses, &seen, &o, &s, &found, err);
    strlist_done(&keys);
    strlist_done(&witnesses);
    if (e < 0 || (e = records_find(p, config, a, &where, err)) < 0) {
        buf_done(&s.list);
        return e;
    }
    o.dir = locations_audit_dir(&where.places);
    o.key_dir = where.places.state_dir;
    e = access(o.dir, F_OK) < 0 && errno == ENOENT && !o.file && !o.witnessed_count ? 0 : 1;
    if (e == 1)
        e = audit_verify(&o, show_problem, &s, &r, err);
    r.problems += found.problems;
    int code = e < 0 ? e : print_verdict(&s, &r);
    buf_done(&s.list);
    compiled_done(&where.policy);
    return code;
}

/* --- checkpoint -------------------------------------------------------------------------------------- */

static int audit_cmd_checkpoint(const struct paths *p, struct arena *a, int argc, char **argv, struct error *err)
{
    const char *config = NULL;
    bool json = false;
    size_t rest;
    struct records where;
    struct checkpoint c;
    struct buf note = { 0 }, b;
    const struct word words[] = { { "--config", &config, NULL, NULL }, { "--json", NULL, &json, NULL }, { 0 } };
    int e = words_parse(argc, argv, words, NULL, 0, &rest, err);
    if (e < 0 || (e = records_find(p, config, a, &where, err)) < 0)
        return e;
    e = note_now(locations_audit_dir(&where.places), where.places.state_dir, &c, &note, NULL, err);
    compiled_done(&where.policy);
    if (e == 0 && json) {
        char root[65];
        hex_write(c.root.bytes, sizeof c.root.bytes, root);
        buf_init(&b, 4 * NOTE_MAX_BYTES);
        json_open(&b, '{');
        json_key(&b, "origin"), json_put_string(&b, c.origin);
        json_key(&b, "size"), json_uint(&b, c.size);
        json_key(&b, "root"), json_put_string(&b, root);
        json_key(&b, "note"), json_put_string(&b, note.data);
        json_close(&b, '}');
        (void)printf("%s\n", b.data ? b.data : "");
        buf_done(&b);
    } else if (e == 0) {
        (void)fwrite(note.data, 1, note.size, stdout);
    }
    buf_done(&note);
    return e < 0 ? e : output_end(0);
}

/* --- tail and search ------------------------------------------------------------------------------- */

struct table {
    bool json, has_colour, has_header;
    size_t width; /* of the terminal; 0: lines are as long as they are */
};

static struct table table_begin(bool json)
{
    struct table t = { .json = json };
    struct winsize w = { 0 };
    if (json || !isatty(STDOUT_FILENO))
        return t;
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    t.has_colour = !(no_colour && *no_colour) && term && !str_eq(term, "dumb");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0)
        t.width = w.ws_col;
    return t;
}

static size_t characters(const char *s, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += ((unsigned char)s[i] & 0xC0) != 0x80;
    return n;
}

/* A cell of this many characters, cut with «…» or filled. */
static void cell(struct buf *b, struct slice s, const char *other, size_t width)
{
    struct buf text;
    buf_init(&text, 2 * AUDIT_LINE_MAX);
    if (s.p)
        slice_print(s, &text);
    else
        (void)buf_adds(&text, other);
    size_t size = text.size, n = characters(text.data ? text.data : "", size);
    while (n > width && size) { /* one less for the ellipsis */
        while (size && ((unsigned char)text.data[--size] & 0xC0) == 0x80)
            ;
        n = characters(text.data, size) + 1;
    }
    (void)buf_add(b, text.data ? text.data : "", size);
    if (size < text.size)
        (void)buf_adds(b, "…");
    for (; n < width; n++)
        (void)buf_addc(b, ' ');
    (void)buf_addc(b, ' ');
    buf_done(&text);
}

static const char *colour_of(const struct audit_line *l)
{
    if (slice_is(l->kind, "alert"))
        return "\033[31m";
    if (slice_is(l->outcome, "failure"))
        return "\033[33m";
    return str_starts(l->action.p ? l->action.p : "", "audit-") ? "\033[2m" : NULL;
}

static void end_row(struct buf *b)
{
    while (b->size && b->data[b->size - 1] == ' ')
        b->size--;
    (void)buf_addc(b, '\n');
    (void)fwrite(b->data, 1, b->size, stdout);
}

/* With the node that passed the request on. malloc'ed, as it stands in the line; NULL: no memory. */
static char *message_of(const struct audit_line *l)
{
    char *text = NULL;
    if (asprintf(&text, "%.*s%s%.*s%s", (int)l->message.size, l->message.p ? l->message.p : "",
                 l->via_node.p ? " (via node " : "", (int)l->via_node.size, l->via_node.p ? l->via_node.p : "",
                 l->via_node.p ? ")" : "") < 0)
        return NULL;
    return text;
}

static bool show_line(void *context, const char *line, size_t size, const struct audit_line *l)
{
    struct table *t = context;
    struct buf b;
    if (t->json)
        return fwrite(line, 1, size, stdout) == size && putchar('\n') != EOF;
    buf_init(&b, 4 * AUDIT_LINE_MAX);
    if (!t->has_header) {
        t->has_header = true;
        (void)buf_addf(&b, "%-8s %-19s %-6s %-20s %-23s %-16s %s\n", "NUMBER", "TIME (UTC)", "LEVEL", "AGENT", "ACTION",
                       "REASON", "MESSAGE");
    }
    const char *colour = t->has_colour ? colour_of(l) : NULL;
    const struct slice stamp = { l->timestamp.p, MIN_OF(l->timestamp.size, 19u) };
    const size_t fixed = 9 + 20 + 7 + 21 + 24 + 17;
    (void)buf_adds(&b, colour ? colour : "");
    (void)buf_addf(&b, "%-8llu ", (unsigned long long)l->sequence);
    cell(&b, stamp, "-", 19);
    cell(&b, l->level, "-", 6);
    cell(&b, l->agent, "-", 20);
    cell(&b, l->action, "-", 23);
    cell(&b, l->reason.p ? l->reason : l->rule, "-", 16);
    char *message = message_of(l);
    const size_t length = message ? strlen(message) : 0;
    cell(&b, (struct slice){ message, length }, "",
         t->width > fixed + 10 ? t->width - fixed - 1
         : t->width            ? 10
                               : characters(message ? message : "", length));
    free(message);
    if (colour) {
        while (b.size && b.data[b.size - 1] == ' ')
            b.size--;
        (void)buf_adds(&b, "\033[0m");
    }
    end_row(&b);
    buf_done(&b);
    return !ferror(stdout);
}

/* Before the first run there is not even a directory. */
static bool is_begun(const char *dir)
{
    if (access(dir, F_OK) == 0 || errno != ENOENT)
        return true;
    (void)fprintf(stderr, "sandbox-agent: there is no audit yet\n");
    return false;
}

static int follow(struct tail *t, struct table *table, struct error *err)
{
    const struct timespec pause = { .tv_nsec = 200 * 1000000L };
    int e = output_end(0);
    while (e == 0) {
        (void)nanosleep(&pause, NULL);
        e = tail_more(t, show_line, table, err);
        if (e == 0)
            e = output_end(0);
    }
    return e < 0 ? e : 0; /* the reader of our output has gone */
}

static int audit_cmd_tail(const struct paths *p, struct arena *a, int argc, char **argv, struct error *err)
{
    const char *config = NULL, *lines = NULL;
    bool json = false, does_follow = false;
    uint64_t n = 20;
    size_t rest;
    struct records where;
    struct tail t;
    const struct word words[] = {
        { "-n", &lines, NULL, NULL },
        { "--lines", &lines, NULL, NULL },
        { "-f", NULL, &does_follow, NULL },
        { "--follow", NULL, &does_follow, NULL },
        { "--config", &config, NULL, NULL },
        { "--json", NULL, &json, NULL },
        { 0 },
    };
    int e = words_parse(argc, argv, words, NULL, 0, &rest, err);
    if (e == 0 && lines)
        e = records_number("-n", lines, 100000000, &n, err);
    if (e < 0 || (e = records_find(p, config, a, &where, err)) < 0)
        return e;
    struct table table = table_begin(json);
    const char *dir = locations_audit_dir(&where.places);
    if (is_begun(dir)) {
        e = tail_begin(dir, n, show_line, &table, &t, err);
        if (e == 0 && does_follow)
            e = follow(&t, &table, err);
        tail_done(&t);
    }
    compiled_done(&where.policy);
    return e < 0 ? e : output_end(0);
}

static int audit_cmd_search(const struct paths *p, struct arena *a, int argc, char **argv, struct error *err)
{
    const char *config = NULL, *since = NULL, *until = NULL, *limit = NULL;
    bool json = false;
    size_t rest;
    struct records where;
    struct search s = { 0 };
    struct search_result r;
    const uint64_t now = wall_clock_ms();
    const struct word words[] = { { "--agent", &s.agent, NULL, NULL },
                                  { "--since", &since, NULL, NULL },
                                  { "--until", &until, NULL, NULL },
                                  { "--reason", &s.reason, NULL, NULL },
                                  { "--rule", &s.rule, NULL, NULL },
                                  { "--action", &s.action, NULL, NULL },
                                  { "--execution", &s.execution, NULL, NULL },
                                  { "--limit", &limit, NULL, NULL },
                                  { "--no-index", NULL, &s.no_index, NULL },
                                  { "--config", &config, NULL, NULL },
                                  { "--json", NULL, &json, NULL },
                                  { 0 } };
    int e = words_parse(argc, argv, words, NULL, 0, &rest, err);
    if (e == 0 && since)
        e = records_time("--since", since, now, &s.since_ms, err);
    if (e == 0 && until)
        e = records_time("--until", until, now, &s.until_ms, err);
    if (e == 0 && limit)
        e = records_number("--limit", limit, 1000000, &s.limit, err);
    if (e < 0 || (e = records_find(p, config, a, &where, err)) < 0)
        return e;
    struct table table = table_begin(json);
    s.dir = locations_audit_dir(&where.places);
    r = (struct search_result){ 0 };
    bool begun = is_begun(s.dir);
    if (begun)
        e = audit_search(&s, show_line, &table, &r, err);
    if (e == 0 && begun && !json && !r.found)
        (void)fprintf(stderr, "sandbox-agent: no line of the audit is like that\n");
    if (e == 0 && r.unreadable)
        (void)fprintf(stderr, "sandbox-agent: %llu lines could not be read: see sandbox-agent audit verify\n",
                      (unsigned long long)r.unreadable);
    compiled_done(&where.policy);
    return e < 0 ? e : output_end(0);
}

struct export
{
    enum export_format format;
    uint64_t unreadable;
    bool has_no_memory;
};

static bool export_hit(void *context, const char *line, size_t size, const struct audit_line *l)
{
    struct export *x = context;
    struct buf b;
    buf_init(&b, 16 * AUDIT_LINE_MAX);
    if (export_line(x->format, line, size, l, &b) < 0)
        x->unreadable++;
    x->has_no_memory = b.failed;
    bool ok = !b.failed && fwrite(b.data ? b.data : "", 1, b.size, stdout) == b.size;
    buf_done(&b);
    return ok;
}

static int read_format(const char *word, enum export_format *ret, struct error *err)
{
    for (size_t i = 0; export_formats[i]; i++)
        if (str_eq(word, export_formats[i])) {
            *ret = (enum export_format)i;
            return 0;
        }
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--format %s: accepted are ecs, csv, jsonl and ocsf", word);
}

static int audit_cmd_export(const struct paths *p, struct arena *a, int argc, char **argv, struct error *err)
{
    const char *config = NULL, *since = NULL, *until = NULL, *format = NULL;
    struct export x = { .format = EXPORT_ECS };
    size_t rest;
    struct records where;
    struct search s = { 0 };
    struct search_result r = { 0 };
    const uint64_t now = wall_clock_ms();
    const struct word words[] = { { "--format", &format, NULL, NULL },
                                  { "--agent", &s.agent, NULL, NULL },
                                  { "--since", &since, NULL, NULL },
                                  { "--until", &until, NULL, NULL },
                                  { "--action", &s.action, NULL, NULL },
                                  { "--config", &config, NULL, NULL },
                                  { 0 } };
    int e = words_parse(argc, argv, words, NULL, 0, &rest, err);
    if (e == 0 && format)
        e = read_format(format, &x.format, err);
    if (e == 0 && since)
        e = records_time("--since", since, now, &s.since_ms, err);
    if (e == 0 && until)
        e = records_time("--until", until, now, &s.until_ms, err);
    if (e < 0 || (e = records_find(p, config, a, &where, err)) < 0)
        return e;
    struct buf head;
    buf_init(&head, KIB);
    export_begin(x.format, &head);
    (void)fwrite(head.data ? head.data : "", 1, head.size, stdout);
    buf_done(&head);
    s.dir = locations_audit_dir(&where.places);
    if (is_begun(s.dir))
        e = audit_search(&s, export_hit, &x, &r, err);
    if (e == 0 && x.has_no_memory)
        e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    r.unreadable += x.unreadable;
    if (e == 0 && r.unreadable)
        (void)fprintf(stderr, "sandbox-agent: %llu lines could not be read: see sandbox-agent audit verify\n",
                      (unsigned long long)r.unreadable);
    compiled_done(&where.policy);
    return e < 0 ? e : output_end(r.unreadable ? 1 : 0);
}

int cmd_audit(const struct paths *p, struct arena *a, int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(const struct paths *, struct arena *, int, char **, struct error *);
    } verbs[] = { { "verify", audit_cmd_verify },
                  { "tail", audit_cmd_tail },
                  { "search", audit_cmd_search },
                  { "export", audit_cmd_export },
                  { "checkpoint", audit_cmd_checkpoint } };
    struct error err = { 0 };
    int code = -EINVAL;
    const char *verb = argc > 1 ? argv[1] : "";
    for (int i = 1; i < argc; i++)
        if (str_eq(argv[i], "--fleet")) /* it takes the database and the network */
            return cmd_service(p, a, argc, argv);
    (void)err_set(&err, code, BLAME_CALLER, NULL, "audit%s%s: accepted are tail, search, export, verify and checkpoint",
                  *verb ? " " : "", verb);
    (void)err_remedy(&err, "see sandbox-agent audit --help");
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
        if (str_eq(verb, verbs[i].name))
            code = verbs[i].run(p, a, argc - 1, argv + 1, &err);
    return code < 0 ? records_fail(&err) : code;
}
