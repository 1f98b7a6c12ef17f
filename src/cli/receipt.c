/* receipt.c - the command `receipt verify`: is a signed statement of a run what the audit's key signed? */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "audit/chain.h"
#include "audit/dsse.h"
#include "audit/verify.h"
#include "base/json.h"
#include "base/members.h"
#include "cli/cmd.h"
#include "cli/records.h"
#include "run/receipt.h"

static int read_file(const char *option, const char *path, size_t max, struct buf *ret, struct error *err)
{
    char chunk[65536];
    const bool is_stdin = str_eq(path, "-");
    cleanup(closep) int file = is_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    int fd = is_stdin ? STDIN_FILENO : file;
    ssize_t n = fd < 0 ? -1 : 0;
    buf_init(ret, max);
    while (fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0)
        if (buf_add(ret, chunk, (size_t)n) < 0)
            return err_set(err, -EFBIG, BLAME_CALLER, NULL, "%s %s: more than %zu bytes", option, path, max);
    return n < 0 ? err_set(err, -errno, BLAME_CALLER, NULL, "%s %s: %m", option, path) : 0;
}

/* --- keys ------------------------------------------------------------------------------------------- */

struct keys {
    uint8_t list[VERIFY_MAX_KEYS][32];
    size_t count;
};

static int given_keys(const struct strlist *words, struct keys *ret, struct error *err)
{
    STRLIST_FOREACH(word, words)
    {
        if (ret->count == VERIFY_MAX_KEYS || strlen(word) != 64 || hex_read(word, ret->list[ret->count], 32) < 0)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "--public-key %s: accepted are 64 hex digits, at most %u of them", word, VERIFY_MAX_KEYS);
        ret->count++;
    }
    return 0;
}

/* None given: that of this installation's audit. */
static int own_key(const struct paths *p, const char *config, struct arena *a, struct keys *ret, struct error *err)
{
    struct records where;
    int e = records_find(p, config, a, &where, err);
    if (e < 0)
        return e;
    const char *dir = where.places.state_dir;
    cleanup(closep) int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    e = fd < 0 ? -ENOENT : key_read_public(fd, ret->list[0]);
    ret->count = e == 0;
    if (e < 0)
        (void)err_set(err, e, BLAME_CALLER, NULL, "there is no audit.pub here: %s", strerror(-e));
    compiled_done(&where.policy);
    return e < 0 ? err_remedy(err, "name the key of the machine that made it: --public-key HEX (its audit.pub)") : 0;
}

/* --- the statement ---------------------------------------------------------------------------------- */

struct statement {
    struct slice type, predicate_type, execution, agent, language, level, decision, rule, reason, policy, plan, at;
};

static int read_statement(const struct buf *body, struct statement *ret)
{
    static const struct member members[] = {
        MEMBER("_type", MEMBER_TEXT, struct statement, type),
        MEMBER("predicateType", MEMBER_TEXT, struct statement, predicate_type),
        MEMBER("predicate.execution_id", MEMBER_TEXT, struct statement, execution),
        MEMBER("predicate.agent_id", MEMBER_TEXT, struct statement, agent),
        MEMBER("predicate.language", MEMBER_TEXT, struct statement, language),
        MEMBER("predicate.verdict.risk_level", MEMBER_TEXT, struct statement, level),
        MEMBER("predicate.verdict.decision", MEMBER_TEXT, struct statement, decision),
        MEMBER("predicate.verdict.rule", MEMBER_TEXT, struct statement, rule),
        MEMBER("predicate.end.reason", MEMBER_TEXT, struct statement, reason),
        MEMBER("predicate.policy_hash", MEMBER_TEXT, struct statement, policy),
        MEMBER("predicate.plan_hash", MEMBER_TEXT, struct statement, plan),
        MEMBER("predicate.signed_at", MEMBER_TEXT, struct statement, at),
    };
    uint32_t seen;
    *ret = (struct statement){ 0 };
    if (members_read(body->data, body->size, members, ARRAY_LEN(members), ret, &seen) < 0)
        return -EBADMSG;
    return slice_is(ret->type, RECEIPT_STATEMENT_TYPE) && slice_is(ret->predicate_type, RECEIPT_PREDICATE_TYPE)
               ? 0
               : -EBADMSG;
}

/* Only the list of subjects has this form: within a text the quotes would be escaped. */
static bool has_subject(const struct buf *body, const char *name, const char *hash)
{
    struct buf wanted;
    buf_init(&wanted, 64 * KIB);
    json_open(&wanted, '{');
    json_key(&wanted, "name"), json_put_string(&wanted, name);
    json_key(&wanted, "digest"), json_open(&wanted, '{');
    json_key(&wanted, "sha256"), json_put_string(&wanted, hash);
    bool found = !wanted.failed && memmem(body->data, body->size, wanted.data, wanted.size);
    buf_done(&wanted);
    return found;
}

/* 1: the file is what the receipt speaks of. 0: it is not, which was said. */
static int check_subject(const struct buf *body, const char *word, struct error *err)
{
    const char *equals = strchr(word, '=');
    char name[1200], hash[AUDIT_HASH_SIZE];
    struct buf content;
    if (!equals || equals == word || !equals[1] || (size_t)(equals - word) >= sizeof name)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--subject %s: accepted is NAME=FILE, such as code=program.py",
                       word);
    (void)snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
    int e = read_file("--subject", equals + 1, (size_t)GIB, &content, err);
    if (e == 0) {
        audit_hash(content.data ? content.data : "", content.size, hash);
        e = has_subject(body, name, hash);
    }
    buf_done(&content);
    return e;
}

/* --- the verdict ------------------------------------------------------------------------------------- */

static const char *const problems[] = {
    [DSSE_NO_ENVELOPE] = "is no DSSE envelope in the form that sandbox-agent writes",
    [DSSE_OTHER_TYPE] = "is an envelope of another type than an in-toto statement",
    [DSSE_OTHER_KEY] = "is not signed with this key",
    [DSSE_BAD_SIGNATURE] = "was changed: its signature is wrong",
};

static void put(const char *name, struct slice s)
{
    struct buf b;
    if (!s.p)
        return;
    buf_init(&b, 64 * KIB);
    slice_print(s, &b);
    (void)printf("%-10s %s\n", name, b.data ? b.data : "");
    buf_done(&b);
}

static void print_statement(const struct statement *s, const char *key)
{
    (void)printf("ok: signed with %s\n", key);
    put("execution", s->execution);
    put("agent", s->agent);
    put("language", s->language);
    put("decision", s->decision);
    put("level", s->level);
    put("rule", s->rule);
    put("end", s->reason);
    put("policy", s->policy);
    put("plan", s->plan);
    put("signed at", s->at);
}

static int refuse(bool json, const char *file, const char *why)
{
    struct buf b;
    buf_init(&b, 16 * KIB);
    if (json) {
        json_open(&b, '{');
        json_key(&b, "ok"), json_bool(&b, false);
        json_key(&b, "problem"), json_put_string(&b, why);
        json_close(&b, '}');
    } else {
        (void)buf_adds_clean(&b, file);
        (void)buf_addf(&b, ": ");
        (void)buf_adds_clean(&b, why);
    }
    (void)printf("%s\n", b.data ? b.data : "");
    buf_done(&b);
    return 1;
}

struct asked {
    const char *file;
    struct strlist subjects;
    bool json;
};

static int check_body(const struct asked *q, const struct buf *body, const char *key, struct error *err)
{
    struct statement s;
    char why[1400];
    if (read_statement(body, &s) < 0)
        return refuse(q->json, q->file, "is signed, and no receipt of a run");
    STRLIST_FOREACH(word, &q->subjects)
    {
        int e = check_subject(body, word, err);
        if (e < 0)
            return e;
        (void)snprintf(why, sizeof why, "is not about %s", word);
        if (!e)
            return refuse(q->json, q->file, why);
    }
    if (q->json)
        (void)printf("{\"ok\":true,\"public_key\":\"%s\",\"statement\":%s}\n", key, body->data);
    else
        print_statement(&s, key);
    return 0;
}

static int verify(const struct asked *q, const struct keys *keys, struct error *err)
{
    struct buf text, body = { 0 };
    char key[65];
    size_t which = 0;
    int code = read_file("receipt", q->file, DSSE_MAX_BYTES, &text, err);
    if (code == 0) {
        enum dsse_verdict v = dsse_verify(text.data ? text.data : "", text.size, RECEIPT_PAYLOAD_TYPE, keys->list,
                                          keys->count, &body, &which);
        hex_write(keys->list[which], 32, key);
        code = v == DSSE_GOOD ? check_body(q, &body, key, err) : refuse(q->json, q->file, problems[v]);
    }
    buf_done(&text);
    buf_done(&body);
    return code;
}

int cmd_receipt(const struct paths *p, struct arena *a, int argc, char **argv)
{
    const char *config = NULL;
    struct asked q = { 0 };
    struct strlist words = { 0 };
    struct keys keys = { 0 };
    struct error err = { 0 };
    size_t rest = 0;
    const struct word table[] = { { "--public-key", NULL, NULL, &words },
                                  { "--subject", NULL, NULL, &q.subjects },
                                  { "--config", &config, NULL, NULL },
                                  { "--json", NULL, &q.json, NULL },
                                  { 0 } };
    int e = argc > 1 && str_eq(argv[1], "verify")
                ? words_parse(argc - 1, argv + 1, table, &q.file, 1, &rest, &err)
                : err_set(&err, -EINVAL, BLAME_CALLER, NULL, "receipt%s%s: accepted is verify", argc > 1 ? " " : "",
                          argc > 1 ? argv[1] : "");
    if (e == 0 && !rest)
        e = err_set(&err, -EINVAL, BLAME_CALLER, NULL, "receipt verify: name the receipt's file, or -");
    if (e == 0)
        e = given_keys(&words, &keys, &err);
    if (e == 0 && !keys.count)
        e = own_key(p, config, a, &keys, &err);
    if (e == 0)
        e = verify(&q, &keys, &err);
    strlist_done(&words);
    strlist_done(&q.subjects);
    return e < 0 ? records_fail(&err) : output_end(e);
}
