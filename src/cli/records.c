#include "cli/records.h"

#include <stdio.h>
#include <time.h>
#include "audit/line.h"
#include "base/parse.h"

static const struct word *find(const struct word *table, const char *name, size_t size)
{
    for (; table->name; table++)
        if (strlen(table->name) == size && memcmp(table->name, name, size) == 0)
            return table;
    return NULL;
}

static int unknown(const char *command, const char *word, const struct word *table, struct error *err)
{
    const char *names[32];
    size_t n = 0;
    for (; table[n].name && n < ARRAY_LEN(names); n++)
        names[n] = table[n].name;
    const char *near = nearest_word(word, names, n);
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: unknown option %s", command, word);
    return near ? err_remedy(err, "perhaps %s was meant", near) : err_remedy(err, "see sandbox-agent --help");
}

static int take(const struct word *w, const char *value, struct error *err)
{
    if (w->value && *w->value)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s is there twice", w->name);
    if (w->value)
        *w->value = value;
    else if (strlist_add(w->many, value) < 0)
        return err_set(err, -E2BIG, BLAME_CALLER, NULL, "%s: too many of them", w->name);
    return 0;
}

int words_parse(int argc, char **argv, const struct word *table, const char **rest, size_t max_rest, size_t *ret_count,
                struct error *err)
{
    *ret_count = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *equals = strchr(word, '=');
        if (word[0] != '-' || !word[1]) {
            if (*ret_count == max_rest)
                return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: unexpected word %s", argv[0], word);
            rest[(*ret_count)++] = word;
            continue;
        }
        bool is_long = word[1] == '-';
        const struct word *w = find(table, word, is_long && equals ? (size_t)(equals - word) : strlen(word));
        if (!w)
            return unknown(argv[0], word, table, err);
        const char *value = is_long && equals ? equals + 1 : NULL;
        if (w->flag) {
            if (value)
                return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s takes no value", w->name);
            *w->flag = true;
            continue;
        }
        if (!value && ++i == argc)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: the value is missing", w->name);
        int e = take(w, value ? value : argv[i], err);
        if (e < 0)
            return e;
    }
    return 0;
}

int records_find(const struct paths *p, const char *config, struct arena *a, struct records *ret, struct error *err)
{
    const struct options o = { .config = config };
    *ret = (struct records){ 0 };
    int e = policy_load(&o, p, NULL, NULL, LANG_BASH, &ret->policy, err);
    if (e == 0)
        locations_find(p, &ret->policy.config, a, &ret->places);
    return e;
}

int records_time(const char *option, const char *text, uint64_t now_ms, uint64_t *ret_ms, struct error *err)
{
    if (audit_time_ask(text, now_ms, ret_ms) == 0)
        return 0;
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s %s: accepted are " AUDIT_TIME_ACCEPTED, option, text);
}

int records_number(const char *option, const char *text, uint64_t max, uint64_t *ret, struct error *err)
{
    uint64_t v;
    if (parse_u64(text, &v) < 0 || v > max)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s %s: accepted is a whole number up to %llu", option, text,
                       (unsigned long long)max);
    *ret = v;
    return 0;
}

int records_fail(const struct error *err)
{
    static const int codes[] = {
        [BLAME_US] = 125, [BLAME_HOST] = 125, [BLAME_CALLER] = 2, [BLAME_POLICY] = 123, [BLAME_GUEST] = 126
    };
    err_say("sandbox-agent", err);
    return codes[err->blame];
}
