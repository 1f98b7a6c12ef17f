// class: privilege probe; possible: low medium; style: new namespaces, then mounts
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

int main(void)
{
    int flags[] = { CLONE_NEWUSER | CLONE_NEWNS, CLONE_NEWUSER | CLONE_NEWNET, CLONE_NEWNS };
    for (int i = 0; i < 3; i++)
        printf("unshare %x: %s\n", flags[i], unshare(flags[i]) ? strerror(errno) : "done");
    printf("mount: %s\n", mount("none", "/tmp", "tmpfs", 0, NULL) ? strerror(errno) : "done");
    printf("bind: %s\n", mount("/", "/mnt", NULL, MS_BIND | MS_REC, NULL) ? strerror(errno) : "done");
    return 0;
}
