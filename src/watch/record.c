#include "watch/record.h"

#include "base/members.h"
#include "filter/syscalls.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>

static const char *const verdict_names[] = { "allowed", "refused" };
static const char *const stdio_names[] = { "none", "file", "pipe", "tty", "unix", "inet", "other" };
static const char *const flag_names[] = { "writable_place", "set_id",  "for_writing", "sensitive", "canary",   "inside",
                                          "settings",       "answers", "as_came",     "as_string", "of_others" };

/* What a line holds, between text and event. */
struct raw {
    uint64_t at_us, pid, inside, parent, nr, error, args[3], family, protocol, port, connection, bytes_out, bytes_in,
        cpu_us, memory_bytes, pids, stdio_id[3];
    struct slice kind, verdict, call, address, flags, stdio[3], text, name, argv;
};
#define N(m, key) MEMBER(key, MEMBER_NUMBER, struct raw, m)
#define T(m, key) MEMBER(key, MEMBER_TEXT, struct raw, m)
static const struct member members[] = {
    N(at_us, "at_us"),
    T(kind, "kind"),
    N(pid, "pid"),
    N(inside, "inside"),
    N(parent, "parent"),
    T(verdict, "verdict"),
    T(call, "call"),
    N(nr, "nr"),
    N(error, "error"),
    N(args[0], "arg0"),
    N(args[1], "arg1"),
    N(args[2], "arg2"),
    N(family, "family"),
    N(protocol, "protocol"),
    T(address, "address"),
    N(port, "port"),
    N(connection, "connection"),
    N(bytes_out, "bytes_out"),
    N(bytes_in, "bytes_in"),
    N(cpu_us, "cpu_us"),
    N(memory_bytes, "memory_bytes"),
    N(pids, "pids"),
    T(flags, "flags"),
    T(stdio[0], "stdin"),
    N(stdio_id[0], "stdin_id"),
    T(stdio[1], "stdout"),
    N(stdio_id[1], "stdout_id"),
    T(stdio[2], "stderr"),
    N(stdio_id[2], "stderr_id"),
    T(text, "text"),
    T(name, "name"),
    T(argv, "argv"),
};
#undef N
#undef T
_Static_assert(ARRAY_LEN(members) <= MEMBERS_MAX, "a bit for each member");

/* ---- writing ---- */

static void put_number(struct buf *b, const char *key, uint64_t v)
{
    if (v)
        (void)buf_addf(b, ",\"%s\":%llu", key, (unsigned long long)v);
}

static void put_text(struct buf *b, const char *key, const char *s)
{
    if (!s)
        return;
    (void)buf_addf(b, ",\"%s\":\"", key);
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            (void)buf_addf(b, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            (void)buf_addf(b, "\\u%04x", c);
        else
            (void)buf_addc(b, (char)c);
    }
    (void)buf_addc(b, '"');
}

static void put_flags(struct buf *b, uint32_t flags)
{
    char text[128] = "";
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(flag_names); i++)
        if (flags & UINT32_C(1) << i)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? " " : "", flag_names[i]);
    put_text(b, "flags", n ? text : NULL);
}

static void put_address(struct buf *b, const struct watch_event *e)
{
    char text[INET6_ADDRSTRLEN];
    const bool is_inet = e->family == AF_INET || e->family == AF_INET6;
    if (!is_inet)
        put_number(b, "family", e->family);
    else if (inet_ntop(e->family, e->address, text, sizeof text))
        put_text(b, "address", text);
}

static void put_call(struct buf *b, const struct watch_event *e)
{
    const char *name = e->nr <= INT32_MAX ? syscall_name((int)e->nr) : NULL;
    if (name && (e->nr || e->kind == WATCH_CALL))
        put_text(b, "call", name);
    else
        put_number(b, "nr", e->nr);
}

int record_write(struct buf *b, const struct watch_event *e)
{
    (void)buf_addf(b, "{\"at_us\":%llu", (unsigned long long)e->at_us);
    put_text(b, "kind", watch_kind_names[e->kind]);
    put_number(b, "pid", e->pid);
    put_number(b, "inside", e->inside);
    put_number(b, "parent", e->parent);
    put_text(b, "verdict", e->verdict ? verdict_names[e->verdict] : NULL);
    put_call(b, e);
    put_number(b, "error", e->error);
    put_number(b, "arg0", e->args[0]);
    put_number(b, "arg1", e->args[1]);
    put_number(b, "arg2", e->args[2]);
    put_address(b, e);
    put_number(b, "protocol", e->protocol);
    put_number(b, "port", e->port);
    put_number(b, "connection", e->connection);
    put_number(b, "bytes_out", e->bytes_out);
    put_number(b, "bytes_in", e->bytes_in);
    put_number(b, "cpu_us", e->cpu_us);
    put_number(b, "memory_bytes", e->memory_bytes);
    put_number(b, "pids", e->pids);
    put_flags(b, e->flags);
    put_text(b, "stdin", e->stdio0 ? stdio_names[e->stdio0] : NULL);
    put_number(b, "stdin_id", e->stdio_id0);
    put_text(b, "stdout", e->stdio1 ? stdio_names[e->stdio1] : NULL);
    put_number(b, "stdout_id", e->stdio_id1);
    put_text(b, "stderr", e->stdio2 ? stdio_names[e->stdio2] : NULL);
    put_number(b, "stderr_id", e->stdio_id2);
    put_text(b, "text", e->text);
    put_text(b, "name", e->name);
    put_text(b, "argv", e->argv);
    return buf_adds(b, "}\n");
}

/* ---- reading ---- */

static int wrong(struct error *err, const char *key, const char *what)
{
    return err_set(err, -EBADMSG, BLAME_CALLER, NULL, "%s: %s", key, what);
}

/* The index of a word; absent: 0. */
static int read_word(struct slice s, const char *key, const char *const *words, size_t count, uint8_t *ret,
                     struct error *err)
{
    for (size_t i = 0; s.p && i < count; i++)
        if (words[i] && slice_is(s, words[i])) {
            *ret = (uint8_t)i;
            return 0;
        }
    return s.p ? wrong(err, key, "no word of a recording") : 0;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Exactly what put_text() writes. */
static int read_text(struct slice s, const char *key, char *out, size_t size, const char **ret, struct error *err)
{
    size_t n = 0;
    if (!s.p)
        return 0;
    for (uint32_t i = 0; i < s.size; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c >= 0x7f)
            return wrong(err, key, "a byte that is not ASCII");
        if (c == '\\' && i + 1 < s.size && (s.p[i + 1] == '"' || s.p[i + 1] == '\\')) {
            c = (unsigned char)s.p[++i];
        } else if (c == '\\') {
            int high = i + 5 < s.size ? hex_digit(s.p[i + 4]) : -1, low = high < 0 ? -1 : hex_digit(s.p[i + 5]);
            if (low < 0 || memcmp(s.p + i, "\\u00", 4) != 0 || (high == 0 && low == 0))
                return wrong(err, key, "an escape other than \\\", \\\\ and \\u00XX");
            c = (unsigned char)(high << 4 | low);
            i += 5;
        }
        if (n + 1 >= size)
            return wrong(err, key, "too long");
        out[n++] = (char)c;
    }
    out[n] = '\0';
    *ret = out;
    return 0;
}

static int read_flags(struct slice s, uint32_t *ret, struct error *err)
{
    for (uint32_t at = 0; s.p && at <= s.size;) {
        const char *space = memchr(s.p + at, ' ', s.size - at);
        const struct slice word = { s.p + at, space ? (uint32_t)(space - s.p) - at : s.size - at };
        size_t i = 0;
        while (i < ARRAY_LEN(flag_names) && !slice_is(word, flag_names[i]))
            i++;
        if (i == ARRAY_LEN(flag_names) || *ret & UINT32_C(1) << i)
            return wrong(err, "flags", "unknown, or there twice");
        *ret |= UINT32_C(1) << i;
        at += word.size + 1;
    }
    return 0;
}

static int read_address(struct slice s, uint64_t family, struct watch_event *ret, struct error *err)
{
    char text[INET6_ADDRSTRLEN];
    if (!s.p) {
        if (family > UINT8_MAX || family == AF_INET || family == AF_INET6)
            return wrong(err, "family", "too large, or one of an address that is not there");
        ret->family = (uint8_t)family;
        return 0;
    }
    if (family || s.size >= sizeof text)
        return wrong(err, "address", "too long, or with a family beside it");
    memcpy(text, s.p, s.size);
    text[s.size] = '\0';
    ret->family = strchr(text, ':') ? AF_INET6 : AF_INET;
    if (inet_pton(ret->family, text, ret->address) != 1)
        return wrong(err, "address", "neither IPv4 nor IPv6");
    return 0;
}

static int read_call(const struct raw *r, struct watch_event *ret, struct error *err)
{
    char name[64];
    if (!r->call.p) {
        ret->nr = (uint32_t)r->nr;
        return 0;
    }
    if (r->nr || r->call.size >= sizeof name)
        return wrong(err, "call", "too long, or with a number beside it");
    memcpy(name, r->call.p, r->call.size);
    name[r->call.size] = '\0';
    int nr = syscall_number(name);
    if (nr < 0)
        return wrong(err, "call", "this machine has no such system call");
    ret->nr = (uint32_t)nr;
    return 0;
}

static int read_numbers(const struct raw *r, struct watch_event *ret, struct error *err)
{
    const struct {
        uint64_t v, max;
        const char *key;
    } bounds[] = { { r->inside, INT32_MAX, "inside" }, { r->parent, INT32_MAX, "parent" },
                   { r->pid, INT32_MAX, "pid" },       { r->nr, UINT32_MAX, "nr" },
                   { r->error, 4095, "error" },        { r->protocol, UINT8_MAX, "protocol" },
                   { r->port, UINT16_MAX, "port" },    { r->pids, UINT32_MAX, "pids" } };
    for (size_t i = 0; i < ARRAY_LEN(bounds); i++)
        if (bounds[i].v > bounds[i].max)
            return wrong(err, bounds[i].key, "too large");
    ret->at_us = r->at_us;
    ret->pid = (uint32_t)r->pid;
    ret->inside = (uint32_t)r->inside;
    ret->parent = (uint32_t)r->parent;
    ret->error = (uint32_t)r->error;
    memcpy(ret->args, r->args, sizeof ret->args);
    ret->protocol = (uint8_t)r->protocol;
    ret->port = (uint16_t)r->port;
    ret->connection = r->connection;
    ret->bytes_out = r->bytes_out;
    ret->bytes_in = r->bytes_in;
    ret->cpu_us = r->cpu_us;
    ret->memory_bytes = r->memory_bytes;
    ret->pids = (uint32_t)r->pids;
    ret->stdio_id0 = r->stdio_id[0];
    ret->stdio_id1 = r->stdio_id[1];
    ret->stdio_id2 = r->stdio_id[2];
    return 0;
}

static int read_words(const struct raw *r, struct watch_event *ret, struct error *err)
{
    int e = read_word(r->kind, "kind", watch_kind_names, WATCH_KIND_COUNT, &ret->kind, err);
    if (e == 0 && !ret->kind)
        e = wrong(err, "kind", "missing");
    if (e == 0)
        e = read_word(r->verdict, "verdict", verdict_names, ARRAY_LEN(verdict_names), &ret->verdict, err);
    if (e == 0)
        e = read_word(r->stdio[0], "stdin", stdio_names, ARRAY_LEN(stdio_names), &ret->stdio0, err);
    if (e == 0)
        e = read_word(r->stdio[1], "stdout", stdio_names, ARRAY_LEN(stdio_names), &ret->stdio1, err);
    if (e == 0)
        e = read_word(r->stdio[2], "stderr", stdio_names, ARRAY_LEN(stdio_names), &ret->stdio2, err);
    return e;
}

int record_read(const char *line, size_t size, struct record *ret, struct error *err)
{
    struct raw r = { 0 };
    uint32_t seen;
    struct watch_event *e = &ret->event;
    *e = (struct watch_event){ 0 };
    if (members_read_all(line, size, members, ARRAY_LEN(members), &r, &seen) < 0)
        return err_set(err, -EBADMSG, BLAME_CALLER, NULL, "not a flat JSON object of a recording's members, each once");
    int code = seen & 1 ? read_words(&r, e, err) : wrong(err, "at_us", "missing");
    if (code == 0)
        code = read_numbers(&r, e, err);
    if (code == 0)
        code = read_call(&r, e, err);
    if (code == 0)
        code = read_address(r.address, r.family, e, err);
    if (code == 0)
        code = read_flags(r.flags, &e->flags, err);
    if (code == 0)
        code = read_text(r.text, "text", ret->text, sizeof ret->text, &e->text, err);
    if (code == 0)
        code = read_text(r.name, "name", ret->name, sizeof ret->name, &e->name, err);
    if (code == 0)
        code = read_text(r.argv, "argv", ret->argv, sizeof ret->argv, &e->argv, err);
    return code;
}
