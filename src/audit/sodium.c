/* Debian's libsodium.a was compiled for glibc with fortification; what it calls and musl lacks is here. */
#include "base/base.h"

#ifndef __GLIBC__
void __explicit_bzero_chk(void *p, size_t size, size_t object_size);

void __explicit_bzero_chk(void *p, size_t size, size_t object_size)
{
    if (size > object_size)
        abort(); /* what glibc's does */
    explicit_bzero(p, size);
}
#endif

/* An empty translation unit is no C. */
extern const char audit_sodium_shim[];
const char audit_sodium_shim[] = "musl";
