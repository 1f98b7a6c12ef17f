#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"

int err_set(struct error *err, int code, enum blame blame, const char *step, const char *fmt, ...)
{
    assert(code < 0); /* faults are negative: a zero here would report success with a text */
    if (!err)
        return code;
    err->code = code;
    err->blame = blame;
    err->remedy[0] = err->field[0] = '\0';
    (void)snprintf(err->step, sizeof err->step, "%s", step ? step : "");
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return code;
}

int err_remedy(struct error *err, const char *fmt, ...)
{
    if (!err)
        return -EINVAL;
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(err->remedy, sizeof err->remedy, fmt, ap);
    va_end(ap);
    return err->code;
}

void err_field(struct error *err, const char *name)
{
    if (err)
        (void)snprintf(err->field, sizeof err->field, "%s", name);
}

int err_wrap(struct error *err, const char *fmt, ...)
{
    if (!err)
        return -EINVAL;
    char old[sizeof err->text];
    memcpy(old, err->text, sizeof old);
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof err->text)
        (void)snprintf(err->text + n, sizeof err->text - (size_t)n, ": %s", old);
    return err->code;
}

void err_say(const char *prefix, const struct error *err)
{
    struct buf b;
    buf_init(&b, 8 * KIB);
    (void)buf_adds_clean(&b, err->text);
    if (err->remedy[0]) {
        (void)buf_adds(&b, "\n  remedy: ");
        (void)buf_adds_clean(&b, err->remedy);
    }
    (void)fprintf(stderr, "%s: %s\n", prefix, b.data ? b.data : "");
    buf_done(&b);
}

const char *blame_name(enum blame b)
{
    static const char *const names[] = { "us", "host", "caller", "policy", "guest" };
    return (size_t)b < ARRAY_LEN(names) ? names[b] : "us";
}

/* It could have been otherwise a moment ago, and will be: a program of ours died, descriptors or memory ran out. */
static bool is_passing(int code)
{
    static const int codes[] = { EAGAIN, EPIPE, ECONNRESET, ETIMEDOUT, EMFILE, ENFILE, ENOMEM, ENOSPC };
    for (size_t i = 0; i < ARRAY_LEN(codes); i++)
        if (code == -codes[i])
            return true;
    return false;
}

const char *err_public_code(const struct error *err)
{
    switch (err->blame) {
    case BLAME_CALLER:
        return "usage_error";
    case BLAME_POLICY:
        return "policy_denied";
    case BLAME_GUEST:
        return err->code == -ENOENT ? "not_found" : "not_executable";
    case BLAME_HOST:
        if (err->code == -ENOLINK)
            return "node_lost";
        return is_passing(err->code) ? "sandbox_error" : "host_unsupported";
    case BLAME_US:
        break;
    }
    return "sandbox_error";
}
