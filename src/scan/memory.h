/* memory.h - tree-sitter's memory: bounded, given back all at once, and without trust in what is freed.
 *
 * libtree-sitter 0.20 keeps the number of a node's children in 16 bits somewhere: a hostile text (66,000 open brackets)
 * makes it free a pointer into the middle of a block. Here each block has a head that only we can write; what has none
 * is not freed. When the bound is reached, the parse ends (longjmp): its memory goes with the pool.
 *
 * One pool in a process, one scan at a time.
 */
#pragma once
#include <setjmp.h>
#include "base/base.h"

#define MEMORY_MAX_BYTES (192u * MIB) /* below WORKER_MEMORY_BYTES: rules, code and facts need some, too */
#define MEMORY_HELD_MAX  (8u * MIB)   /* beside it, of what is held from one scan to the next */

/* From here on tree-sitter allocates in the pool; call it before anything else of tree-sitter. Idempotent. */
void memory_install(void);
/* Where to go when the pool is used up. NULL: abort. */
void memory_on_exhaustion(jmp_buf *where);
/* Everything that was allocated since memory_hold() is gone: no tree, parser or cursor of it may be used any more. */
void memory_reset(void);
/* What is there now stays at the next memory_reset(). False: it is more than MEMORY_HELD_MAX, and all of it is gone. */
bool memory_hold(void);
/* Before what is held is used again, or some of it freed: it is no longer held. */
void memory_resume(void);
void memory_drop(void); /* what is held, too */
size_t memory_used(void);
