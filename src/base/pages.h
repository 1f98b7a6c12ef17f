/* pages.h - memory in pages of its own, for large structures of which most runs use a part.
 *
 * What is not touched costs nothing: calloc() writes to all of it, and with it 30 pages are faulted in for a structure
 * of 120 KiB (musl 1.2.3, below its 128 KiB of MMAP_THRESHOLD).
 */
#pragma once
#include "base/base.h"

/* Zeroed, page-aligned; NULL when there is no memory. Freed with the same size; NULL is nothing to free. */
void *pages_alloc(size_t size);
void pages_free(void *p, size_t size);
