/* rules_list.c - lists of regexes that rules share: {name} in a regex stands for «any of that list». */
#include "scan/rules_list.h"

struct named_list {
    const char *name, *regex; /* (?:one|two) */
    struct named_list *next;
};

static const struct named_list *find(const struct ruleset *s, const char *name, size_t size)
{
    const struct named_list *l = s->named;
    while (l && (strlen(l->name) != size || memcmp(l->name, name, size) != 0))
        l = l->next;
    return l;
}

bool rules_list_add(struct ruleset *s, const char *name, const char *regex)
{
    struct named_list *l = arena_zero(&s->arena, sizeof *l);
    if (!l || find(s, name, strlen(name)))
        return false;
    *l = (struct named_list){ name, arena_printf(&s->arena, "(?:%s)", regex), s->named };
    s->named = l;
    return true;
}

/* Of «{name}»: how long it is; 0: something else, such as {2,5}. */
static size_t name_size(const char *p)
{
    size_t n = 1;
    if (*p != '{' || p[1] < 'a' || p[1] > 'z')
        return 0;
    while ((p[n] >= 'a' && p[n] <= 'z') || p[n] == '-')
        n++;
    return p[n] == '}' ? n + 1 : 0;
}

const char *rules_list_expand(struct ruleset *s, const char *source, const char **ret_unknown)
{
    const char *all = "", *from = source;
    for (const char *p = source; *p; p++) {
        size_t n = name_size(p);
        /* \k{name}, \p{l}: PCRE's own; \{name}: the characters themselves */
        bool is_own = (p > source && p[-1] == '\\') || (p > source + 1 && p[-2] == '\\' && strchr("kpPgx", p[-1]));
        if (!n || is_own)
            continue;
        const struct named_list *l = find(s, p + 1, n - 2);
        if (!l) {
            *ret_unknown = arena_copy_bytes(&s->arena, p, n);
            return NULL;
        }
        all = arena_printf(&s->arena, "%s%.*s%s", all, (int)(p - from), from, l->regex);
        from = p + n;
        p = from - 1;
    }
    return from == source ? source : arena_printf(&s->arena, "%s%s", all, from);
}
