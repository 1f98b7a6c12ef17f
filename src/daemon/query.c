#include "daemon/query.h"

#include "audit/line.h"
#include "base/parse.h"

#define MAX_NAMES 32u

struct check {
    const char *const *names;
    size_t count;
    uint32_t seen;
    struct error *err;
    int code;
};

static int say_unknown(const struct check *k, const char *name)
{
    struct buf clean;
    buf_init(&clean, 256);
    (void)buf_adds_clean(&clean, name);
    const char *near = nearest_word(name, k->names, k->count);
    int e = err_set(k->err, -EBADMSG, BLAME_CALLER, NULL, "unknown parameter: %s",
                    clean.data && !clean.failed ? clean.data : "?");
    (void)(near ? err_remedy(k->err, "perhaps %s was meant", near)
                : err_remedy(k->err, "docs/openapi.yaml names those that there are"));
    buf_done(&clean);
    return e;
}

static bool check_one(void *context, const char *name, const char *value)
{
    struct check *k = context;
    (void)value;
    for (size_t i = 0; i < k->count; i++)
        if (str_eq(name, k->names[i])) {
            if (k->seen & UINT32_C(1) << i)
                k->code = err_set(k->err, -EBADMSG, BLAME_CALLER, NULL, "the parameter %s is there twice", name);
            k->seen |= UINT32_C(1) << i;
            return k->code == 0;
        }
    k->code = say_unknown(k, name);
    return false;
}

int query_known(const struct http_request *q, const char *const *names, struct error *err)
{
    struct check k = { .names = names, .err = err };
    while (names[k.count])
        k.count++;
    assert(k.count <= MAX_NAMES); /* our own tables */
    http_query_each(q, check_one, &k);
    return k.code;
}

int query_uint(const struct http_request *q, const char *name, uint64_t min, uint64_t max, uint64_t *ret,
               struct error *err)
{
    const char *text = http_query(q, name);
    uint64_t v;
    if (!text)
        return 0;
    if (parse_u64(text, &v) < 0 || v < min || v > max)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: accepted is a whole number from %llu to %llu", name,
                       (unsigned long long)min, (unsigned long long)max);
    *ret = v;
    return 0;
}

int query_time(const struct http_request *q, const char *name, uint64_t now_ms, uint64_t *ret_ms, struct error *err)
{
    const char *text = http_query(q, name);
    if (!text || audit_time_ask(text, now_ms, ret_ms) == 0)
        return 0;
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: accepted are " AUDIT_TIME_ACCEPTED, name);
}

int query_choice(const struct http_request *q, const char *name, const char *const *choices, int *ret,
                 struct error *err)
{
    const char *text = http_query(q, name);
    if (!text)
        return 0;
    struct buf all;
    buf_init(&all, 512);
    int e = -EINVAL;
    for (int i = 0; choices[i] && e < 0; i++) {
        if (str_eq(text, choices[i]))
            *ret = i, e = 0;
        (void)buf_addf(&all, "%s%s", i ? ", " : "", choices[i]);
    }
    if (e < 0)
        e = err_set(err, e, BLAME_CALLER, NULL, "%s: accepted are %s", name, all.data ? all.data : "");
    buf_done(&all);
    return e;
}
