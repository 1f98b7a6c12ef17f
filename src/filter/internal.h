/* internal.h - shared by the files of this module only. */
#pragma once
#include "filter/filter.h"
#include "filter/syscalls.h"

#include <linux/audit.h>

#if FILTER_IS_AARCH64
#define FILTER_NATIVE_ARCH AUDIT_ARCH_AARCH64
#define FILTER_OTHER_ARCH  AUDIT_ARCH_ARM
#else
#define FILTER_NATIVE_ARCH AUDIT_ARCH_X86_64
#define FILTER_OTHER_ARCH  AUDIT_ARCH_I386
#endif

/* Conditions, written as tables of rules want them. All of these look at the low half. */
#define ARG_IS(n, v)                                             \
    {                                                            \
        .arg = (n), .op = FILTER_EQ, .low32 = true, .value = (v) \
    }
#define ARG_IS_NOT(n, v)                                         \
    {                                                            \
        .arg = (n), .op = FILTER_NE, .low32 = true, .value = (v) \
    }
#define ARG_ABOVE(n, v)                                          \
    {                                                            \
        .arg = (n), .op = FILTER_GT, .low32 = true, .value = (v) \
    }
#define ARG_HAS(n, bits) /* any of them */                                \
    {                                                                     \
        .arg = (n), .op = FILTER_MASKED_NE, .low32 = true, .mask = (bits) \
    }
#define ARG_LACKS(n, bits) /* all of them */                              \
    {                                                                     \
        .arg = (n), .op = FILTER_MASKED_EQ, .low32 = true, .mask = (bits) \
    }

/* Of a file's mode (umode_t, 16 bits): S_IFCHR or S_IFBLK, which have these bits and no other kind has. */
#define ARG_IS_DEVICE(n)                                                                       \
    {                                                                                          \
        .arg = (n), .op = FILTER_MASKED_EQ, .low32 = true, .mask = 0130000u, .value = 0020000u \
    }

struct refusal {
    int16_t nr;
    uint8_t error; /* EPERM: dangerous, may kill. ENOSYS: probed by honest programs */
};

/* A rule over arguments. The macros above all set low32, so the first condition without
 * it is behind the last one written. */
struct arg_rule {
    int16_t nr;
    uint32_t action;
    struct filter_cond conds[4];
};
size_t arg_rule_conds(const struct arg_rule *r);
/* Prepends the table, so that its first line is tried first. */
int arg_rules_prepend(struct filter_spec *spec, const struct arg_rule *rules, size_t count);

/* Can some arguments get nr through? */
bool spec_permits(const struct filter_spec *spec, int nr);

/* Refuses every socket option that is not on the list (sockopts.c). */
int sockopts_refuse(struct filter_spec *spec);
bool sockopt_is_permitted(uint32_t level, uint32_t option);

/* What filter_harden() refuses whatever the arguments. */
extern const struct refusal always_refused[];
extern const size_t always_refused_count;

/* Calls that change the payload's ids (narrow.c). */
extern const int16_t filter_id_calls[];
extern const size_t filter_id_call_count;
/* fork, vfork and clone of a process ask (watch.c). */
int filter_notify_forks(struct filter_spec *spec);

/* How many lines of builtin.c and harden.c speak of this call; a test wants exactly one. */
size_t builtin_mentions(int nr);

/* The conditions of the «args» cells in words (table.c). */
extern const struct arg_words {
    int16_t nr;
    const char *words;
} arg_words[];
extern const size_t arg_words_count;

/* Does the kernel cut this argument to its low half? (intargs.c) */
bool syscall_arg_is_int(int nr, unsigned arg);
