#include "scan/effect.h"
#include "scan/effects.inc" /* scripts/effects.py */

#define TABLE(l)                                                                   \
    {                                                                              \
        l##_exact, ARRAY_LEN(l##_exact) - 1, l##_prefix, ARRAY_LEN(l##_prefix) - 1 \
    }

static const struct table {
    const struct known *exact;
    size_t exact_count;
    const struct known *prefix;
    size_t prefix_count;
} tables[LANG_COUNT] = {
    [LANG_PYTHON] = TABLE(python), [LANG_NODE] = TABLE(node), [LANG_BASH] = TABLE(bash),
    [LANG_GO] = TABLE(go),         [LANG_RUST] = TABLE(rust),
};

const struct known *effect_table(enum language l, size_t *ret_count)
{
    *ret_count = tables[l].exact_count;
    return tables[l].exact;
}

const struct known *effect_find(enum language l, const char *name, size_t size)
{
    size_t low = 0, high = memchr(name, '\0', size) ? 0 : tables[l].exact_count; /* a program may have any bytes */
    while (low < high) {
        size_t mid = (low + high) / 2;
        const struct known *k = &tables[l].exact[mid];
        int order = strncmp(name, k->name, size);
        if (order == 0 && k->name[size] == '\0')
            return k;
        if (order <= 0) /* a beginning of a longer name comes before it */
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

bool effect_has_below(enum language l, const char *path)
{
    const struct known *k = tables[l].exact;
    size_t low = 0, high = tables[l].exact_count, n = strlen(path);
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (strcmp(k[mid].name, path) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < tables[l].exact_count && strncmp(k[low].name, path, n) == 0; low++)
        if (k[low].name[n] == '\0' || k[low].name[n] == ':')
            return true;
    return false;
}

static void add(struct effects *s, const struct known *k)
{
    for (size_t i = 0; i < EFFECTS_MAX && k->effects[i] != EF_NONE; i++)
        s->bits[k->effects[i] / 64] |= UINT64_C(1) << k->effects[i] % 64;
}

struct effects effects_of(enum language l, const char *name, size_t size)
{
    static_assert(EF_COUNT <= 8 * sizeof(struct effects), "a bit for each effect");
    const struct table *t = &tables[l];
    const struct known *k = effect_find(l, name, size);
    struct effects s = { 0 };
    if (k)
        add(&s, k);
    for (size_t i = 0; size && i < t->prefix_count; i++) {
        k = &t->prefix[i];
        if (k->name[0] == name[0] && strlen(k->name) <= size && memcmp(k->name, name, strlen(k->name)) == 0)
            add(&s, k);
    }
    return s;
}
