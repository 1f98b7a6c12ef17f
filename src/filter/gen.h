/* gen.h - writes a classic BPF program from its end to its beginning.
 *
 * BPF jumps forward only, so writing backwards every target is known when a jump is
 * written. `at` counts instructions from the end: the first one emitted is the last one
 * executed. An instruction equal to one written before, with the same targets, is not
 * written again: two calls with the same conditions share their code. A jump to a jump
 * whose outcome is already known goes where that one would; what nothing reaches any
 * more is dropped in the end. So rules may be stacked without care for their size.
 * Conditional jumps reach 255 instructions; beyond that gen writes a JA, or another
 * copy of the RET, near by.
 *
 * When the buffer is full `full` is set and further positions mean nothing.
 */
#pragma once
#include "base/base.h"

#include <linux/filter.h>

typedef uint32_t at;

struct gen {
    struct sock_filter *out; /* borrows */
    uint32_t n, max;
    bool full;
};

at gen_ret(struct gen *g, uint32_t action);
/* LD of the 32-bit word at `offset` of seccomp_data, then `next`. */
at gen_load(struct gen *g, uint32_t offset, at next);
/* A &= mask, then `next`. */
at gen_and(struct gen *g, uint32_t mask, at next);
/* op: BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET. Returns `yes` when both targets are one. */
at gen_jump(struct gen *g, uint16_t op, uint32_t k, at yes, at no);
/* Turns the program round; `start` becomes its first instruction. */
void gen_finish(struct gen *g, at start);
