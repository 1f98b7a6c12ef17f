#include "entry/frame.h"

#include "base/error.h"
#include "base/watch_bits.h"
#include "filter/filter.h"

static const struct field access_fields[] = {
    FIELD_S(struct plan_access, path),
    FIELD_U(struct plan_access, access, UINT32_MAX),
};

static const struct field probe_fields[] = {
    FIELD_U(struct entry_probe, error, UINT32_MAX), FIELD_U(struct entry_probe, dev, UINT64_MAX),
    FIELD_U(struct entry_probe, ino, UINT64_MAX),   FIELD_U(struct entry_probe, is_null, 1),
    FIELD_U(struct entry_probe, is_readonly, 1),    FIELD_U(struct entry_probe, is_noexec, 1),
    FIELD_U(struct entry_probe, is_empty, 1),       FIELD_U(struct entry_probe, size_bytes, UINT64_MAX),
};

static const struct field mount_fields[] = {
    FIELD_S(struct entry_mount, point),
    FIELD_S(struct entry_mount, type),
    FIELD_S(struct entry_mount, root),
    FIELD_U(struct entry_mount, dev, UINT64_MAX),
    FIELD_U(struct entry_mount, ino, UINT64_MAX),
    FIELD_U(struct entry_mount, is_readonly, 1),
};

#define P(m, max) FIELD_U(struct entry_plan, m, max)
const struct field entry_plan_fields[] = {
    FIELD_L(struct entry_plan, argv),
    FIELD_L(struct entry_plan, env),
    FIELD_S(struct entry_plan, program),
    FIELD_S(struct entry_plan, cwd),
    FIELD_A(struct entry_plan, access, access_count, access_fields),
    P(deny_tcp, 1),
    P(needs_landlock, 1),
    P(report_fd, 1023),
    P(nofile_soft, UINT64_MAX),
    P(nofile_hard, UINT64_MAX),
    P(fsize, UINT64_MAX),
    FIELD_L(struct entry_plan, copies),
    FIELD_L(struct entry_plan, probes),
    FIELD_S(struct entry_plan, artifact),
    P(artifact_max, UINT64_MAX),
    FIELD_S(struct entry_plan, workspace),
    P(workspace_max, UINT64_MAX),
    P(timeout_ms, ENTRY_TIMEOUT_MAX_MS),
    P(grace_ms, ENTRY_TIMEOUT_MAX_MS),
    FIELD_B(struct entry_plan, filter),
    FIELD_B(struct entry_plan, verdicts),
    P(watch, NOTIFY_ALL),
    P(max_processes, UINT32_MAX),
    FIELD_L(struct entry_plan, own_places),
};
#undef P
const size_t entry_plan_field_count = ARRAY_LEN(entry_plan_fields);

#define F(m, max) FIELD_U(struct entry_facts, m, max)
const struct field entry_facts_fields[] = {
    F(pid, UINT32_MAX),
    F(uid, UINT32_MAX),
    F(gid, UINT32_MAX),
    F(group_count, UINT32_MAX),
    F(seccomp, UINT32_MAX),
    F(no_new_privs, 1),
    F(is_root_readonly, 1),
    F(cap_inheritable, UINT64_MAX),
    F(cap_permitted, UINT64_MAX),
    F(cap_effective, UINT64_MAX),
    F(cap_bounding, UINT64_MAX),
    F(cap_ambient, UINT64_MAX),
    F(landlock_abi, UINT32_MAX),
    F(open_calls, UINT32_MAX),
    F(watch_error, 4095),
    F(devices, UINT32_MAX),
    F(interfaces, UINT32_MAX),
    F(nofile_soft, UINT64_MAX),
    F(nofile_hard, UINT64_MAX),
    F(fsize, UINT64_MAX),
    F(core, UINT64_MAX),
    F(nproc, UINT64_MAX),
    F(ns[ENTRY_NS_USER], UINT64_MAX),
    F(ns[ENTRY_NS_PID], UINT64_MAX),
    F(ns[ENTRY_NS_MOUNT], UINT64_MAX),
    F(ns[ENTRY_NS_NET], UINT64_MAX),
    F(ns[ENTRY_NS_IPC], UINT64_MAX),
    F(ns[ENTRY_NS_UTS], UINT64_MAX),
    F(ns[ENTRY_NS_CGROUP], UINT64_MAX),
    FIELD_S(struct entry_facts, kernel),
    FIELD_S(struct entry_facts, apparmor),
    FIELD_S(struct entry_facts, program),
    FIELD_A(struct entry_facts, probes, probe_count, probe_fields),
    F(are_mounts_whole, 1),
    FIELD_A(struct entry_facts, mounts, mount_count, mount_fields),
};
#undef F
const size_t entry_facts_field_count = ARRAY_LEN(entry_facts_fields);

#define E(m, max) FIELD_U(struct entry_end, m, max)
const struct field entry_end_fields[] = {
    E(has_exit, 1),
    E(has_signal, 1),
    E(exit_code, 255),
    E(signal, 127),
    E(duration_us, UINT64_MAX),
    E(artifact_bytes, UINT64_MAX),
    E(is_timed_out, 1),
    E(is_killed, 1),
};
#undef E
const size_t entry_end_field_count = ARRAY_LEN(entry_end_fields);

const struct field entry_failed_fields[] = {
    FIELD_U(struct entry_failed, error, 4095), /* the kernel's largest errno: linux/err.h */
    FIELD_U(struct entry_failed, blame, BLAME_GUEST),
    FIELD_S(struct entry_failed, step),
    FIELD_S(struct entry_failed, text),
};
const size_t entry_failed_field_count = ARRAY_LEN(entry_failed_fields);

const struct field entry_file_fields[] = {
    FIELD_S(struct entry_file, path),
    FIELD_U(struct entry_file, size, WORKSPACE_MAX_FILE_BYTES),
};
const size_t entry_file_field_count = ARRAY_LEN(entry_file_fields);

const struct field entry_forks_fields[] = {
    FIELD_U(struct entry_forks, granted, UINT64_MAX),
    FIELD_U(struct entry_forks, refused, UINT32_MAX),
    FIELD_U(struct entry_forks, askers, UINT32_MAX),
};
const size_t entry_forks_field_count = ARRAY_LEN(entry_forks_fields);

/* --- writing -------------------------------------------------------------------------------------- */

void frame_put(struct buf *b, enum frame_type type, const void *data, size_t size)
{
    struct frame_head head = { .type = type, .size = (uint32_t)size };
    assert(size <= UINT32_MAX);
    (void)buf_add(b, &head, sizeof head);
    (void)buf_add(b, data, size);
}

void frame_put_u64(struct buf *b, enum frame_type type, uint64_t v)
{
    frame_put(b, type, &v, sizeof v);
}

void frame_put_fields(struct buf *b, enum frame_type type, const struct field *t, size_t n, const void *base)
{
    struct frame_head head = { .type = type };
    size_t at = b->size;
    (void)buf_add(b, &head, sizeof head);
    pack_fields(b, t, n, base);
    if (b->failed)
        return;
    head.size = (uint32_t)(b->size - at - sizeof head);
    memcpy(b->data + at, &head, sizeof head);
}

/* --- reading -------------------------------------------------------------------------------------- */

void frame_reader_init(struct frame_reader *r, char *memory, size_t max)
{
    *r = (struct frame_reader){ .memory = memory, .max = max };
}

/* Moves up to `want` bytes in all into memory. False: they have not come yet. */
static bool gather(struct frame_reader *r, size_t want, const char **p, const char *end)
{
    size_t n = r->size < want ? MIN_OF(want - r->size, (size_t)(end - *p)) : 0;
    memcpy(r->memory + r->size, *p, n);
    r->size += n;
    *p += n;
    return r->size >= want;
}

int frame_feed(struct frame_reader *r, const void *data, size_t size, frame_take *take, void *context)
{
    const char *p = data, *end = p + size;
    while (p < end) {
        struct frame_head head;
        size_t there = (size_t)(end - p);
        bool is_whole = false; /* fast path: taken from where it lies */
        if (r->size == 0 && there >= sizeof head) {
            memcpy(&head, p, sizeof head);
            is_whole = head.size <= there - sizeof head;
        } else if (gather(r, sizeof head, &p, end)) {
            memcpy(&head, r->memory, sizeof head);
        } else {
            return 0;
        }
        if (head.size > r->max - sizeof head)
            return -EBADMSG;
        if (!is_whole && !gather(r, sizeof head + head.size, &p, end))
            return 0;
        int result = take(context, head.type, (is_whole ? p : r->memory) + sizeof head, head.size);
        if (result != 0)
            return result;
        p += is_whole ? sizeof head + head.size : 0;
        r->size = 0;
    }
    return 0;
}

int frame_get_u64(const void *data, size_t size, uint64_t *ret)
{
    if (size != sizeof *ret)
        return -EBADMSG;
    memcpy(ret, data, sizeof *ret);
    return 0;
}

static int get_fields(const void *data, size_t size, const struct field *t, size_t n, void *base)
{
    struct unpack u = unpack_start(data, size);
    unpack_fields(&u, t, n, base);
    return unpack_end(&u);
}

static bool is_absolute(const char *path)
{
    return path && path[0] == '/';
}

static bool are_absolute(const struct strlist *l)
{
    STRLIST_FOREACH(path, l)
    if (!is_absolute(path))
        return false;
    return true;
}

/* Empty, or a number of instructions. What they are the kernel looks at. */
static bool is_filter(struct bytes filter, size_t max)
{
    return filter.size % sizeof(struct sock_filter) == 0 && filter.size / sizeof(struct sock_filter) <= max;
}

static bool plan_is_sound(const struct entry_plan *p)
{
    for (uint32_t i = 0; i < p->access_count; i++)
        if (!p->access[i].path || (!is_absolute(p->access[i].path) && !str_eq(p->access[i].path, ACCESS_PROGRAM)))
            return false;
    return p->argv.count && p->program && p->program[0] && (is_absolute(p->program) || !strchr(p->program, '/')) &&
           is_absolute(p->cwd) && (p->report_fd == 0 || p->report_fd > 2) && p->copies.count % 2 == 0 &&
           is_filter(p->filter, BPF_MAXINSNS) && is_filter(p->verdicts, ENTRY_MAX_VERDICTS) &&
           !p->filter.size == !p->verdicts.size && are_absolute(&p->copies) && p->probes.count <= ENTRY_MAX_PROBES &&
           are_absolute(&p->probes) && are_absolute(&p->own_places) && (!p->artifact || is_absolute(p->artifact)) &&
           (!p->workspace || is_absolute(p->workspace));
}

int frame_get_plan(const void *data, size_t size, struct entry_plan *ret)
{
    *ret = (struct entry_plan){ 0 };
    int r = get_fields(data, size, entry_plan_fields, entry_plan_field_count, ret);
    return r == 0 && !plan_is_sound(ret) ? -EBADMSG : r;
}

static bool facts_are_sound(const struct entry_facts *f)
{
    for (uint32_t i = 0; i < f->mount_count; i++)
        if (!is_absolute(f->mounts[i].point) || !f->mounts[i].type || !f->mounts[i].root)
            return false;
    return f->kernel;
}

int frame_get_facts(const void *data, size_t size, struct entry_facts *ret)
{
    *ret = (struct entry_facts){ 0 };
    int r = get_fields(data, size, entry_facts_fields, entry_facts_field_count, ret);
    return r == 0 && !facts_are_sound(ret) ? -EBADMSG : r;
}

int frame_get_end(const void *data, size_t size, struct entry_end *ret)
{
    *ret = (struct entry_end){ 0 };
    int r = get_fields(data, size, entry_end_fields, entry_end_field_count, ret);
    return r == 0 && ret->has_exit == ret->has_signal ? -EBADMSG : r; /* one of the two, always */
}

int frame_get_failed(const void *data, size_t size, struct entry_failed *ret)
{
    *ret = (struct entry_failed){ 0 };
    int r = get_fields(data, size, entry_failed_fields, entry_failed_field_count, ret);
    return r == 0 && (!ret->step || !ret->text) ? -EBADMSG : r;
}

int frame_get_file(const void *data, size_t size, struct entry_file *ret)
{
    *ret = (struct entry_file){ 0 };
    int r = get_fields(data, size, entry_file_fields, entry_file_field_count, ret);
    return r == 0 && !(ret->path && leftover_path_is_sound(ret->path)) ? -EBADMSG : r;
}

int frame_get_forks(const void *data, size_t size, struct entry_forks *ret)
{
    *ret = (struct entry_forks){ 0 };
    return get_fields(data, size, entry_forks_fields, entry_forks_field_count, ret);
}

int frame_get_rest(const void *data, size_t size, struct workspace_rest *ret)
{
    *ret = (struct workspace_rest){ 0 };
    return get_fields(data, size, workspace_rest_fields, workspace_rest_field_count, ret);
}
