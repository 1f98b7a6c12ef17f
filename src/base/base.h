/* base.h - what every file of this house may use without asking.
 *
 * Leaf module: includes nothing of ours. Programs linked against musl and
 * programs linked against glibc share it, so nothing here may depend on either.
 */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MIN_OF(a, b) ((a) < (b) ? (a) : (b))
#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))

#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define MUST_USE          __attribute__((warn_unused_result))

/* Scope-bound ownership: `cleanup(freep) char *s = NULL;` */
#define cleanup(fn) __attribute__((cleanup(fn), unused)) /* unused: clang does not see that its end is its use */

static inline void freep(void *p)
{
    void **ptr = p;
    free(*ptr);
    *ptr = NULL;
}

static inline void closep(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd); /* nothing to do about a failing close */
    *fd = -EBADF;
}

#define TAKE_FD(fd)          \
    ({                       \
        int take_fd_ = (fd); \
        (fd) = -EBADF;       \
        take_fd_;            \
    })
#define TAKE_PTR(p)                    \
    ({                                 \
        __typeof__(p) take_ptr_ = (p); \
        (p) = NULL;                    \
        take_ptr_;                     \
    })

static inline bool str_eq(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static inline bool str_starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static inline bool str_ends(const char *s, const char *end)
{
    const size_t n = strlen(s), k = strlen(end);
    return n >= k && memcmp(s + n - k, end, k) == 0;
}

/* list ends with NULL. */
static inline bool str_is_one_of(const char *s, const char *const *list)
{
    while (*list && !str_eq(s, *list))
        list++;
    return *list != NULL;
}

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
