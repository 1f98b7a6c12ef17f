#include "plan/remote.h"

static const struct field remote_fields[] = {
    FIELD_S(struct remote, address),
    FIELD_S(struct remote, key_file),
    FIELD_S(struct remote, certificate),
    FIELD_U(struct remote, connect_ms, UINT64_C(24) * 3600 * 1000),
    FIELD_U(struct remote, patience_ms, UINT64_C(24) * 3600 * 1000),
    FIELD_U(struct remote, max_output, INT64_MAX),
};

void pack_remote_run(struct buf *b, uint64_t tag, const struct remote *r, const struct job *j)
{
    pack_u64(b, MESSAGE_REMOTE);
    pack_u64(b, tag);
    pack_fields(b, remote_fields, ARRAY_LEN(remote_fields), r);
    pack_fields(b, job_fields, job_field_count, j);
}

int unpack_remote_run(struct unpack *u, struct remote *r, struct job *j)
{
    unpack_fields(u, remote_fields, ARRAY_LEN(remote_fields), r);
    unpack_fields(u, job_fields, job_field_count, j);
    return unpack_end(u);
}
