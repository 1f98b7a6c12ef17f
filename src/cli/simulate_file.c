#include <stdio.h>

#include "base/parse.h"
#include "cli/simulate.h"
#include "config/profile.h"

const char *const sim_kind_names[SIM_KINDS + 1] = { "success",  "error",      "timeout", "memory",
                                                    "finding",  "restricted", "attempt", "violation",
                                                    "critical", "stopped",    NULL };

struct reader {
    struct sim_file *file;
    uint32_t line;
    struct error *err;
};

static int bad(const struct reader *r, const char *what, const char *value, const char *accepted)
{
    (void)err_set(r->err, -EINVAL, BLAME_CALLER, NULL, "line %u: %s %.60s: accepted is %s", r->line, what, value,
                  accepted);
    return err_remedy(r->err, "docs/trust.md, \"The simulator\", has the format");
}

static int word_of(const char *text, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (str_eq(text, words[i]))
            return i;
    return -1;
}

/* «success:80,error:20», or one word alone. */
static int read_shares(const struct reader *r, const char *key, char *value, const char *const *words, uint32_t *ret,
                       size_t count)
{
    memset(ret, 0, count * sizeof *ret);
    for (char *next; value; value = next) {
        uint64_t share = 1;
        next = strchr(value, ',');
        if (next)
            *next++ = '\0';
        char *colon = strchr(value, ':');
        if (colon)
            *colon++ = '\0';
        const int i = word_of(value, words);
        if (i < 0 || (size_t)i >= count || (colon && (parse_u64(colon, &share) < 0 || share > 1000000)))
            return bad(r, key, value, "KIND:SHARE,KIND:SHARE");
        ret[i] += (uint32_t)share;
    }
    return 0;
}

static int read_name(const struct reader *r, const char *key, const char *value, char ret[static SIM_NAME])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const size_t n = strlen(value);
    if (!n || n >= SIM_NAME || strspn(value, letters) != n)
        return bad(r, key, value, "1 to 47 letters, digits, '-', '_' and '.'");
    memcpy(ret, value, n + 1);
    return 0;
}

static int read_flag(const struct reader *r, const char *key, const char *value, const char *word, bool *ret)
{
    if (!str_eq(value, word))
        return bad(r, key, value, word);
    *ret = true;
    return 0;
}

static int read_number(const struct reader *r, const char *key, const char *value, uint64_t max, uint32_t *ret)
{
    uint64_t v;
    if (parse_u64(value, &v) < 0 || v > max)
        return bad(r, key, value, "a whole number");
    *ret = (uint32_t)v;
    return 0;
}

static int read_time(const struct reader *r, const char *key, const char *value, uint64_t *ret)
{
    return parse_duration(value, ret) < 0 ? bad(r, key, value, "a time such as 30s, 6m, 2h or 7d") : 0;
}

static int read_milli(const struct reader *r, const char *key, const char *value, uint32_t *ret)
{
    return parse_ratio(value, ret) < 0 ? bad(r, key, value, "a number between 0 and 1") : 0;
}

static int stream_key(const struct reader *r, struct sim_stream *s, const char *key, char *value)
{
    if (str_eq(key, "kinds"))
        return read_shares(r, key, value, sim_kind_names, s->kinds, SIM_KINDS);
    if (str_eq(key, "needs"))
        return read_shares(r, key, value, risk_level_names, s->needs, ARRAY_LEN(s->needs));
    if (str_eq(key, "key"))
        return read_name(r, key, value, s->key);
    if (str_eq(key, "every"))
        return read_time(r, key, value, &s->every_ms);
    if (str_eq(key, "for"))
        return read_time(r, key, value, &s->for_ms);
    if (str_eq(key, "from"))
        return read_time(r, key, value, &s->from_ms);
    if (str_eq(key, "shapes"))
        return read_number(r, key, value, 1000000, &s->shapes);
    if (str_eq(key, "size"))
        return read_number(r, key, value, 10000, &s->size);
    if (str_eq(key, "risk"))
        return read_milli(r, key, value, &s->risk);
    if (str_eq(key, "vouch"))
        return read_milli(r, key, value, &s->vouch);
    if (str_eq(key, "code"))
        return read_flag(r, key, value, "same", &s->is_same_code);
    if (str_eq(key, "id"))
        return str_eq(value, "none") ? read_flag(r, key, value, "none", &s->is_nameless)
                                     : read_flag(r, key, value, "each", &s->is_new_id_each);
    if (str_eq(key, "asks"))
        return (s->asks = word_of(value, risk_level_names)) < 0 ? bad(r, key, value, "low, medium or high") : 0;
    if (str_eq(key, "seed")) {
        uint64_t seed;
        return parse_u64(value, &seed) < 0 ? bad(r, key, value, "a whole number") : (s->seed = seed, 0);
    }
    return bad(r, "the key", key,
               "kinds, every, for, from, needs, shapes, size, risk, vouch, code, id, key, asks or seed");
}

static int expect_key(const struct reader *r, struct sim_expect *e, const char *key, char *value)
{
    uint32_t milli = 0;
    int failed = 0;
    if (str_eq(key, "standing") && str_eq(value, "good")) {
        e->what = EXPECT_GOOD;
    } else if (str_eq(key, "quarantined")) {
        e->what = EXPECT_QUARANTINED;
        failed = read_number(r, key, value, 1000000, &milli);
    } else if (str_eq(key, "medium") || str_eq(key, "ran")) {
        e->what = str_eq(key, "ran") ? EXPECT_RAN : EXPECT_LEVEL;
        failed = read_milli(r, key, value, &milli);
    } else if (str_eq(key, "stuck") && str_eq(value, "no")) {
        e->what = EXPECT_NOT_STUCK;
    } else if (str_eq(key, "low") && str_eq(value, "reached")) {
        e->what = EXPECT_LOW;
    } else if (str_eq(key, "low") && (str_eq(value, "never") || str_starts(value, "after:"))) {
        e->what = EXPECT_LOW_AFTER;
        e->number = UINT64_MAX;
        return str_eq(value, "never") ? 0 : read_time(r, key, value + strlen("after:"), &e->number);
    } else if (str_eq(key, "trust-at-most") || str_eq(key, "trust-at-least")) {
        e->what = str_eq(key, "trust-at-most") ? EXPECT_TRUST_MAX : EXPECT_TRUST_MIN;
        failed = read_milli(r, key, value, &milli);
    } else {
        return bad(r, "the expectation", key,
                   "standing=good, quarantined=N, medium=SHARE, ran=SHARE, stuck=no, low=never, low=after:TIME, "
                   "low=reached, trust-at-most=SCORE or trust-at-least=SCORE");
    }
    e->number = milli;
    return failed;
}

/* The next word of the line; NULL: no more. */
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \t\r");
    if (!*word || *word == '#')
        return NULL;
    *rest = word + strcspn(word, " \t\r");
    if (**rest)
        *(*rest)++ = '\0';
    return word;
}

static int split(const struct reader *r, char *word, char **ret_value)
{
    char *equals = strchr(word, '=');
    if (!equals || !equals[1])
        return bad(r, "the word", word, "KEY=VALUE");
    *equals = '\0';
    *ret_value = equals + 1;
    return 0;
}

static int read_stream(struct reader *r, const char *name, char *rest)
{
    struct sim_file *f = r->file;
    char *word, *value = NULL;
    if (f->stream_count == SIM_STREAMS)
        return bad(r, "stream", name, "at most 64 of them");
    struct sim_stream *s = &f->streams[f->stream_count];
    *s = (struct sim_stream){ .every_ms = 3600000,
                              .for_ms = 86400000,
                              .kinds[SIM_SUCCESS] = 1,
                              .needs = { 0, 0, 1 },
                              .shapes = 40,
                              .size = 40,
                              .vouch = UINT32_MAX,
                              .asks = -1,
                              .seed = 1 };
    int e = read_name(r, "stream", name, s->name);
    for (uint32_t i = 0; e == 0 && i < f->stream_count; i++)
        if (str_eq(f->streams[i].name, name))
            e = bad(r, "stream", name, "a name that no other stream has");
    while (e == 0 && (word = next_word(&rest)))
        if ((e = split(r, word, &value)) == 0)
            e = stream_key(r, s, word, value);
    if (e == 0 && (!s->every_ms || !s->shapes || s->for_ms / s->every_ms > 1000000))
        e = bad(r, "stream", name, "every and shapes above 0, and at most a million runs");
    f->stream_count += e == 0;
    return e;
}

static int read_expect(struct reader *r, const char *name, char *rest)
{
    struct sim_file *f = r->file;
    char *word, *value = NULL;
    uint32_t i = 0;
    int e = 0;
    while (i < f->stream_count && !str_eq(f->streams[i].name, name))
        i++;
    if (i == f->stream_count)
        return bad(r, "expect", name, "the name of a stream above");
    while (e == 0 && (word = next_word(&rest))) {
        if (f->expect_count == SIM_EXPECTS)
            return bad(r, "expect", name, "at most 256 of them");
        struct sim_expect *x = &f->expects[f->expect_count];
        *x = (struct sim_expect){ .line = r->line, .stream = i };
        (void)snprintf(x->text, sizeof x->text, "%s %s", name, word);
        if ((e = split(r, word, &value)) == 0)
            e = expect_key(r, x, word, value);
        f->expect_count += e == 0;
    }
    return e;
}

int sim_read(char *text, struct sim_file *ret, struct error *err)
{
    struct reader r = { .file = ret, .err = err };
    int e = 0;
    memset(ret, 0, sizeof *ret);
    for (char *line = text, *next; e == 0 && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        r.line++;
        char *rest = line, *verb = next_word(&rest), *name = verb ? next_word(&rest) : NULL;
        if (!verb)
            continue;
        if (str_eq(verb, "stream") && name)
            e = read_stream(&r, name, rest);
        else if (str_eq(verb, "expect") && name)
            e = read_expect(&r, name, rest);
        else
            e = bad(&r, "the line begins with", verb, "stream NAME or expect NAME");
    }
    return e == 0 && !ret->stream_count ? err_set(err, -EINVAL, BLAME_CALLER, NULL, "no stream in the file") : e;
}
