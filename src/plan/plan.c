#include "plan/plan.h"

#include "base/watch_bits.h"

#define M(m, max) FIELD_U(struct plan_mount, m, max)
static const struct field mount_fields[] = {
    M(kind, MOUNT_KIND_COUNT - 1),      M(flags, 31),       M(mode, 07777),     M(inodes, UINT32_MAX),
    M(size_bytes, INT64_MAX),           M(dev, UINT64_MAX), M(ino, UINT64_MAX), FIELD_S(struct plan_mount, source),
    FIELD_S(struct plan_mount, target),
};
#undef M

static const struct field access_fields[] = {
    FIELD_S(struct plan_access, path),
    FIELD_U(struct plan_access, access, 31),
};

#define S(m, max) FIELD_U(struct shape, m, max)
const struct field shape_fields[] = {
    S(uid, UINT32_MAX - 1),
    S(gid, UINT32_MAX - 1),
    S(require, UINT32_MAX),
    S(loopback, 1),
    S(readonly_root, 1),
    S(no_new_privs, 1),
    S(deny_tcp, 1),
    S(no_setuid_bits, 1),
    S(is_brokered, 1),
    S(watch, NOTIFY_ALL),
    S(root_bytes, INT64_MAX),
    S(memory_bytes, INT64_MAX),
    S(cpu_milli, 1024 * 1000),
    S(pids, 1 << 22),
    S(max_processes, 1 << 22),
    S(room_max, 1 << 10),
    S(io_rbps, INT64_MAX),
    S(io_wbps, INT64_MAX),
    S(io_riops, 1000000000),
    S(io_wiops, 1000000000),
    S(nofile_soft, 1 << 20),
    S(nofile_hard, 1 << 20),
    S(fsize_bytes, UINT64_MAX),
    S(keep_caps, UINT64_MAX),
    FIELD_S(struct shape, hostname),
    FIELD_S(struct shape, tenant),
    FIELD_S(struct shape, apparmor),
    FIELD_S(struct shape, selinux),
    S(selinux_is_auto, 1),
    FIELD_L(struct shape, template_argv),
    FIELD_L(struct shape, template_env),
    FIELD_L(struct shape, template_modules),
    FIELD_S(struct shape, template_stamp),
    FIELD_S(struct shape, template_rules),
    FIELD_L(struct shape, guards),
    FIELD_A(struct shape, mounts, mount_count, mount_fields),
    FIELD_A(struct shape, access, access_count, access_fields),
    FIELD_B(struct shape, filter),
    FIELD_B(struct shape, verdicts),
};
#undef S
const size_t shape_field_count = ARRAY_LEN(shape_fields);

static const struct field file_fields[] = {
    FIELD_S(struct plan_file, path),
    FIELD_U(struct plan_file, offset, INT64_MAX),
    FIELD_U(struct plan_file, size, INT64_MAX),
    FIELD_U(struct plan_file, mode, 0777),
    FIELD_U(struct plan_file, is_late, 1),
};

#define J(m, max) FIELD_U(struct job, m, max)
const struct field job_fields[] = {
    FIELD_S(struct job, id),
    FIELD_L(struct job, argv),
    FIELD_L(struct job, env),
    FIELD_S(struct job, program),
    FIELD_S(struct job, cwd),
    J(timeout_ms, UINT64_C(8) * 24 * 3600 * 1000),
    J(grace_ms, 600 * 1000),
    J(artifact_max, INT64_MAX),
    FIELD_S(struct job, artifact),
    J(report_fd, 63),
    FIELD_S(struct job, workspace),
    FIELD_A(struct job, files, file_count, file_fields),
    J(may_reuse, 1),
    J(ends_fork_bomb, 1),
    J(wants_timings, 1),
    J(wants_events, 1),
    FIELD_B(struct job, network),
    J(park_fd, 63),
    J(steward_fd, 63),
    J(kernel_fd, 63),
    J(reaper_fd, 63),
    J(has_terminal, 1),
};
#undef J
const size_t job_field_count = ARRAY_LEN(job_fields);

const struct field work_fields[] = {
    FIELD_U(struct work, timeout_ms, UINT64_C(8) * 24 * 3600 * 1000),
    FIELD_U(struct work, grace_ms, 600 * 1000),
    FIELD_A(struct work, files, file_count, file_fields),
    FIELD_B(struct work, note),
};
const size_t work_field_count = ARRAY_LEN(work_fields);

static const struct field step_fields[] = {
    FIELD_S(struct step_time, name),
    FIELD_U(struct step_time, at_us, UINT64_MAX),
};

#define O(m, max) FIELD_U(struct outcome, m, max)
const struct field outcome_fields[] = {
    O(reason, REASON_COUNT - 1),
    O(has_exit, 1),
    O(has_signal, 1),
    O(is_unused, 1),
    O(is_silent, 1),
    O(prepared, PREPARED_COUNT - 1),
    O(exit_code, 255),
    O(signal, 127),
    O(duration_us, UINT64_MAX),
    O(ready_us, UINT64_MAX),
    O(started_us, UINT64_MAX),
    O(cpu_us, UINT64_MAX),
    O(peak_memory_bytes, UINT64_MAX),
    O(memory_mib_ms, UINT64_MAX),
    O(oom_kills, UINT32_MAX),
    O(pids_hits, UINT32_MAX),
    O(artifact_bytes, INT64_MAX),
    FIELD_S(struct outcome, engine),
    O(features, UINT32_MAX),
    FIELD_L(struct outcome, missing),
    FIELD_S(struct outcome, isolation),
    FIELD_L(struct outcome, violations),
    O(cgroup, CGROUP_V2),
    O(landlock_abi, UINT32_MAX),
    O(host_uid, UINT32_MAX),
    O(memory_bytes, UINT64_MAX),
    O(cpu_milli, UINT32_MAX),
    O(pids, UINT32_MAX),
    O(error_code, 4095),
    O(error_blame, BLAME_GUEST),
    FIELD_S(struct outcome, error_step),
    FIELD_S(struct outcome, error_text),
    FIELD_S(struct outcome, error_remedy),
    FIELD_A(struct outcome, steps, step_count, step_fields),
};
#undef O
const size_t outcome_field_count = ARRAY_LEN(outcome_fields);

const char *reason_name(enum run_reason r)
{
    static const char *const names[REASON_COUNT] = { "completed",     "error",        "signal",       "timeout",
                                                     "oom",           "pids_limit",   "output_limit", "killed",
                                                     "policy_denied", "sandbox_error" };
    return (unsigned)r < REASON_COUNT ? names[r] : "sandbox_error";
}

const char *prepared_name(enum prepared p)
{
    static const char *const names[PREPARED_COUNT] = { "cold", "prepared", "parked", "forked" };
    return (unsigned)p < PREPARED_COUNT ? names[p] : "cold";
}

static bool job_wants_fd(const struct job *j, size_t which)
{
    switch (which) {
    case RUN_FD_ARTIFACT:
        return j->artifact;
    case RUN_FD_REPORT:
        return j->report_fd;
    case RUN_FD_WORKSPACE:
        return j->workspace;
    case RUN_FD_STEWARD:
        return j->steward_fd;
    case RUN_FD_EVENTS:
        return j->wants_events;
    default:
        return true;
    }
}

size_t run_fds_gather(const struct job *j, size_t end, const int fds[static RUN_FD_MAX], int out[static RUN_FD_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < end; i++)
        if (job_wants_fd(j, i))
            out[count++] = fds[i];
    return count;
}

bool run_fds_place(const struct job *j, size_t end, int fds[static RUN_FD_MAX], size_t count)
{
    size_t wanted = 0;
    for (size_t i = 0; i < end; i++)
        wanted += job_wants_fd(j, i);
    if (count != wanted)
        return false;
    for (size_t i = RUN_FD_MAX; i-- > 0;) /* backwards: none is overwritten before it has moved */
        fds[i] = i < end && job_wants_fd(j, i) ? fds[--count] : -1;
    return true;
}

void pack_run(struct buf *b, uint64_t tag, const struct shape *s, const struct job *j)
{
    pack_u64(b, MESSAGE_RUN);
    pack_u64(b, tag);
    pack_fields(b, shape_fields, shape_field_count, s);
    pack_fields(b, job_fields, job_field_count, j);
}

void pack_work(struct buf *b, uint64_t tag, const struct work *w)
{
    pack_u64(b, MESSAGE_WORK);
    pack_u64(b, tag);
    pack_fields(b, work_fields, work_field_count, w);
}

void outcome_set_error(struct outcome *o, const struct error *err)
{
    o->reason = err->blame == BLAME_POLICY ? REASON_POLICY_DENIED : REASON_SANDBOX_ERROR;
    o->error_code = (uint32_t)MIN_OF(-err->code, 4095);
    o->error_blame = (uint8_t)err->blame;
    o->error_step = err->step;
    o->error_text = err->text;
    o->error_remedy = err->remedy;
}

static void pack_told(struct buf *b, enum message_type type, uint64_t tag, const struct outcome *o)
{
    pack_u64(b, type);
    pack_u64(b, tag);
    pack_fields(b, outcome_fields, outcome_field_count, o);
}

void pack_outcome(struct buf *b, uint64_t tag, const struct outcome *o)
{
    pack_told(b, MESSAGE_OUTCOME, tag, o);
}

void pack_opened(struct buf *b, uint64_t tag, const struct outcome *o)
{
    pack_told(b, MESSAGE_OPENED, tag, o);
}

int unpack_run(struct unpack *u, struct shape *s, struct job *j, struct bytes *ret_shape, struct bytes *ret_job)
{
    const char *begin = u->p;
    unpack_fields(u, shape_fields, shape_field_count, s);
    const char *middle = u->p;
    unpack_fields(u, job_fields, job_field_count, j);
    *ret_shape = (struct bytes){ begin, (uint32_t)(middle - begin) };
    *ret_job = (struct bytes){ middle, (uint32_t)(u->p - middle) };
    return unpack_end(u);
}

int unpack_work(struct unpack *u, struct work *w)
{
    unpack_fields(u, work_fields, work_field_count, w);
    return unpack_end(u);
}

int unpack_outcome(struct unpack *u, struct outcome *o)
{
    unpack_fields(u, outcome_fields, outcome_field_count, o);
    return unpack_end(u);
}
