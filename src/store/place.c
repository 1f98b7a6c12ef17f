#include "store/place.h"

#include <stddef.h>
#include "base/buf.h"
#include "base/parse.h"

#define BEGIN    "postgresql\n"
#define WORD_MAX 16384u

static const struct field {
    const char *name;
    size_t offset;
    bool is_number;
} fields[] = {
    { "host", offsetof(struct store_place, host), false },
    { "port", offsetof(struct store_place, port), true },
    { "database", offsetof(struct store_place, database), false },
    { "user", offsetof(struct store_place, user), false },
    { "password_file", offsetof(struct store_place, password_file), false },
    { "ca_file", offsetof(struct store_place, ca_file), false },
    { "certificate", offsetof(struct store_place, certificate), false },
    { "key", offsetof(struct store_place, key), false },
    { "node", offsetof(struct store_place, node), false },
    { "address", offsetof(struct store_place, address), false },
    { "levels", offsetof(struct store_place, levels), true },
    { "is_durable", offsetof(struct store_place, is_durable), true },
};

const char *store_place_print(const struct store_place *p, struct arena *a)
{
    struct buf b;
    bool is_good = true;
    buf_init(&b, WORD_MAX);
    (void)buf_adds(&b, BEGIN);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const char *member = (const char *)p + fields[i].offset, *text = NULL;
        if (fields[i].is_number) {
            (void)buf_addf(&b, "%s=%llu\n", fields[i].name,
                           (unsigned long long)*(const uint64_t *)(const void *)member);
            continue;
        }
        memcpy(&text, member, sizeof text);
        is_good = is_good && !(text && strchr(text, '\n'));
        if (text)
            (void)buf_addf(&b, "%s=%s\n", fields[i].name, text);
    }
    const char *word = is_good && !b.failed ? arena_copy(a, b.data) : NULL;
    buf_done(&b);
    return a->failed ? NULL : word;
}

bool store_place_is_shared(const char *word)
{
    return str_starts(word, BEGIN);
}

static int read_field(const char *line, size_t size, struct arena *a, struct store_place *ret)
{
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const size_t n = strlen(fields[i].name);
        if (size <= n || strncmp(line, fields[i].name, n) != 0 || line[n] != '=')
            continue;
        const char *text = arena_copy_bytes(a, line + n + 1, size - n - 1);
        char *member = (char *)ret + fields[i].offset;
        if (fields[i].is_number)
            return parse_u64(text, (uint64_t *)(void *)member);
        memcpy(member, &text, sizeof text);
        return a->failed ? -ENOMEM : 0;
    }
    return -EINVAL;
}

int store_place_read(const char *word, struct arena *a, struct store_place *ret, struct error *err)
{
    int e = store_place_is_shared(word) ? 0 : -EINVAL;
    *ret = (struct store_place){ 0 };
    for (const char *line = word + strlen(BEGIN); e == 0 && *line;) {
        const size_t size = strcspn(line, "\n");
        e = read_field(line, size, a, ret);
        line += size + (line[size] == '\n');
    }
    if (e == 0 && (!ret->host || !ret->database || !ret->port || ret->port > 65535))
        e = -EINVAL;
    return e < 0 ? err_set(err, e, BLAME_US, "STORE", "a place of a store that is none") : 0;
}
