#include "engine/readback.h"

#include <stdio.h>
#include "base/feature.h"
#include "engine/check.h"

/* --- values --------------------------------------------------------------------------------------- */

static bool is_zero(const json_t *v)
{
    return !v || json_is_null(v) || json_is_false(v) || (json_is_integer(v) && json_integer_value(v) == 0) ||
           (json_is_string(v) && json_string_length(v) == 0) || (json_is_array(v) && json_array_size(v) == 0) ||
           (json_is_object(v) && json_object_size(v) == 0);
}

static bool matches(const json_t *asked, const json_t *found);

/* As sets: engines sort. Each asked one is there, and there are no others. */
static bool arrays_match(const json_t *asked, const json_t *found)
{
    size_t i, k;
    json_t *a, *f;
    if (!json_is_array(found) || json_array_size(asked) != json_array_size(found))
        return false;
    json_array_foreach(asked, i, a)
    {
        bool is_there = false;
        json_array_foreach(found, k, f) is_there = is_there || matches(a, f);
        if (!is_there)
            return false;
    }
    return true;
}

/* Members that were not asked for are the engine's to fill in. */
static bool objects_match(const json_t *asked, const json_t *found)
{
    const char *key;
    json_t *a;
    if (!json_is_object(found))
        return false;
    json_object_foreach((json_t *)(uintptr_t)asked, key, a) if (!matches(a, json_object_get(found, key))) return false;
    return true;
}

/* Absent, null, false, 0 and empty are one to an engine written in Go. */
static bool matches(const json_t *asked, const json_t *found)
{
    if (is_zero(asked) || is_zero(found))
        return is_zero(asked) && is_zero(found);
    if (json_is_array(asked))
        return arrays_match(asked, found);
    if (json_is_object(asked))
        return objects_match(asked, found);
    return json_equal(asked, found);
}

/* --- renderings ----------------------------------------------------------------------------------- */

static bool is_string(const json_t *v, const char *text)
{
    return json_is_string(v) && str_eq(json_string_value(v), text);
}

/* Names of capabilities come with CAP_ from newer engines; «ALL» may be spelt out by Podman as what its default set
 * had. */
static bool same_caps(const json_t *asked, const json_t *found)
{
    size_t i, k;
    json_t *a, *f;
    if (json_array_size(asked) != json_array_size(found))
        return false;
    json_array_foreach(asked, i, a)
    {
        bool is_there = false;
        json_array_foreach(found, k, f)
        {
            const char *name = json_string_value(f);
            name = name && str_starts(name, "CAP_") ? name + 4 : name;
            is_there = is_there || (name && is_string(a, name));
        }
        if (!is_there)
            return false;
    }
    return true;
}

static bool lists_it(const json_t *found, const char *name)
{
    size_t i;
    json_t *f;
    json_array_foreach(found, i,
                       f) if (is_string(f, name) || (json_is_string(f) && str_starts(json_string_value(f), "CAP_") &&
                                                     str_eq(json_string_value(f) + 4, name))) return true;
    return false;
}

/* Podman names each capability of its default set in place of ALL. What is in force is in the facts: all sets empty. */
static bool dropped_by_podman(const json_t *asked, const json_t *found)
{
    return same_caps(asked, found) || (lists_it(asked, "ALL") && lists_it(found, "SETUID") && lists_it(found, "CHOWN"));
}

static bool is_true_somewhere(const json_t *asked, const json_t *found)
{
    (void)asked;
    (void)found;
    return true;
}

/* «bridge» for every network that has a name; which one, compare_network() asks. */
static bool mode_of_podman(const json_t *asked, const json_t *found)
{
    return json_equal(asked, found) || (is_string(found, "bridge") && !is_string(asked, "none"));
}

/* «private» is the default, which Podman reports as what it would be for another container that joined. The facts tell:
 * another IPC namespace. */
static bool ipc_of_podman(const json_t *asked, const json_t *found)
{
    return json_equal(asked, found) || is_string(found, "shareable") || is_string(found, "private");
}

static bool default_mode(const json_t *asked, const json_t *found)
{
    return matches(asked, found) || is_string(found, "private") || is_string(found, "default");
}

static bool restarts_never(const json_t *asked, const json_t *found)
{
    const json_t *name = json_object_get(found, "Name");
    return matches(asked, found) || is_zero(name);
}

static bool is_none_or_empty(const json_t *asked, const json_t *found)
{
    return matches(asked, found) || is_zero(found);
}

static bool ulimits_by_name(const json_t *asked, const json_t *found)
{
    size_t i, k;
    json_t *a, *f;
    json_array_foreach(asked, i, a)
    {
        const char *name = json_string_value(json_object_get(a, "Name"));
        bool is_there = false;
        json_array_foreach(found, k, f)
        {
            const char *other = json_string_value(json_object_get(f, "Name"));
            if (other && str_starts(other, "RLIMIT_")) {
                is_there = is_there || (strcasecmp(other + 7, name) == 0 &&
                                        json_equal(json_object_get(a, "Soft"), json_object_get(f, "Soft")) &&
                                        json_equal(json_object_get(a, "Hard"), json_object_get(f, "Hard")));
            }
            is_there = is_there || matches(a, f);
        }
        if (!is_there)
            return false;
    }
    return true;
}

/* Without root it takes none by this API (4.3). entry lowers its own, and the facts tell. */
static bool ulimits_of_podman(const json_t *asked, const json_t *found)
{
    return is_zero(found) || ulimits_by_name(asked, found);
}

enum { DOCKER = 1, PODMAN = 2, BOTH = 3 };
static const struct rendering {
    const char *member;
    unsigned engines;
    bool (*is_same)(const json_t *asked, const json_t *found);
} renderings[] = {
    { "HostConfig.CapAdd", BOTH, same_caps },
    { "HostConfig.CapDrop", DOCKER, same_caps },
    { "HostConfig.CapDrop", PODMAN, dropped_by_podman },
    { "HostConfig.Ulimits", DOCKER, ulimits_by_name },
    { "HostConfig.Ulimits", PODMAN, ulimits_of_podman },
    { "HostConfig.IpcMode", PODMAN, ipc_of_podman },
    { "HostConfig.PidMode", PODMAN, default_mode },
    { "HostConfig.UTSMode", PODMAN, default_mode },
    /* not in its answer; the facts and probes say what is in force */
    { "HostConfig.MaskedPaths", PODMAN, is_true_somewhere },
    { "HostConfig.ReadonlyPaths", PODMAN, is_true_somewhere },
    { "HostConfig.Mounts", PODMAN, is_true_somewhere }, /* compared below, as mount points */
    { "HostConfig.Tmpfs", PODMAN, is_true_somewhere },  /* options in its own order, with its own added: probed */
    { "HostConfig.SecurityOpt", PODMAN, is_true_somewhere },
    { "HostConfig.OomKillDisable", BOTH, is_none_or_empty },
    { "HostConfig.CpuPeriod", PODMAN, is_none_or_empty },
    { "NetworkDisabled", PODMAN, is_true_somewhere }, /* NetworkMode says it */
    { "Healthcheck", PODMAN, is_none_or_empty },
    { "StopSignal", PODMAN, is_true_somewhere }, /* a number there */
    { "Entrypoint", PODMAN, is_true_somewhere }, /* a string there; «Path» is compared below */
    { "StdinOnce", PODMAN, is_none_or_empty },   /* it closes with the attach connection, which ends entry */
    { "HostConfig.CgroupnsMode", PODMAN, is_none_or_empty }, /* empty: its default, which is told by the facts */
    { "HostConfig.RestartPolicy", PODMAN, restarts_never },
    { "HostConfig.NetworkMode", PODMAN, mode_of_podman },
    { "AttachStdin", PODMAN, is_none_or_empty },
    { "AttachStdout", PODMAN, is_none_or_empty },
    { "AttachStderr", PODMAN, is_none_or_empty },
};

static bool is_in_force(const char *member, const json_t *asked, const json_t *found, bool is_podman)
{
    if (matches(asked, found))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(renderings); i++)
        if (str_eq(renderings[i].member, member) && renderings[i].engines & (is_podman ? PODMAN : DOCKER))
            return renderings[i].is_same(asked, found);
    return false;
}

/* --- telling -------------------------------------------------------------------------------------- */

static int refuse(const char *member, const json_t *asked, const json_t *found, struct error *err)
{
    cleanup(freep) char *a = json_dumps(asked, JSON_ENCODE_ANY | JSON_COMPACT);
    cleanup(freep) char *f = found ? json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    (void)err_set(err, -ENOTSUP, BLAME_HOST, "CREATE", "engine: %s: asked %.140s, in force %.140s", member, a ? a : "?",
                  f ? f : "nothing");
    return err_remedy(
        err,
        "this engine does not do as it is told: take another one, or change what the profile or docker.* asks of it");
}

/* -> the feature whose limit it is; FEATURE_COUNT: none's */
static enum feature limit_of(const char *member)
{
    static const struct {
        const char *member;
        enum feature feature;
    } limits[] = { { "HostConfig.Memory", FEATURE_MEMORY },
                   { "HostConfig.MemorySwap", FEATURE_MEMORY },
                   { "HostConfig.CpuPeriod", FEATURE_CPU },
                   { "HostConfig.CpuQuota", FEATURE_CPU },
                   { "HostConfig.PidsLimit", FEATURE_PIDS } };
    for (size_t i = 0; i < ARRAY_LEN(limits); i++)
        if (str_eq(limits[i].member, member))
            return limits[i].feature;
    return FEATURE_COUNT;
}

static int refuse_member(const char *member, const json_t *asked, const json_t *found, struct error *err)
{
    int r = refuse(member, asked, found, err);
    return limit_of(member) == FEATURE_COUNT ? r : check_limits_remedy(err);
}

uint32_t readback_limits(const json_t *asked, const json_t *found, bool is_podman)
{
    static const char *const members[] = { "Memory", "MemorySwap", "CpuPeriod", "CpuQuota", "PidsLimit" };
    uint32_t told = CHECK_LIMITS;
    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        char member[80];
        const json_t *a = json_object_get(json_object_get(asked, "HostConfig"), members[i]);
        (void)snprintf(member, sizeof member, "HostConfig.%s", members[i]);
        if (is_zero(a) ||
            !is_in_force(member, a, json_object_get(json_object_get(found, "HostConfig"), members[i]), is_podman))
            told &= ~(UINT32_C(1) << limit_of(member));
    }
    return told;
}

static int compare_members(const json_t *asked, const json_t *found, const char *prefix, bool is_podman,
                           uint32_t accepted, struct error *err)
{
    const char *key;
    json_t *a;
    json_object_foreach((json_t *)(uintptr_t)asked, key, a)
    {
        char member[80];
        (void)snprintf(member, sizeof member, "%s%s", prefix, key);
        if (str_eq(member, "Image") || str_eq(member, "HostConfig") || str_eq(member, "HostConfig.Runtime"))
            continue;
        if (accepted & CHECK_LIMITS & UINT32_C(1) << limit_of(member))
            continue;
        if (!is_in_force(member, a, json_object_get(found, key), is_podman))
            return refuse_member(member, a, json_object_get(found, key), err);
    }
    return 0;
}

static const json_t *real_runtime(const json_t *found, bool is_podman)
{
    return is_podman ? json_object_get(found, "OCIRuntime")
                     : json_object_get(json_object_get(found, "HostConfig"), "Runtime");
}

const char *readback_runtime(const json_t *found, bool is_podman)
{
    return json_string_value(real_runtime(found, is_podman));
}

/* Podman says the path that its service was started with, or the name. */
static bool is_program(const json_t *path, const char *name)
{
    const char *slash = json_is_string(path) ? strrchr(json_string_value(path), '/') : NULL;
    return slash && name && str_eq(slash + 1, name);
}

static int compare_runtime(const json_t *asked, const json_t *found, bool is_podman, struct error *err)
{
    const json_t *wanted = json_object_get(json_object_get(asked, "HostConfig"), "Runtime");
    const json_t *real = real_runtime(found, is_podman);
    if (!wanted || json_equal(wanted, real) || (is_podman && is_program(real, json_string_value(wanted))))
        return 0;
    (void)refuse("HostConfig.Runtime", wanted, real, err);
    return is_podman ? err_remedy(err,
                                  "start Podman's service with `podman --runtime %s system service ...`: it takes no "
                                  "runtime from a request",
                                  json_string_value(wanted))
                     : err->code;
}

static int compare_image(const json_t *asked, const json_t *found, struct error *err)
{
    const char *wanted = json_string_value(json_object_get(asked, "Image")),
               *real = json_string_value(json_object_get(found, "Image"));
    if (wanted && real) { /* with «sha256:» or without */
        const char *a = str_starts(wanted, "sha256:") ? wanted + 7 : wanted,
                   *b = str_starts(real, "sha256:") ? real + 7 : real;
        if (str_eq(a, b))
            return 0;
    }
    return refuse("Image", json_object_get(asked, "Image"), json_object_get(found, "Image"), err);
}

static const json_t *asked_mount(const json_t *asked, const char *target)
{
    size_t i;
    json_t *m;
    json_array_foreach(json_object_get(json_object_get(asked, "HostConfig"), "Mounts"), i,
                       m) if (is_string(json_object_get(m, "Target"), target)) return m;
    return NULL;
}

/* No mount point that was not asked for (a VOLUME of the image would be one), none that is writable and should not be.
 */
static int compare_mounts(const json_t *asked, const json_t *found, struct error *err)
{
    size_t i, count = 0;
    json_t *m;
    const json_t *tmpfs = json_object_get(json_object_get(asked, "HostConfig"), "Tmpfs");
    json_array_foreach(json_object_get(found, "Mounts"), i, m)
    {
        const char *target = json_string_value(json_object_get(m, "Destination"));
        const json_t *wanted = target ? asked_mount(asked, target) : NULL;
        if (!wanted && target && json_object_get(tmpfs, target))
            continue;
        if (!wanted || (json_is_true(json_object_get(wanted, "ReadOnly")) && !json_is_false(json_object_get(m, "RW"))))
            return refuse("Mounts", wanted ? wanted : json_null(), m, err);
        count++;
    }
    size_t wanted_count = json_array_size(json_object_get(json_object_get(asked, "HostConfig"), "Mounts"));
    if (count != wanted_count)
        return refuse("Mounts", json_object_get(json_object_get(asked, "HostConfig"), "Mounts"),
                      json_object_get(found, "Mounts"), err);
    return 0;
}

static int compare_program(const json_t *asked, const json_t *found, struct error *err)
{
    const json_t *wanted = json_array_get(json_object_get(asked, "Entrypoint"), 0);
    const json_t *args = json_object_get(found, "Args");
    bool has_none = json_array_size(args) == 0 ||
                    (json_array_size(args) == 1 &&
                     json_equal(wanted, json_array_get(args, 0))); /* Podman's begin with the name */
    if (json_equal(wanted, json_object_get(found, "Path")) && has_none)
        return 0;
    return refuse("Entrypoint", wanted, json_object_get(found, "Path"), err);
}

static int compare_network(const json_t *asked, const json_t *found, bool is_podman, struct error *err)
{
    const json_t *wanted = json_object_get(json_object_get(asked, "HostConfig"), "NetworkMode");
    json_t *networks = json_object_get(json_object_get(found, "NetworkSettings"), "Networks");
    const char *name = json_string_value(wanted);
    if (!is_podman || !name || str_eq(name, "none") ||
        (json_object_size(networks) == 1 && json_object_get(networks, name)))
        return 0;
    return refuse("NetworkSettings.Networks", wanted, networks, err);
}

int readback_compare(const json_t *asked, const json_t *found, bool is_podman, uint32_t accepted, struct error *err)
{
    int r = compare_image(asked, found, err);
    if (r == 0)
        r = compare_runtime(asked, found, is_podman, err);
    if (r == 0)
        r = compare_program(asked, found, err);
    if (r == 0)
        r = compare_network(asked, found, is_podman, err);
    if (r == 0)
        r = compare_members(asked, json_object_get(found, "Config"), "", is_podman, accepted, err);
    if (r == 0)
        r = compare_members(json_object_get(asked, "HostConfig"), json_object_get(found, "HostConfig"), "HostConfig.",
                            is_podman, accepted, err);
    return r < 0 ? r : compare_mounts(asked, found, err);
}
