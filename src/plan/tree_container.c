/* tree_container.c - the plan of a run in a container: the image is the root, and sandbox-entry's landlock says what of
 * it the code may use.
 *
 * blocked_paths are not covered up but unreadable: the interpreter's own libraries and the C library's settings are
 * among them, and which of those an image needs to start is the image's business.
 */
#include "plan/builder.h"

#include <stdio.h>
#include "base/watch_bits.h"

/* --- what may be used --------------------------------------------------------------------------------- */

/* The directories of an image's root, and those of /usr, since a profile blocks parts of it. */
static const char *const image_dirs[] = { "/bin",
                                          "/sbin",
                                          "/lib",
                                          "/lib32",
                                          "/lib64",
                                          "/libx32",
                                          "/etc",
                                          "/var",
                                          "/proc",
                                          "/sys",
                                          "/dev",
                                          "/opt",
                                          "/srv",
                                          "/home",
                                          "/root",
                                          "/run",
                                          "/mnt",
                                          "/media",
                                          "/usr/bin",
                                          "/usr/sbin",
                                          "/usr/lib",
                                          "/usr/lib32",
                                          "/usr/lib64",
                                          "/usr/libx32",
                                          "/usr/libexec",
                                          "/usr/share",
                                          "/usr/include",
                                          "/usr/src",
                                          "/usr/games",
                                          "/usr/local/bin",
                                          "/usr/local/sbin",
                                          "/usr/local/lib",
                                          "/usr/local/share",
                                          "/usr/local/include",
                                          "/usr/local/go" };

static bool holds_programs(const char *dir)
{
    const char *last = strrchr(dir, '/') + 1;
    return str_eq(last, "bin") || str_eq(last, "sbin") || str_eq(last, "games") || str_eq(last, "libexec");
}

static void read_rights(struct builder *b)
{
    if (b->compiles || !b->p->filesystem.blocked_paths.count) {
        builder_access(b, "/", LANDLOCK_READ);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(image_dirs); i++)
        if (!builder_is_blocked(b, image_dirs[i]) && (b->sees_usr || !holds_programs(image_dirs[i])))
            builder_access(b, image_dirs[i], LANDLOCK_READ);
    if (!b->has_etc) { /* where the dynamic linker finds libraries, and the time zone: no secret, and no image starts
                          without */
        builder_access(b, "/etc/ld.so.cache", LANDLOCK_READ);
        builder_access(b, "/etc/localtime", LANDLOCK_READ);
        if (b->r->language < LANG_COUNT)
            for (const char *const *s = lang_driver(b->r->language)->settings; *s; s++)
                builder_access(b, *s, LANDLOCK_READ);
    }
    builder_access(b, "/code", LANDLOCK_READ);
}

/* Where not all may be read: the places that were asked for may. */
static void read_mounts(struct builder *b)
{
    const struct shape *s = &b->plan->shape;
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_TMPFS || s->mounts[i].kind == MOUNT_VOLUME)
            builder_access(b, s->mounts[i].target, LANDLOCK_READ);
}

static void exec_rights(struct builder *b)
{
    static const char *const loaders[] = { "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1",
                                           "/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-aarch64.so.1" };
    static const char *const dirs[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt" };
    bool is_alone = builder_is_interpreter_only(b);
    builder_access(b, ACCESS_PROGRAM, LANDLOCK_READ | LANDLOCK_EXEC);
    for (size_t i = 0; is_alone && i < ARRAY_LEN(loaders); i++)
        builder_access(b, loaders[i], LANDLOCK_EXEC);
    for (size_t i = 0; !is_alone && i < ARRAY_LEN(dirs); i++)
        builder_access(b, dirs[i], LANDLOCK_EXEC);
}

/* Of the engine's /proc; the engine's own list covers kcore, keys, timer_list, sched_debug and the like. */
static void mask_proc(struct builder *b)
{
    static const char *const always[] = {
        "/proc/key-users", "/proc/kallsyms", "/proc/modules", "/proc/interrupts", "/proc/cmdline", "/proc/config.gz",
        /* as natively: two sandboxes can talk by locks, the others name the machine */
        "/proc/locks", "/proc/fs", "/proc/bus", "/proc/diskstats", "/proc/partitions", "/proc/sys/kernel/random/boot_id"
    };
    static const char *const machine[] = { "/proc/cpuinfo",  "/proc/meminfo", "/proc/stat",   "/proc/mounts",
                                           "/proc/swaps",    "/proc/loadavg", "/proc/uptime", "/proc/vmstat",
                                           "/proc/zoneinfo", "/proc/devices", "/proc/driver", "/proc/sysvipc" };
    if (!b->has_proc)
        return;
    for (size_t i = 0; i < ARRAY_LEN(always); i++) /* not version: uname(2) says the same */
        (void)builder_mount(b, MOUNT_MASK, NULL, always[i], 0);
    for (size_t i = 0; b->p->security.mask_proc && i < ARRAY_LEN(machine); i++)
        (void)builder_mount(b, MOUNT_MASK, NULL, machine[i], 0);
}

/* Where the image has it is unknown. */
void builder_container_mask(struct builder *b, const char *program)
{
    static const char *const dirs[] = { "/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin" };
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++)
        if (!b->failed && strlist_addf(&b->plan->container.masks, "%s/%s", dirs[i], program) < 0)
            b->failed = err_set(b->err, -E2BIG, BLAME_CALLER, "PLAN", "too many blocked commands");
}

void builder_container_tree(struct builder *b)
{
    b->sees_usr = b->compiles || !builder_is_blocked(b, "/usr/bin");
    b->has_proc = b->compiles || !builder_is_blocked(b, "/proc");
    b->has_etc = b->compiles || !builder_is_blocked(b, "/etc");
    b->has_dev = b->compiles || !builder_is_blocked(b, "/dev");
    read_rights(b);
    exec_rights(b);
    if (b->has_dev)
        builder_access(b, "/dev", LANDLOCK_DEVICE);
    builder_writable(b);
    if (b->r->language < LANG_COUNT && lang_driver(b->r->language)->is_compiled && !b->compiles)
        builder_access(b, "/code", LANDLOCK_EXEC);
    mask_proc(b);
    builder_masks(b);
    builder_volumes(b);
    read_mounts(b);
}

/* --- the engine --------------------------------------------------------------------------------------- */

/* Commands run in bash's image. */
static const char *image_of(const struct builder *b)
{
    return b->p->languages[b->r->language < LANG_COUNT ? b->r->language : LANG_BASH].image;
}

static void take_shm(struct builder *b, struct container *k)
{
    struct shape *s = &b->plan->shape;
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_TMPFS && str_eq(s->mounts[i].target, "/dev/shm")) {
            k->shm_bytes = s->mounts[i].size_bytes; /* the engine makes it */
            s->mounts[i] = s->mounts[--s->mount_count];
        }
}

static void note(struct builder *b, enum feature f, const char *text)
{
    if (text)
        (void)strlist_addf(&b->plan->notes, "%s: %s", feature_name(f), text);
}

/* What the broker sees natively, and no process in a container does: of these the patterns for which is_on. */
static const char *unseen(const struct builder *b, bool (*is_on)(const struct profile *p, const char *name))
{
    static const struct {
        const char *name, *what;
    } patterns[] = { { "data_exfiltration", "bytes sent" },
                     { "crypto_mining", "names that are looked up, and words in memory" } };
    const char *list = NULL;
    for (size_t i = 0; b->p->network.mode == NETWORK_BRIDGE && i < ARRAY_LEN(patterns); i++)
        if (is_on(b->p, patterns[i].name))
            list = list ? arena_printf(b->arena, "%s, %s (%s)", list, patterns[i].name, patterns[i].what)
                        : arena_printf(b->arena, "%s (%s)", patterns[i].name, patterns[i].what);
    return list;
}

static void note_missing(struct builder *b, const struct container *k)
{
    const struct profile *p = b->p;
    const char *kills = unseen(b, profile_kills), *patterns = unseen(b, profile_recognises);
    if (kills)
        note(b, FEATURE_KILL_SWITCHES, arena_printf(b->arena, "%s: seen by the native backend's broker alone", kills));
    if (patterns)
        note(b, FEATURE_MONITORING, arena_printf(b->arena, "%s: seen by the native backend's broker alone", patterns));
    if (p->network.mode == NETWORK_BRIDGE && k->network)
        note(b, FEATURE_NETWORK,
             arena_printf(b->arena,
                          "the engine's bridge %s in place of the broker: network.ports, max_connections, "
                          "max_connections_per_second, max_bytes and the "
                          "ban of private addresses (this host's at the gateway, too) are not kept, and containers in "
                          "it are kept apart by the engine's own packet filter, if it has one",
                          k->network));
    if (!plan_counts_bytes(b->plan))
        (void)strlist_add(&b->plan->notes, "bytes_in, bytes_out: not counted on the engine's bridge, so they are null, "
                                           "and rate_limiting.budgets.*.max_bytes_per_day does not see them");
    if (p->network.mode == NETWORK_BRIDGE && !k->network)
        note(b, FEATURE_NETWORK, "none at all: docker.container.network is none");
    if (!p->filesystem.readonly_root)
        note(b, FEATURE_STORAGE, "a container's writable root has no limit of its own");
    if (p->network.disable_loopback && p->network.mode == NETWORK_NONE)
        (void)strlist_add(&b->plan->notes,
                          "disable_loopback: the interface lo is up; the seccomp filter and landlock refuse its use");
}

static uint32_t lacking(const struct builder *b)
{
    uint32_t bits = 0;
    if (unseen(b, profile_kills))
        bits |= 1u << FEATURE_KILL_SWITCHES;
    if (b->p->network.mode == NETWORK_BRIDGE)
        bits |= 1u << FEATURE_NETWORK;
    if (!b->p->filesystem.readonly_root)
        bits |= 1u << FEATURE_STORAGE;
    return bits;
}

/* The setting replaces what it was, so all of it is said. */
static int say_accept(struct builder *b, const struct container *k, const char *otherwise, enum feature lacking)
{
    const char *all = NULL;
    for (enum feature f = 0; f < FEATURE_COUNT; f++)
        if ((k->accept_missing | UINT32_C(1) << lacking) >> f & 1)
            all = all ? arena_printf(b->arena, "%s, %s", all, feature_name(f)) : feature_name(f);
    return err_remedy(b->err,
                      "run it with %s native%s, or accept that in the configuration: docker.container.accept_missing: "
                      "[%s]",
                      request_word(b->r->words, REQUEST_BACKEND), otherwise, all);
}

/* An engine's bridge leads to its gateway, which is this host, and on to whatever this host reaches. */
static int check_network(struct builder *b, const struct container *k)
{
    const bool has_rules = b->p->network.allow.count || b->p->network.deny.count;
    if (!k->network || k->accept_missing >> FEATURE_NETWORK & 1)
        return 0;
    (void)err_set(b->err, -EOPNOTSUPP, BLAME_POLICY, "PLAN",
                  "%s: on the engine's bridge %.60s a program reaches this host's own services by the gateway's "
                  "address, private networks and a cloud's metadata address; the broker, which refuses these, is the "
                  "native backend's",
                  has_rules ? "network.allow and network.deny are rules that the docker backend cannot keep"
                            : "network.mode: bridge",
                  k->network);
    return say_accept(b, k,
                      ", or set docker.container.network: none (such runs then have no network) or network.mode: none",
                      FEATURE_NETWORK);
}

/* What the profile cannot do without, and what would be weaker than natively: never left out silently. */
static int check_required(struct builder *b, const struct container *k)
{
    const uint32_t refused = lacking(b) & b->plan->shape.require & ~k->accept_missing;
    for (enum feature f = 0; f < FEATURE_COUNT; f++)
        if (refused >> f & 1) {
            (void)err_set(b->err, -EOPNOTSUPP, BLAME_POLICY, "PLAN",
                          "the profile requires %s, which the docker backend cannot give it", feature_name(f));
            return say_accept(b, k, "", f);
        }
    return check_network(b, k);
}

int builder_container(struct builder *b, const struct compiled *c)
{
    struct plan *plan = b->plan;
    struct container *k = &plan->container;
    const struct config *conf = &c->config;
    const char *network = conf->docker.container.network;
    bool has_network = b->p->network.mode == NETWORK_BRIDGE && !b->compiles && network && *network &&
                       !str_eq(network, "none");
    plan->is_container = true;
    *k = (struct container){ .masks = k->masks,
                             .socket = conf->docker.daemon.socket,
                             .answer_ms = conf->docker.daemon.timeout,
                             .runtime = conf->docker.daemon.runtime,
                             .network = has_network ? network : NULL,
                             .image = image_of(b),
                             .pull_policy = conf->docker.images.pull_policy,
                             .auto_pull = conf->docker.images.auto_pull,
                             .registries = conf->docker.images.allowed_registries,
                             .seccomp = { b->container.seccomp_json, (uint32_t)strlen(b->container.seccomp_json) },
                             .seccomp_watched = { b->container.watched_json,
                                                  (uint32_t)strlen(b->container.watched_json) },
                             .workspace_max = conf->security.store_artifacts.max_size,
                             .accept_missing = conf->docker.container.accept_missing,
                             .accept_mounts = conf->docker.container.accept_mounts,
                             .removes = conf->docker.container.remove_on_exit,
                             .sweeps = conf->docker.container.auto_cleanup,
                             .sweep_ms = conf->docker.container.cleanup_interval };
    if (!k->seccomp.size) {
        (void)err_set(b->err, -EOPNOTSUPP, BLAME_POLICY, "PLAN",
                      "security.seccomp: %s cannot be said in an engine's words", b->p->security.seccomp);
        return err_remedy(b->err, "use default or strict, or simplify the file's rules over arguments");
    }
    if (!k->image || !*k->image) {
        (void)err_set(b->err, -ENOENT, BLAME_CALLER, "PLAN", "no image for language %s",
                      language_names[b->r->language]);
        return err_remedy(b->err, "set languages.%s.default_image in the configuration",
                          language_names[b->r->language < LANG_COUNT ? b->r->language : LANG_BASH]);
    }
    take_shm(b, k);
    if (b->compiles)
        return 0;
    note_missing(b, k);
    return check_required(b, k);
}
