/* audit.c - the commands `audit tail`, `audit search` and `audit verify`. */
#include <stdio.h>
#include "audit/chain.h"
#include "audit/verify.h"
#include "base/json.h"
#include "cli/cmd.h"
#include "cli/records.h"

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
        (void)buf_addc(&s->list, ',');
        json_key(&s->list, "line");
        json_uint(&s->list, p->line);
        (void)buf_addc(&s->list, ',');
        json_key(&s->list, "sequence");
        json_uint(&s->list, p->sequence);
        (void)buf_addc(&s->list, ',');
        json_key(&s->list, "text");
        json_put_string(&s->list, p->text);
        (void)buf_addc(&s->list, ',');
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
        (void)printf("%llu problem%s in %llu lines of %llu file%s\n", (unsigned long long)r->problems, r->problems == 1 ? "" : "s",
                     (unsigned long long)r->lines, (unsigned long long)r->files, r->files == 1 ? "" : "s");
    } else if (!r->lines) {
        (void)printf("there is no audit yet\n");
    } else {
        (void)printf("ok: %llu lines of %llu file%s, number %llu to %llu, signed up to %llu\n", (unsigned long long)r->lines,
                     (unsigned long long)r->files, r->files == 1 ? "" : "s", (unsigned long long)r->first_sequence,
                     (unsigned long long)r->last_sequence, (unsigned long long)r->signed_sequence);
    }
    return fflush(stdout) != 0 || r->problems ? 1 : 0;
}

static int read_keys(const struct strlist *words, struct verify_options *o, struct error *err)
{
    STRLIST_FOREACH(word, words) {
        if (o->key_count == VERIFY_MAX_KEYS || strlen(word) != 64 || hex_read(word, o->keys[o->key_count], 32) < 0)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--public-key %s: accepted are 64 hex digits, at most %u of them", word,
                           VERIFY_MAX_KEYS);
        o->key_count++;
    }
    return 0;
}

static int audit_cmd_verify(const struct paths *p, struct arena *a, int argc, char **argv, struct error *err)
{
    const char *config = NULL, *first = NULL;
    struct verify_options o = { 0 };
    struct verify_result r;
    struct strlist keys = { 0 };
    struct records where;
    struct shown s = { 0 };
    size_t n;
    const struct word table[] = {
        { "--file", &o.file, NULL, NULL },   { "--public-key", NULL, NULL, &keys }, { "--first", &first, NULL, NULL },
        { "--config", &config, NULL, NULL }, { "--json", NULL, &s.json, NULL },     { 0 },
    };
    int e = words_parse(argc, argv, table, NULL, 0, &n, err);
    if (e == 0)
        e = read_keys(&keys, &o, err);
    if (e == 0 && first)
        e = records_number("--first", first, UINT64_MAX / 2, &o.first, err);
    strlist_done(&keys);
    if (e < 0 || (e = records_find(p, config, a, &where, err)) < 0)
        return e;
    o.dir = records_audit_dir(&where);
    o.key_dir = where.state_dir;
    buf_init(&s.list, MIB);
    e = access(o.dir, F_OK) < 0 && errno == ENOENT && !o.file ? 0 : 1;
    r = (struct verify_result){ 0 };
    if (e == 1)
        e = audit_verify(&o, show_problem, &s, &r, err);
    int code = e < 0 ? e : print_verdict(&s, &r);
    buf_done(&s.list);
    compiled_done(&where.policy);
    return code;
}

int cmd_audit(const struct paths *p, struct arena *a, int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(const struct paths *, struct arena *, int, char **, struct error *);
    } verbs[] = { { "verify", audit_cmd_verify } };
    struct error err = { 0 };
    int code = -EINVAL;
    const char *verb = argc > 1 ? argv[1] : "";
    (void)err_set(&err, code, BLAME_CALLER, NULL, "audit %s: accepted are tail, search and verify", verb);
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
        if (str_eq(verb, verbs[i].name))
            code = verbs[i].run(p, a, argc - 1, argv + 1, &err);
    return code < 0 ? records_fail(&err) : code;
}
