#include "launch/private.h"

#include <sys/mman.h>

#include "base/pages.h"

void *private_alloc(size_t size)
{
    void *p = pages_alloc(size);
    if (!p || madvise(p, size, MADV_DONTFORK) == 0)
        return p;
    pages_free(p, size);
    return NULL;
}

void private_free(void *p, size_t size)
{
    pages_free(p, size);
}
