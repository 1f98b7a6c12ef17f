/* print.c - a plan for people (`--dry-run`) and for programs (`--dry-run --json`). */
#include <stdio.h>
#include "base/json.h"
#include "base/parse.h"
#include "plan/build.h"

static const char *const kind_names[MOUNT_KIND_COUNT] = { "dir",   "link", "text",   "bind", "volume",
                                                          "tmpfs", "proc", "device", "mask", "home" };

static void mount_flags(const struct plan_mount *m, char out[static 48])
{
    bool is_tree = m->kind != MOUNT_DIR && m->kind != MOUNT_LINK && m->kind != MOUNT_TEXT;
    bool is_ro = m->flags & MOUNT_RO || m->kind == MOUNT_PROC || m->kind == MOUNT_MASK;
    (void)snprintf(out, 48, "%s%s%s%s",
                   !is_tree ? ""
                   : is_ro  ? "ro"
                            : "rw",
                   m->flags & MOUNT_NOEXEC ? " noexec" : "", m->flags & MOUNT_OPTIONAL ? " if-present" : "",
                   m->flags & MOUNT_PROC_PIDS_ONLY ? " subset=pid" : "");
}

static void access_words(uint32_t access, char out[static 48])
{
    (void)snprintf(out, 48, "%s%s%s%s%s", access & LANDLOCK_READ ? "read " : "",
                   access & LANDLOCK_WRITE ? "write " : "", access & LANDLOCK_EXEC ? "execute " : "",
                   access & LANDLOCK_DEVICE ? "device " : "", access & LANDLOCK_SOCKET ? "socket " : "");
    size_t n = strlen(out);
    if (n)
        out[n - 1] = '\0';
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_job(const struct plan *p, struct buf *out)
{
    const struct job *j = &p->job;
    /* what a caller chose is printed clean: a plan must not speak to the terminal */
    (void)buf_adds(out, "program      ");
    (void)buf_adds_clean(out, j->program);
    (void)buf_adds(out, "\nargv        ");
    STRLIST_FOREACH(word, &j->argv)
    {
        (void)buf_addc(out, ' ');
        (void)buf_adds_clean(out, word);
    }
    (void)buf_addf(out, "\ncwd          %s\nenvironment\n", j->cwd);
    STRLIST_FOREACH(pair, &j->env)
    {
        (void)buf_adds(out, "  ");
        (void)buf_adds_clean(out, pair);
        (void)buf_addc(out, '\n');
    }
    (void)buf_adds(out, "files\n");
    for (uint32_t i = 0; i < j->file_count; i++)
        (void)buf_addf(out, "  %s  %llu bytes, mode %04o\n", j->files[i].path, (unsigned long long)j->files[i].size,
                       j->files[i].mode);
}

static void print_mounts(const struct shape *s, bool is_container, struct buf *out)
{
    (void)buf_addf(out, "mounts       in %s, %s\n", is_container ? "the image" : "a private root",
                   s->readonly_root ? "read-only" : "writable");
    for (uint32_t i = 0; i < s->mount_count; i++) {
        const struct plan_mount *m = &s->mounts[i];
        char flags[48], size[32] = "";
        mount_flags(m, flags);
        if (m->kind == MOUNT_TMPFS)
            (void)format_size(m->size_bytes, size);
        (void)buf_addf(out, "  %-7s ", kind_names[m->kind]);
        (void)buf_adds_clean(out, m->target);
        (void)buf_addf(out, "%*s %s%s%s\n", (int)(28 - MIN_OF(strlen(m->target), (size_t)28)), "", flags,
                       size[0] ? " size=" : "", size);
        if (m->kind == MOUNT_BIND || m->kind == MOUNT_VOLUME || m->kind == MOUNT_LINK) {
            (void)buf_adds(out, m->kind == MOUNT_LINK ? "          -> " : "          from ");
            (void)buf_adds_clean(out, m->source);
            (void)buf_addc(out, '\n');
        }
    }
}

static void print_guards(const struct shape *s, struct buf *out)
{
    STRLIST_FOREACH(guard, &s->guards)
    {
        (void)buf_adds(out, guard[0] == GUARD_PIN    ? "  pinned  "
                            : guard[0] == GUARD_HIDE ? "  hidden  "
                                                     : "  guarded ");
        (void)buf_adds_clean(out, guard + 1);
        (void)buf_addc(out, '\n');
    }
}

static void print_access(const struct shape *s, struct buf *out)
{
    (void)buf_adds(out, "landlock     what is below may be used so, nothing else\n");
    for (uint32_t i = 0; i < s->access_count; i++) {
        char words[48];
        access_words(s->access[i].access, words);
        (void)buf_adds(out, "  ");
        const char *path = *s->access[i].path ? s->access[i].path : "(the program)";
        (void)buf_adds_clean(out, path);
        (void)buf_addf(out, "%*s %s\n", (int)(28 - MIN_OF(strlen(path), (size_t)28)), "", words);
    }
    if (s->deny_tcp)
        (void)buf_adds(out, "  TCP bind and connect refused\n");
}

static void print_kept(const struct plan *p, const struct compiled *c, struct buf *out)
{
    char size[32];
    if (p->job.workspace)
        (void)buf_addf(out, "kept         what the program leaves in %s, up to %s\n", p->job.workspace,
                       format_size(c->config.security.store_artifacts.max_size, size));
}

static void print_limits(const struct plan *p, struct buf *out)
{
    const struct shape *s = &p->shape;
    char memory[32], cpu[32], fsize[32];
    (void)buf_addf(out,
                   "limits       memory %s, cpu %s, %u tasks (%u processes), %u files (hard %u), file size %s, "
                   "deadline %llu.%03llu s + grace %llu ms\n",
                   format_size(s->memory_bytes, memory), format_milli(s->cpu_milli, cpu), s->pids, s->max_processes,
                   s->nofile_soft, s->nofile_hard, format_size(s->fsize_bytes, fsize),
                   (unsigned long long)(p->job.timeout_ms / 1000), (unsigned long long)(p->job.timeout_ms % 1000),
                   (unsigned long long)p->job.grace_ms);
    (void)buf_addf(out,
                   "identity     uid %u, gid %u inside; %s; capabilities %s; host name %s; AppArmor %s; SELinux %s\n",
                   s->uid, s->gid, s->no_new_privs ? "no_new_privs" : "new privileges possible",
                   s->keep_caps ? "kept: see values" : "none", s->hostname, s->apparmor ? s->apparmor : "none",
                   s->selinux ? s->selinux : "none");
    if (!p->is_container)
        (void)buf_addf(out, "network      own namespace, no interface, loopback %s%s\n", s->loopback ? "up" : "down",
                       s->is_brokered ? "; connections by name and rule, made by the broker" : "");
    (void)buf_adds(out, "required    ");
    for (enum feature f = 0; f < FEATURE_COUNT; f++)
        if (s->require >> f & 1)
            (void)buf_addf(out, " %s", feature_name(f));
    (void)buf_addc(out, '\n');
}

static const char *or_word(const char *s, const char *word)
{
    return s && *s ? s : word;
}

static void print_container(const struct container *k, struct buf *out)
{
    static const char *const policies[] = { "never pulled", "pulled if it is missing", "pulled before every run" };
    char shm[32];
    (void)buf_addf(out, "container    of the engine at %s, runtime %s, network %s, /dev/shm %s\n", k->socket,
                   or_word(k->runtime, "its default"), or_word(k->network, "none"),
                   k->shm_bytes ? format_size(k->shm_bytes, shm) : "none");
    (void)buf_addf(out, "image        %s, %s\n", k->image, policies[k->auto_pull ? k->pull_policy : PULL_NEVER]);
    if (k->masks.count)
        (void)buf_addf(out, "hidden       %s ... (%u paths)\n", strlist_first(&k->masks), k->masks.count);
    (void)buf_adds(out, "accepted    ");
    for (enum feature f = 0; f < FEATURE_COUNT; f++)
        if (k->accept_missing >> f & 1)
            (void)buf_addf(out, " %s", feature_name(f));
    (void)buf_adds(out, " (may be missing although required)\n");
    STRLIST_FOREACH(place, &k->accept_mounts)
    (void)buf_addf(out, "accepted     whatever the engine mounts at %s\n", place);
}

static void print_indented(const char *text, struct buf *out)
{
    for (const char *line = text; line && *line;) {
        size_t n = strcspn(line, "\n");
        (void)buf_addf(out, "  %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static void print_values(const struct compiled *c, struct buf *out)
{
    (void)buf_adds(out, "values       and where each comes from\n");
    for (size_t i = 0; i < profile_settings.count; i++) {
        const struct setting *s = &profile_settings.table[i];
        struct buf value, origin;
        buf_init(&value, 64 * KIB);
        buf_init(&origin, 8 * KIB);
        setting_print(s, &c->profile, &value);
        compiled_origin(c, c->profile.origin[i], &origin);
        (void)buf_addf(out, "  %-40s %s   (%s)\n", s->key, value.data ? value.data : "",
                       origin.data ? origin.data : "");
        buf_done(&value);
        buf_done(&origin);
    }
}

void plan_print(const struct plan *p, const struct compiled *c, struct buf *out)
{
    (void)buf_addf(out, "level        %s (profile %s)\n", risk_level_names[c->profile.risk_level],
                   c->profile_file ? c->profile_file : "built in");
    if (p->is_container)
        print_container(&p->container, out);
    print_job(p, out);
    print_limits(p, out);
    print_kept(p, c, out);
    print_mounts(&p->shape, p->is_container, out);
    print_guards(&p->shape, out);
    print_access(&p->shape, out);
    if (p->is_container)
        (void)buf_addf(out, "seccomp      %s, %u bytes of JSON for the engine\n", c->profile.security.seccomp,
                       p->container.seccomp.size);
    else
        (void)buf_addf(out, "seccomp      %s, %u instructions\n", c->profile.security.seccomp,
                       p->shape.filter.size / 8);
    print_indented(c->filter_summary, out);
    (void)buf_adds(out, "not in force\n");
    STRLIST_FOREACH(note, &p->notes)
    (void)buf_addf(out, "  %s\n", note);
    print_values(c, out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_list(struct buf *b, const char *key, const struct strlist *l)
{
    json_key(b, key);
    json_texts(b, l);
}

static void put_mounts(struct buf *b, const struct shape *s)
{
    json_key(b, "mounts");
    json_open(b, '[');
    for (uint32_t i = 0; i < s->mount_count; i++) {
        const struct plan_mount *m = &s->mounts[i];
        char flags[48];
        mount_flags(m, flags);
        json_open(b, '{');
        json_key(b, "kind"), json_put_string(b, kind_names[m->kind]);
        json_key(b, "target"), json_put_string(b, m->target);
        json_key(b, "source"), json_put_string(b, m->kind == MOUNT_TEXT || m->kind == MOUNT_HOME ? NULL : m->source);
        json_key(b, "flags"), json_put_string(b, flags);
        json_key(b, "size_bytes"), json_uint(b, m->size_bytes);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static void put_limits(struct buf *b, const struct plan *p)
{
    const struct shape *s = &p->shape;
    json_key(b, "limits");
    json_open(b, '{');
    json_key(b, "memory_bytes"), json_uint(b, s->memory_bytes);
    json_key(b, "cpu"), json_milli(b, s->cpu_milli);
    json_key(b, "pids"), json_uint(b, s->pids);
    json_key(b, "max_processes"), json_uint(b, s->max_processes);
    json_key(b, "open_files"), json_uint(b, s->nofile_soft);
    json_key(b, "file_size_bytes"), json_uint(b, s->fsize_bytes);
    json_key(b, "timeout_ms"), json_uint(b, p->job.timeout_ms);
    json_key(b, "io");
    json_open(b, '{');
    json_key(b, "rbps"), json_uint(b, s->io_rbps);
    json_key(b, "wbps"), json_uint(b, s->io_wbps);
    json_key(b, "riops"), json_uint(b, s->io_riops);
    json_key(b, "wiops"), json_uint(b, s->io_wiops);
    json_close(b, '}');
    json_close(b, '}');
}

static void put_values(struct buf *b, const struct compiled *c)
{
    json_key(b, "values");
    json_open(b, '{');
    for (size_t i = 0; i < profile_settings.count; i++) {
        const struct setting *s = &profile_settings.table[i];
        struct buf value, origin;
        buf_init(&value, 64 * KIB);
        buf_init(&origin, 8 * KIB);
        setting_print(s, &c->profile, &value);
        compiled_origin(c, c->profile.origin[i], &origin);
        json_key(b, s->key);
        json_open(b, '{');
        json_key(b, "value"), json_put_string(b, value.data ? value.data : "");
        json_key(b, "origin"), json_put_string(b, origin.data ? origin.data : "");
        json_close(b, '}');
        buf_done(&value);
        buf_done(&origin);
    }
    json_close(b, '}');
}

static void put_container(struct buf *b, const struct plan *p)
{
    const struct container *k = &p->container;
    json_key(b, "container");
    if (!p->is_container) {
        json_put_null(b);
        return;
    }
    json_open(b, '{');
    json_key(b, "socket"), json_put_string(b, k->socket);
    json_key(b, "runtime"), json_put_string(b, k->runtime);
    json_key(b, "network"), json_put_string(b, k->network);
    json_key(b, "image"), json_put_string(b, k->image);
    json_close(b, '}');
}

/* The other machine makes its own. */
static void put_remote(struct buf *b, const struct plan *p)
{
    json_key(b, "remote");
    json_open(b, '{');
    json_key(b, "address"), json_put_string(b, p->remote.address);
    json_key(b, "timeout_ms"), json_uint(b, p->job.timeout_ms);
    json_key(b, "max_output"), json_uint(b, p->remote.max_output);
    json_close(b, '}');
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

void plan_print_json(const struct plan *p, const struct compiled *c, bool with_values, struct buf *b)
{
    json_open(b, '{');
    json_key(b, "risk_level"), json_put_string(b, risk_level_names[c->profile.risk_level]);
    json_key(b, "program"), json_put_string(b, p->job.program);
    if (p->is_remote) {
        put_remote(b, p);
        return;
    }
    put_container(b, p);
    put_list(b, "argv", &p->job.argv);
    put_list(b, "env", &p->job.env);
    json_key(b, "cwd"), json_put_string(b, p->job.cwd);
    put_mounts(b, &p->shape);
    if (p->shape.guards.count)
        put_list(b, "guards", &p->shape.guards);
    put_limits(b, p);
    json_key(b, "workspace_kept"), json_put_string(b, p->job.workspace);
    json_key(b, "network");
    json_open(b, '{');
    json_key(b, "mode"), json_put_string(b, p->shape.is_brokered || p->container.network ? "bridge" : "none");
    json_key(b, "loopback"), json_bool(b, p->shape.loopback);
    json_close(b, '}');
    json_key(b, "seccomp");
    json_open(b, '{');
    json_key(b, "profile"), json_put_string(b, c->profile.security.seccomp);
    json_key(b, "instructions"), json_uint(b, p->shape.filter.size / 8);
    json_key(b, "summary"), json_put_string(b, c->filter_summary);
    json_close(b, '}');
    put_list(b, "missing", &p->notes);
    if (with_values)
        put_values(b, c);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}
