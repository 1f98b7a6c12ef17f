/* private.h - memory of the launcher that its children get no copy of.
 *
 * Every sandbox begins as a copy of the launcher, and its pid 1 stays one. What the launcher knows of other runs
 * (their environment, their arguments) has no business there: madvise(2), MADV_DONTFORK. It also keeps what each child
 * has to copy as small with 500 live runs as with none.
 */
#pragma once
#include "base/base.h"

/* Zeroed, page-aligned; NULL when there is no memory. Freed with the same size. */
void *private_alloc(size_t size);
void private_free(void *p, size_t size);
