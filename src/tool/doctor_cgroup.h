/* doctor_cgroup.h - where this host lets us make cgroups; between doctor_cgroup.c and doctor_limits.c. */
#pragma once
#include "tool/doctor.h"

#define CGROUP_ROOT "/sys/fs/cgroup" /* the launcher knows no other place */

enum { MEMORY, CPU, PIDS, CONTROLLER_COUNT };
extern const char *const cgroup_controllers[CONTROLLER_COUNT];

struct place {
    int version;                      /* what is mounted: enum version */
    bool is_v2;                       /* what the launcher uses: v2 when it is mounted at ROOT itself */
    char dir[CONTROLLER_COUNT][4096]; /* "": none. v2: only the first. Without d->root */
    bool must_enable;                 /* v2: the launcher has to switch controllers on first */
    char own[4096];                   /* our own group: v2, or v1's memory */
    char why[256];
};

void cgroup_place_find(const struct doctor *d, struct place *ret);
bool cgroup_place_is_good(const struct place *p);
/* The command that would make it good. */
void cgroup_place_remedy(const struct doctor *d, const struct place *p, struct check *c);
