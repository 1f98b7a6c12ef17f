/* syscalls.h - names and numbers of the system calls of the machine we are built for.
 *
 * NR_read, NR_write ... are constants; a call that this architecture does not have
 * (open, fork ... on aarch64) is -1, so tables can name it on both. Own constants
 * instead of <sys/syscall.h>: the headers of the build machine are older than the
 * kernels we run on (Debian 12 knows numbers up to 450, Linux 7.0 has 471).
 */
#pragma once
#include "base/base.h"

/* FILTER_FOR_AARCH64 lets an x86_64 machine compile and unit-test the other tables. */
#if defined(__aarch64__) || defined(FILTER_FOR_AARCH64)
#define FILTER_IS_AARCH64 1
#define SYSCALL_TABLE     "filter/syscalls-aarch64.h"
#elif defined(__x86_64__)
#define FILTER_IS_AARCH64 0
#define SYSCALL_TABLE     "filter/syscalls-x86_64.h"
#else
#error "the filter knows x86_64 and aarch64 only"
#endif

enum {
#define SYSCALL(nr, name)    NR_##name = (nr),
#define SYSCALL_ABSENT(name) NR_##name = -1,
#include SYSCALL_TABLE
#undef SYSCALL
#undef SYSCALL_ABSENT
};

/* Newest call known to the tables. */
#define SYSCALL_NEWEST NR_rseq_slice_yield

/* NULL for a number without a call. */
const char *syscall_name(int nr);
/* -ENOENT for a name that this architecture (or our table) does not have. */
int syscall_number(const char *name);
