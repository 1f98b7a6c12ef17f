#include "base/strlist.h"

#include <stdarg.h>
#include <stdio.h>

int strlist_add(struct strlist *l, const char *s)
{
    size_t n = strlen(s) + 1;
    if (l->data && l->cap == 0)
        return -EPERM;
    if (n > STRLIST_MAX_BYTES - l->size)
        return -E2BIG;
    if (l->size + n > l->cap) {
        uint32_t cap = l->cap ? l->cap : 128;
        while (cap < l->size + n)
            cap *= 2;
        char *p = realloc(l->data, cap);
        if (!p)
            return -ENOMEM;
        l->data = p;
        l->cap = cap;
    }
    memcpy(l->data + l->size, s, n);
    l->size += (uint32_t)n;
    l->count++;
    return 0;
}

int strlist_addf(struct strlist *l, const char *fmt, ...)
{
    char tmp[4096];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(tmp, sizeof tmp, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof tmp)
        return -E2BIG;
    return strlist_add(l, tmp);
}

void strlist_done(struct strlist *l)
{
    if (l->cap)
        free(l->data);
    *l = (struct strlist){ 0 };
}

bool strlist_has(const struct strlist *l, const char *s)
{
    STRLIST_FOREACH(e, l)
    if (str_eq(e, s))
        return true;
    return false;
}

bool strlist_is_valid(const char *data, size_t size, size_t count)
{
    if (size > STRLIST_MAX_BYTES || count > size)
        return false;
    if (size == 0)
        return count == 0;
    if (data[size - 1] != '\0')
        return false;
    size_t seen = 0;
    for (size_t i = 0; i < size; i++)
        seen += data[i] == '\0';
    return seen == count;
}

char **strlist_argv(const struct strlist *l)
{
    char **v = calloc((size_t)l->count + 1, sizeof *v);
    if (!v)
        return NULL;
    size_t i = 0;
    STRLIST_FOREACH(s, l)
    v[i++] = (char *)s;
    return v;
}

const char *strlist_get(const struct strlist *l, const char *key)
{
    size_t n = strlen(key);
    STRLIST_FOREACH(s, l)
    if (strncmp(s, key, n) == 0 && s[n] == '=')
        return s + n + 1;
    return NULL;
}
