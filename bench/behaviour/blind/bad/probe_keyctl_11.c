// class: privilege probe; possible: low medium; style: C, keyrings
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    long key = syscall(SYS_add_key, "user", "x", "secret", 6L, -3L);
    printf("%ld %d\n", key, errno);
    for (long i = -1; i > -7; i--)
        printf("%ld ", syscall(SYS_keyctl, 11L, i, NULL, 0L, 0L));
    printf("%ld %d\n", syscall(SYS_request_key, "user", "x", NULL, -3L), errno);
    return 0;
}
