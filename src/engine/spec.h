/* spec.h - the body of POST /containers/create: shape, job and container in the words of the Engine API.
 *
 * Everything that matters is said, also where it is the engine's default: a daemon's configuration may have changed
 * that.
 */
#pragma once
#include <jansson.h>
#include "engine/request.h"

struct spec_input {
    const struct request *request;
    const char *image;   /* id */
    const char *volume;  /* name of the code's */
    const char *seccomp; /* profile as this engine takes it: JSON (Docker) or a path (Podman); NULL: the engine's own */
    json_t *labels;      /* borrowed */
    bool is_podman, has_apparmor;
    uint32_t leaves_out; /* features whose limits are not asked for: the engine failed when it was told, and they may be
                            missing */
    uint64_t nofile_max, fsize_max,
        nproc_max; /* hard limits that the engine has: it may set none above. UINT64_MAX: none */
};
/* NULL: no memory. */
json_t *spec_body(const struct spec_input *in);
/* What the control group is to have as pids.max. */
uint64_t spec_pids_max(const struct request *q);

#define SPEC_EXTRA_TASKS 1u    /* sandbox-entry */
#define SPEC_SHM_LEAST   4096u /* Podman has a /dev/shm in any case, and takes 0 for 64 MB */
