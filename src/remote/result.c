#include "remote/result.h"

#include <math.h>

#define TEXT_MAX       400u
#define NAME_LENGTH    64u
#define VIOLATIONS_MAX 64u
#define MISSING_MAX    64u
#define ISOLATION_MAX  (16 * KIB)

static const char *text(const json_t *object, const char *name, struct arena *a)
{
    const char *s = json_string_value(json_object_get(object, name));
    return s ? arena_printf(a, "%.*s", (int)TEXT_MAX, s) : NULL;
}

/* As ours are: what else is said would be refused by the store, and the agent's run never booked. */
static const char *name_of(const json_t *object, const char *name)
{
    const char *s = json_string_value(json_object_get(object, name));
    const size_t n = json_string_length(json_object_get(object, name));
    return s && n && n <= NAME_LENGTH && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == n ? s : NULL;
}

/* Thousandths, from milliseconds: 0 of what is no number, or none that can be. */
static uint64_t thousandths(const json_t *object, const char *name)
{
    const double v = json_number_value(json_object_get(object, name));
    return isfinite(v) && v > 0 && v < 1e15 ? (uint64_t)(v * 1000) : 0;
}

static uint64_t number(const json_t *object, const char *name)
{
    return thousandths(object, name) / 1000;
}

static enum run_reason reason_of(const char *name)
{
    for (unsigned r = 0; name && r < REASON_COUNT; r++)
        if (str_eq(name, reason_name((enum run_reason)r)))
            return (enum run_reason)r;
    return REASON_SANDBOX_ERROR;
}

static void take_end(const json_t *result, struct outcome *o)
{
    const json_t *code = json_object_get(result, "exit_code"), *signal = json_object_get(result, "signal");
    const json_int_t exit_code = json_integer_value(code), number_ = json_integer_value(signal);
    o->has_exit = json_is_integer(code) && exit_code >= 0 && exit_code <= 255;
    o->exit_code = o->has_exit ? (uint32_t)exit_code : 0;
    o->has_signal = json_is_integer(signal) && number_ > 0 && number_ <= 127;
    o->signal = o->has_signal ? (uint32_t)number_ : 0;
}

static void take_violations(const json_t *result, struct arena *a, struct outcome *o)
{
    size_t i;
    json_t *v;
    json_array_foreach(json_object_get(result, "violations"), i, v)
    {
        const char *type = name_of(v, "type"), *detail = text(v, "detail", a);
        if (i >= VIOLATIONS_MAX)
            break;
        if (!type) {
            (void)strlist_addf(&o->missing, "remote: violation %zu has no name that could be one, and is not counted",
                               i);
            continue;
        }
        (void)strlist_add(&o->violations, type);
        (void)strlist_add(&o->violations, detail ? detail : "");
        (void)strlist_addf(&o->violations, "%llu", (unsigned long long)number(v, "at_ms"));
    }
}

/* The members of an object, without its brackets. */
static const char *members(json_t *object, struct arena *a)
{
    char *words = json_dumps(object, JSON_COMPACT);
    const size_t n = words ? strlen(words) : 0;
    const char *answer = n > 2 && n <= ISOLATION_MAX ? arena_printf(a, "%.*s", (int)n - 2, words + 1) : NULL;
    free(words);
    return answer;
}

/* Only what is an object of the size that ours have. Where it was is told among it. */
static void take_isolation(const json_t *result, const char *address, struct arena *a, struct outcome *o)
{
    size_t i;
    json_t *line, *isolation = json_deep_copy(json_object_get(result, "isolation"));
    if (!json_is_object(isolation)) {
        json_decref(isolation);
        return;
    }
    json_array_foreach(json_object_get(isolation, "missing"), i, line) if (i < MISSING_MAX && json_string_value(line))(
        void) strlist_addf(&o->missing, "%.*s", (int)TEXT_MAX, json_string_value(line));
    (void)json_object_del(isolation, "missing");
    const char *id = name_of(result, "execution_id"), *level = name_of(result, "risk_level");
    (void)json_object_set_new(
        isolation, "remote",
        json_pack("{s:s, s:s?, s:s?}", "address", address, "execution_id", id, "risk_level", level));
    o->isolation = members(isolation, a);
    json_decref(isolation);
}

static void take_error(const json_t *result, struct arena *a, struct outcome *o)
{
    const json_t *error = json_object_get(result, "error");
    if (!json_is_object(error))
        return;
    const char *message = text(error, "message", a);
    o->error_code = EREMOTEIO;
    o->error_blame = o->reason == REASON_POLICY_DENIED ? BLAME_POLICY : BLAME_HOST;
    o->error_step = text(error, "step", a);
    o->error_text = arena_printf(a, "the remote sandboxd: %s", message ? message : "no reason");
    o->error_remedy = text(error, "remedy", a);
}

void result_outcome(const json_t *result, const char *address, struct arena *a, struct outcome *ret)
{
    struct outcome *o = ret;
    *o = (struct outcome){ .reason = (uint8_t)reason_of(json_string_value(json_object_get(result, "reason"))) };
    take_end(result, o);
    o->duration_us = thousandths(result, "duration_ms");
    o->cpu_us = thousandths(result, "cpu_ms");
    o->peak_memory_bytes = number(result, "peak_memory_bytes");
    o->memory_mib_ms = thousandths(result, "memory_mib_seconds");
    o->host_uid = UINT32_MAX;
    take_isolation(result, address, a, o);
    take_violations(result, a, o);
    take_error(result, a, o);
}
