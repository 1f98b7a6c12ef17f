/* pages.h - memory in pages of its own, for large structures of which most runs use a part.
 *
 * What is not touched costs nothing. calloc() writes to all that it gives (musl: up to 128 KiB), and faults in 30 pages
 * for a structure of 120 KiB.
 */
#pragma once
#include "base/base.h"

/* Zeroed, page-aligned; NULL when there is no memory. Freed with the same size; NULL is nothing to free. */
void *pages_alloc(size_t size);
void pages_free(void *p, size_t size);
