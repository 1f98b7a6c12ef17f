#include "plan/container.h"

#define C(m, max) FIELD_U(struct container, m, max)
const struct field container_fields[] = {
    FIELD_S(struct container, socket),
    C(answer_ms, UINT64_C(24) * 3600 * 1000),
    FIELD_S(struct container, runtime),
    FIELD_S(struct container, network),
    FIELD_S(struct container, image),
    C(pull_policy, PULL_ALWAYS),
    C(auto_pull, 1),
    FIELD_L(struct container, registries),
    FIELD_B(struct container, seccomp),
    FIELD_B(struct container, seccomp_watched),
    C(shm_bytes, INT64_MAX),
    FIELD_L(struct container, masks),
    C(workspace_max, UINT64_MAX),
    C(accept_missing, UINT32_MAX),
    FIELD_L(struct container, accept_mounts),
    C(removes, 1),
    C(sweeps, 1),
    C(sweep_ms, INT64_MAX),
};
#undef C
const size_t container_field_count = ARRAY_LEN(container_fields);

void pack_container_run(struct buf *b, uint64_t tag, const struct container *c, const struct shape *s,
                        const struct job *j)
{
    pack_u64(b, MESSAGE_CONTAINER);
    pack_u64(b, tag);
    pack_fields(b, container_fields, container_field_count, c);
    pack_fields(b, shape_fields, shape_field_count, s);
    pack_fields(b, job_fields, job_field_count, j);
}

int unpack_container_run(struct unpack *u, struct container *c, struct shape *s, struct job *j)
{
    unpack_fields(u, container_fields, container_field_count, c);
    unpack_fields(u, shape_fields, shape_field_count, s);
    unpack_fields(u, job_fields, job_field_count, j);
    return unpack_end(u);
}

#define ANSWERS 17u /* one is the wait for a turn */

uint64_t container_patience_ms(const struct container *c)
{
    return ANSWERS * c->answer_ms + (c->auto_pull ? CONTAINER_PULL_MAX_MS : 0);
}
