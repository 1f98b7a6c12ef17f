/* filter.h - what system calls the payload may make: described, compiled, checked.
 *
 * A struct filter_spec says for each call number what happens: one action, or a list
 * of rules over the arguments (first match wins) before that action. Specs come from
 * filter_builtin() (our two allow-lists) or filter_load_oci() (a Docker profile);
 * filter_narrow() takes more away from either; filter_compile() makes the program
 * for seccomp(2). Actions are the kernel's own words: SECCOMP_RET_* with its data.
 *
 * Promises, each with a test:
 * - a number that is no call we know never becomes permitted, whatever the spec says;
 * - x32 and foreign-architecture calls are refused before anything else is looked at;
 * - what filter_harden() lists is refused in every spec this module hands out;
 * - strict permits nothing that default refuses.
 *
 * No allocation anywhere except in oci.c (jansson); a spec is a plain struct of about
 * 20 KB that may be copied, and owns nothing.
 */
#pragma once
#include "base/base.h"
#include "base/buf.h"
#include "base/error.h"

#include <linux/filter.h>
#include <linux/seccomp.h>

#define FILTER_ERRNO(e)    (SECCOMP_RET_ERRNO | (uint32_t)(e))
#define FILTER_ACTION(ret) ((ret)&SECCOMP_RET_ACTION_FULL)

/* Numbers 0..511 have an entry each; 512..547 are x32's and all above are unknown. */
#define FILTER_NRS        512
#define FILTER_MAX_RULES  256
#define FILTER_MAX_CONDS  512
#define FILTER_RULE_CONDS 6 /* a system call has six arguments */

enum filter_op {
    FILTER_EQ,
    FILTER_NE,
    FILTER_LT, /* all comparisons are unsigned, as libseccomp's */
    FILTER_LE,
    FILTER_GT,
    FILTER_GE,
    FILTER_MASKED_EQ, /* (arg & mask) == value */
    FILTER_MASKED_NE,
    FILTER_OPS,
};

/* One condition. low32: the kernel takes this argument as int, unsigned int or umode_t,
 * so only the low half may be looked at: bits above would let socket(0x100000028) pass
 * an «is not 40», or refuse a correct program whose compiler left garbage there.
 * With low32 the upper halves of mask and value must be 0. */
struct filter_cond {
    uint8_t arg;
    uint8_t op;
    bool low32;
    uint64_t mask; /* MASKED_* only */
    uint64_t value;
};

/* Lists are chains of index + 1 into the pools; 0 ends one. */
struct filter_rule {
    uint32_t action;
    uint16_t first_cond, cond_count;
    uint16_t next;
};

struct filter_entry {
    uint32_t action; /* when no rule matches */
    uint16_t rules;
};

struct filter_spec {
    uint32_t unknown; /* numbers without a call; a refusal */
    uint32_t foreign; /* i386, x32 and other architectures; a refusal */
    uint16_t rule_count, cond_count;
    struct filter_entry calls[FILTER_NRS];
    struct filter_rule rules[FILTER_MAX_RULES];
    struct filter_cond conds[FILTER_MAX_CONDS];
};

enum filter_kind {
    FILTER_DEFAULT, /* what ordinary programs need */
    FILTER_STRICT,  /* less what interpreters and compilers do without */
};

struct filter_options {
    bool allow_inet;         /* AF_INET and AF_INET6 beside AF_UNIX */
    bool refuse_setuid_bits; /* no change of ids, no set-id bits on files (key disable_setuid) */
    bool notify_fork;        /* new processes ask the supervisor: SECCOMP_RET_USER_NOTIF */
    bool kill_on_violation;  /* the dangerous refusals kill the process instead of EPERM */
    bool is_brokered; /* sockets of the host may come in: nothing but connect(2) and listen(2), which ask, may give them
                         a peer */
    uint32_t uid, gid; /* with refuse_setuid_bits: the payload's own. To ask for them changes nothing, and succeeds */
    bool kernel_judges_ids; /* of ids: no process inside has a capability to change them. For engines, whose words do
                               not suffice to compare two or three arguments */
};

/* ---- Making a spec ---- */

/* Every known call gets `fallback`; the rest is ENOSYS. */
void filter_spec_init(struct filter_spec *ret, uint32_t fallback);
/* Sets the action and drops the rules. A negative nr (absent here) is ignored. */
void filter_set(struct filter_spec *spec, int nr, uint32_t action);
/* Adds a rule behind (append) or before (prepend) the others. All conditions must hold.
 * -E2BIG when a pool is full, -EINVAL for a condition that makes no sense. */
int filter_rule_append(struct filter_spec *spec, int nr, const struct filter_cond *conds, size_t count,
                       uint32_t action) MUST_USE;
int filter_rule_prepend(struct filter_spec *spec, int nr, const struct filter_cond *conds, size_t count,
                        uint32_t action) MUST_USE;

int filter_builtin(enum filter_kind kind, const struct filter_options *opt, struct filter_spec *ret) MUST_USE;
/* An OCI or Docker seccomp profile, at most 1 MiB of JSON, already hardened; `path` is for
 * messages only. The options are the caller's to apply (filter_narrow). On failure *ret
 * holds nothing of use. */
int filter_load_oci(const char *path, const char *bytes, size_t size, struct filter_spec *ret,
                    struct error *err) MUST_USE;

/* The spec as such a profile (compact JSON, no NUL counted), for an engine that makes the filter with runc and
 * libseccomp: the same decision and errno for each known call and all arguments, also where libseccomp or the engine is
 * older than the profile. Of foreign architectures libseccomp kills the thread, unless the spec permits them: then it
 * has the same rules by name for those of this machine. -E2BIG: a call's arguments are too
 * finely cut to be said there; -EINVAL: it asks a supervisor; -EMSGSIZE. *out is then of no use. */
int filter_write_oci(const struct filter_spec *spec, struct buf *out) MUST_USE;

/* Refuses on top whatever no payload of ours may do. Idempotent. -E2BIG: pool full. */
int filter_harden(struct filter_spec *spec) MUST_USE;
/* Applies the options to any spec; only ever takes away. -E2BIG: pool full. */
int filter_narrow(struct filter_spec *spec, const struct filter_options *opt) MUST_USE;

/* Turns what shall be watched (enum notify_watch of base/watch_bits.h) into SECCOMP_RET_USER_NOTIF. The listener
 * evaluates the program of the spec as it was before, and refuses what that refuses. Kills stay kills. -E2BIG: pool
 * full. */
int filter_watch(struct filter_spec *spec, uint32_t watch) MUST_USE;

/* Behind filter_watch(): a call that is permitted or asks, if only with some arguments, is permitted, and so are
 * foreign architectures. For an engine's profile, where the payload loads the asking filter on top (src/entry): of an
 * engine's refusal no listener hears, and an engine's words for arguments are long. */
void filter_leave_to_listener(struct filter_spec *spec);

/* ---- From spec to program ---- */

/* Writes at most max instructions (BPF_MAXINSNS always suffices for what fits a spec's
 * pools in practice; -E2BIG if not). -EINVAL: the spec breaks a promise above. */
int filter_compile(const struct filter_spec *spec, struct sock_filter *out, size_t max, size_t *ret_n,
                   struct error *err) MUST_USE;

/* ---- Looking at a program ---- */

/* 0, or -EINVAL: only the eight instructions our compiler emits, forward jumps in bounds,
 * aligned loads within seccomp_data, known actions without SECCOMP_RET_TRACE, RET last.
 * prog: n times struct sock_filter, of any alignment (it may lie in a message). */
int filter_verify(const void *prog, size_t n) MUST_USE;
/* What the kernel would answer. A malformed program: SECCOMP_RET_KILL_PROCESS. */
uint32_t filter_eval(const struct sock_filter *prog, size_t n, const struct seccomp_data *data);
/* Tries everything filter_harden() refuses; true when nothing got through. */
bool filter_is_hardened(const struct sock_filter *prog, size_t n);

/* «allow», «EPERM», «ENOSYS», «notify», «kill» ...: caller's buffer for odd errnos. */
const char *filter_action_name(uint32_t action, char out[static 24]);
/* Allowed in the end, or another process decides: ALLOW, LOG, USER_NOTIF. */
bool filter_action_permits(uint32_t action);
/* One of those the kernel knows, without TRACE, and an errno not above 4095. */
bool filter_action_is_known(uint32_t action);

/* Text for --dry-run: counts, what else is checked, what is refused. */
int filter_summary(const struct filter_spec *spec, struct buf *out);

/* ---- The table of docs/syscalls.md, read off the compiled programs ---- */

/* Markdown: one row a call number, a column a level. */
int filter_table_markdown(struct buf *out);
/* nr, name, level, cell, outcome with all arguments 0, outcome with all bits set. */
int filter_table_tsv(struct buf *out);
