/* spare.h - a process that waits, prepared as far as can be without knowing its work.
 *
 * The launcher makes one before it is asked for: with more runs to come neither its network namespace nor its cgroup
 * directory is in the way, with only one it starts while the client still reads its files. Used once: it becomes
 * init or a keeper and never turns back.
 *
 * One is enough: making it is work for a processor, not a wait, so four or eight ahead gave no more runs a second and
 * no quicker bursts (bench/connections.c, two cores), for two processes and 55 KiB each.
 */
#pragma once
#include "launch/run.h"

struct spare {
    pid_t pid; /* 0: there is none */
    int pidfd, sock;
    unsigned number;
    struct cgroup cgroup;
};

int spare_make(struct launcher *l, struct spare *ret, struct error *err);
/* One that lives, for who is to use it now. */
int spare_have(struct launcher *l, struct spare *s, struct error *err);
void spare_free(struct launcher *l, struct spare *s); /* kills it */
