/* container.h - what a container engine is told beside the shape: engine, image, runtime, network, seccomp profile.
 *
 * For the docker backend a plan has three parts: struct container; struct shape, where mounts are tmpfs, volumes and
 * masks only (the root is the image) and access rules speak of paths in the image; struct job, whose program is a name
 * that is looked for in the image.
 */
#pragma once
#include "plan/plan.h"

enum pull_policy { PULL_NEVER, PULL_MISSING, PULL_ALWAYS }; /* choices of docker.images.pull_policy, in its order */

struct container {
    const char *socket;  /* of the engine, absolute */
    uint64_t answer_ms;  /* time the engine has for one answer */
    const char *runtime; /* NULL: the engine's default */
    const char *network; /* NULL: none; otherwise the bridge network of that name, made by us where it is absent */
    const char *image;   /* name, name:tag, name@sha256:... or an id */
    uint8_t pull_policy;
    bool auto_pull;
    struct strlist registries;    /* that may be pulled from; empty: none */
    struct bytes seccomp;         /* a seccomp profile as OCI has it, JSON */
    struct bytes seccomp_watched; /* the same where the payload loads shape.filter, which asks sandbox-entry. Empty: it
                                     cannot be had */
    uint64_t shm_bytes;           /* of /dev/shm; 0: there is none */
    struct strlist masks;    /* programs that are hidden, absolute paths, wherever the image may have them: beside the
                                masks of shape, each of which is looked at from inside */
    uint64_t workspace_max;  /* bytes that are kept of job.workspace */
    uint32_t accept_missing; /* bit per enum feature: asked for by shape.require, and yet run without */
    struct strlist accept_mounts; /* absolute: what is mounted there or below is not checked */
    bool removes;                 /* docker.container.remove_on_exit */
    bool sweeps;                  /* docker.container.auto_cleanup */
    uint64_t sweep_ms;            /* docker.container.cleanup_interval, where a process is resident */
};

#define CONTAINER_PULL_MAX_MS (UINT64_C(15) * 60 * 1000)
/* Longest time that everything but the program's own may take: a dozen answers of the engine, and pulling the image. */
uint64_t container_patience_ms(const struct container *c);

extern const struct field container_fields[];
extern const size_t container_field_count;

/* MESSAGE_CONTAINER, in place of MESSAGE_RUN; everything else of the protocol is as plan.h says. */
void pack_container_run(struct buf *b, uint64_t tag, const struct container *c, const struct shape *s,
                        const struct job *j);
/* Behind type and tag. Borrow from data. 0 or -EBADMSG. */
int unpack_container_run(struct unpack *u, struct container *c, struct shape *s, struct job *j);
