#include "launch/private.h"

#include <sys/mman.h>

void *private_alloc(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (madvise(p, size, MADV_DONTFORK) == 0)
        return p;
    (void)munmap(p, size);
    return NULL;
}

void private_free(void *p, size_t size)
{
    if (p)
        (void)munmap(p, size);
}
