/* sample_plan.h - a run of /bin/true, as small as a plan can be: for tests and fuzz targets to start from and to spoil.
 */
#pragma once
#include "plan/plan.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#ifdef __aarch64__
#define SAMPLE_ARCH AUDIT_ARCH_AARCH64
#else
#define SAMPLE_ARCH AUDIT_ARCH_X86_64
#endif

static const struct sock_filter sample_filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SAMPLE_ARCH, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mount, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

struct sample {
    struct shape shape;
    struct job job;
    char links[8][64];
};

static inline struct plan_mount *sample_add(struct sample *s, enum mount_kind kind, const char *source,
                                            const char *target, uint32_t flags)
{
    struct plan_mount *m = &s->shape.mounts[s->shape.mount_count++];
    assert(s->shape.mount_count <= PLAN_MAX_MOUNTS);
    *m = (struct plan_mount){ .kind = (uint8_t)kind, .source = source, .target = target, .flags = flags };
    return m;
}

/* /bin and the like: links where the host has links, binds elsewhere */
static inline void sample_system_dirs(struct sample *s)
{
    static const char *const dirs[] = { "/bin", "/lib", "/lib64" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        ssize_t n = readlink(dirs[i], s->links[i], sizeof s->links[i] - 1);
        if (n > 0)
            (void)sample_add(s, MOUNT_LINK, s->links[i], dirs[i], 0);
        else
            (void)sample_add(s, MOUNT_BIND, dirs[i], dirs[i], MOUNT_RO | MOUNT_OPTIONAL);
    }
}

/* A command of up to three words. Free with sample_done(). */
static inline void sample_init(struct sample *s, const char *program, const char *first, const char *second)
{
    *s = (struct sample){
        .shape = { .uid = 65534,
                   .gid = 65534,
                   .readonly_root = true,
                   .no_new_privs = true,
                   .root_bytes = 1 << 20,
                   .memory_bytes = 64 << 20,
                   .cpu_milli = 1000,
                   .pids = 10,
                   .max_processes = 10,
                   .nofile_soft = 64,
                   .nofile_hard = 64,
                   .fsize_bytes = 1 << 20,
                   .hostname = "sandbox",
                   .filter = { sample_filter, sizeof sample_filter } },
        .job = { .id = "exec-sample", .program = program, .cwd = "/tmp", .timeout_ms = 30000, .grace_ms = 100 }
    };
    (void)sample_add(s, MOUNT_BIND, "/usr", "/usr", MOUNT_RO);
    sample_system_dirs(s);
    struct plan_mount *tmp = sample_add(s, MOUNT_TMPFS, NULL, "/tmp", 0);
    tmp->size_bytes = 1 << 20;
    tmp->inodes = 64;
    tmp->mode = 01777;
    s->shape.access[s->shape.access_count++] = (struct plan_access){ "/", LANDLOCK_READ | LANDLOCK_EXEC };
    s->shape.access[s->shape.access_count++] = (struct plan_access){ "/tmp", LANDLOCK_WRITE };
    const char *const words[] = { program, first, second };
    for (size_t i = 0; i < ARRAY_LEN(words) && words[i]; i++)
        (void)strlist_add(&s->job.argv, words[i]);
    (void)strlist_add(&s->job.env, "PATH=/usr/bin:/bin");
}

static inline void sample_done(struct sample *s)
{
    strlist_done(&s->job.argv);
    strlist_done(&s->job.env);
}
