/* check.h - what is in force in a container, before any foreign code runs in it, against what was asked.
 *
 * Facts come from sandbox-entry inside, limits from the control group's own files; what the engine says of itself was
 * compared before (readback.h). Two kinds of answer: who the payload is, what is mounted, what it may reach and which
 * kernel it runs on must be as asked, whatever the profile requires. The rest are features: in force or missing, and
 * missing ones that the profile requires refuse the run, unless docker.container.accept_missing names them. Limits of
 * memory, cpu and pids are required of a container by every profile that sets them: no supervisor of ours measures in
 * their place, as it does natively.
 */
#pragma once
#include "engine/request.h"
#include "engine/usage.h"
#include "entry/frame.h"

#define HOST_MAX_DEVS 12
#define CHECK_LIMITS  (UINT32_C(1) << FEATURE_MEMORY | UINT32_C(1) << FEATURE_CPU | UINT32_C(1) << FEATURE_PIDS)

struct host_facts {
    uint64_t ns[ENTRY_NS_COUNT]; /* of our own namespaces */
    char kernel[260];            /* as in entry_facts */
    uint64_t root_dev, root_ino;
    uint32_t dev_count;
    uint64_t devs[HOST_MAX_DEVS]; /* of file systems in memory that no container is to have */
};
void host_facts_read(struct host_facts *ret);

/* Paths that are probed, in this order: /dev/null, /dev/shm, then each mount of the shape. -E2BIG. */
int check_probes(const struct shape *s, struct strlist *ret, struct error *err);

struct check_input {
    const struct request *request;
    const struct host_facts *host;
    const struct entry_facts *facts;
    enum cgroup_kind group_kind;
    const struct group_limits *limits; /* where group_kind is not CGROUP_NONE */
    const char *container, *volume;    /* id; name of the code's: parts of the paths that the engine has for them */
    uint32_t told;        /* where it is: features of CHECK_LIMITS that the engine says it has set, and can */
    bool is_watched;      /* the payload loads the filter that asks */
    uint32_t watch_error; /* errno: it was tried, and cannot; 0: it was not tried */
    bool is_shared; /* and where the container's processes are in no group of its own (usage.h): nothing is limited,
                       whatever the engine says */
};
struct check_result {
    uint32_t features;
    struct strlist missing; /* caller frees, also after a refusal */
    uint32_t landlock_abi;
};
bool check_is_other_kernel(const struct container *c); /* the runtime is one that brings its own (gVisor, Kata) */
const struct entry_probe *check_probe_of(const struct check_input *in, uint32_t mount); /* of this mount of the shape */
/* Is nothing to be had at this place? */
bool check_is_masked(const struct check_input *in, const struct entry_probe *p);
int check_run(const struct check_input *in, struct check_result *ret, struct error *err);
/* What to do about limits that an engine does not set. Returns err's code. */
int check_limits_remedy(struct error *err);
/* Is landlock asked for, and may the run go on without? */
bool check_needs_landlock(const struct request *q);
/* Is an AppArmor profile asked for, and may the run go on without? */
bool check_may_lack_apparmor(const struct request *q);
