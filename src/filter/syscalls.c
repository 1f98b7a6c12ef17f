#include "filter/syscalls.h"

/* One block of text and 16-bit offsets into it, not an array of pointers: 390
 * pointers would be 390 relocations at the start of every (PIE) program. */
static const struct names {
    char none[1];
#define SYSCALL(nr, name) char name_##name[sizeof(#name)];
#define SYSCALL_ABSENT(name)
#include SYSCALL_TABLE
#undef SYSCALL
#undef SYSCALL_ABSENT
} names = {
    "",
#define SYSCALL(nr, name) #name,
#define SYSCALL_ABSENT(name)
#include SYSCALL_TABLE
#undef SYSCALL
#undef SYSCALL_ABSENT
};

static const uint16_t name_at[SYSCALL_NEWEST + 1] = {
#define SYSCALL(nr, name) [nr] = offsetof(struct names, name_##name),
#define SYSCALL_ABSENT(name)
#include SYSCALL_TABLE
#undef SYSCALL
#undef SYSCALL_ABSENT
};

const char *syscall_name(int nr)
{
    if (nr < 0 || nr > SYSCALL_NEWEST || !name_at[nr])
        return NULL;
    return (const char *)&names + name_at[nr];
}

int syscall_number(const char *name)
{
    for (int nr = 0; nr <= SYSCALL_NEWEST; nr++) {
        const char *known = syscall_name(nr);
        if (known && known[0] == name[0] && str_eq(known, name))
            return nr;
    }
    return -ENOENT;
}
