#include "watch/detect.h"

#include <stdarg.h>
#include <stdio.h>

bool decided(struct evidence *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(e->text, EVIDENCE_WORDS_MAX, fmt, ap);
    va_end(ap);
    return true;
}

struct shown shown(const char *text)
{
    struct shown s = { "?" };
    size_t n = 0;
    for (const char *p = text; p && *p; p++) {
        unsigned char c = *p == WATCH_ARGV_SEPARATOR ? ' ' : (unsigned char)*p;
        if (n + 4 + 4 > sizeof s.text) { /* room for one more and for «...» */
            n += (size_t)snprintf(s.text + n, sizeof s.text - n, "...");
            break;
        }
        n += (size_t)snprintf(s.text + n, sizeof s.text - n, c < 0x20 || c >= 0x7f ? "\\x%02x" : "%c", c);
    }
    return s;
}

struct shown shown_peer(const struct watch_event *e)
{
    struct shown s;
    char address[WATCH_ADDRESS_MAX];
    watch_event_address(e, address);
    if (e->name && *e->name)
        (void)snprintf(s.text, sizeof s.text, "%.40s (%s)", shown(e->name).text, address);
    else
        (void)snprintf(s.text, sizeof s.text, "%s", address);
    return s;
}

struct shown shown_time(uint64_t at_us)
{
    struct shown s;
    (void)snprintf(s.text, sizeof s.text, "%llu.%03llu s", (unsigned long long)(at_us / 1000000),
                   (unsigned long long)(at_us / 1000 % 1000));
    return s;
}

struct shown shown_bytes(uint64_t n)
{
    struct shown s;
    if (n >= 10 * MIB)
        (void)snprintf(s.text, sizeof s.text, "%llu MiB", (unsigned long long)(n / MIB));
    else
        (void)snprintf(s.text, sizeof s.text, "%llu byte%s", (unsigned long long)n, n == 1 ? "" : "s");
    return s;
}

/* FNV-1a, 64 bits: Fowler, Noll, Vo. Who makes two things collide hides one of them; the counts that are compared are
 * far above one. */
uint64_t watch_hash(const void *data, size_t size)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return h;
}

uint64_t watch_hash_host(const struct watch_event *e)
{
    return watch_hash(e->address, sizeof e->address) ^ e->family;
}

bool rule_names_peer(const char *rule)
{
    const char *what = rule && str_starts(rule, "allow ") ? rule + 6 : "";
    const char *slash = strchr(what, '/');
    if (!*what || strchr(what, '*') || strchr(what, ' '))
        return false;
    size_t n = slash ? strspn(slash + 1, "0123456789") : 0;
    return !slash || (n == 2 && memcmp(slash + 1, "32", 2) == 0) || (n == 3 && memcmp(slash + 1, "128", 3) == 0);
}

bool rule_is_open(const char *rule)
{
    return rule && str_eq(rule, "public address"); /* net/rules.c says so */
}
