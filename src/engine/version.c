#include "engine/version.h"

#include <stdio.h>
#include <string.h>
#include "base/parse.h"
#include "engine/answer.h"

struct api_version {
    uint64_t major, minor;
};

/* «1.41» */
static int read_version(const char *s, struct api_version *ret)
{
    char major[8];
    struct api_version v;
    const char *dot = strchr(s, '.');
    if (!dot || (size_t)(dot - s) >= sizeof major)
        return -EINVAL;
    memcpy(major, s, (size_t)(dot - s));
    major[dot - s] = '\0';
    if (parse_u64(major, &v.major) < 0 || parse_u64(dot + 1, &v.minor) < 0 || v.major > 999 || v.minor > 9999)
        return -EINVAL;
    *ret = v;
    return 0;
}

static bool is_older(struct api_version a, struct api_version b)
{
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
}

static const char *text_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

/* Podman's /version has the fields of Docker's; its component and its Server line («Libpod/4.3.1 (linux)») tell. */
static bool is_podman(const json_t *answer, const char *server)
{
    size_t i;
    json_t *component;
    json_array_foreach(json_object_get(answer, "Components"), i,
                       component) if (strstr(text_of(component, "Name"), "Podman")) return true;
    return str_starts(server, "Libpod/");
}

static void set_name(struct engine *e, const json_t *answer)
{
    char version[64];
    const char *said = text_of(answer, "Version");
    (void)snprintf(e->name, sizeof e->name, "%s %s", e->is_podman ? "Podman" : "Docker",
                   said[0] ? answer_clean(said, strlen(said), version, sizeof version) : "of an unknown version");
}

static int say_too_old(const struct engine *e, const char *newest, struct error *err)
{
    (void)err_set(err, -EPROTONOSUPPORT, BLAME_HOST, NULL,
                  "engine: %s is too old: its newest API is %s, and what is needed here came with %s", e->name, newest,
                  ENGINE_VERSION_MIN);
    return err_remedy(err, "Docker 20.10 or newer, or Podman");
}

static int say_too_new(const struct engine *e, const char *oldest, struct error *err)
{
    (void)err_set(err, -EPROTONOSUPPORT, BLAME_HOST, NULL,
                  "engine: %s is too new: it takes no API older than %s, and sandbox-agent %s speaks %s and newer ones "
                  "that begin with %u.",
                  e->name, oldest, VERSION, ENGINE_VERSION_MIN, ENGINE_VERSION_MAJOR);
    return err_remedy(err, "a newer sandbox-agent, or an engine that still takes an older API");
}

static struct api_version oldest_of_ours(void)
{
    struct api_version ours = { 0 };
    const bool is_read = read_version(ENGINE_VERSION_MIN, &ours) == 0;
    assert(is_read); /* a constant */
    return ours;
}

static void agree_on(struct engine *e, struct api_version v)
{
    (void)snprintf(e->version, sizeof e->version, "%u.%u", (unsigned)v.major, (unsigned)v.minor);
}

/* What an engine of the next major version still takes, and how one that is too old is called, only /version says. */
bool version_from_ping(struct engine *e, const char *api_version, const char *server)
{
    struct api_version theirs;
    const bool is_libpod = str_starts(server, "Libpod/");
    if ((!is_libpod && !str_starts(server, "Docker/")) || read_version(api_version, &theirs) < 0)
        return false;
    if (theirs.major > ENGINE_VERSION_MAJOR || (!is_libpod && is_older(theirs, oldest_of_ours())))
        return false;
    const char *version = strchr(server, '/') + 1;
    e->is_podman = is_libpod;
    (void)snprintf(e->name, sizeof e->name, "%s %.*s", is_libpod ? "Podman" : "Docker", (int)strcspn(version, " "),
                   version);
    agree_on(e, theirs);
    return true;
}

int version_agree(struct engine *e, const json_t *answer, const char *server, struct error *err)
{
    const char *newest = text_of(answer, "ApiVersion"), *oldest = text_of(answer, "MinAPIVersion");
    const struct api_version ours = oldest_of_ours();
    struct api_version theirs_min = { 0 }, theirs_max;
    if (read_version(newest, &theirs_max) < 0 || (oldest[0] && read_version(oldest, &theirs_min) < 0)) {
        (void)err_set(err, -EBADMSG, BLAME_HOST, NULL,
                      "engine: GET /version: the answer names no API version: no container engine answers so");
        return err_remedy(err, "is %s the socket of a container engine? docker.daemon.socket names it", e->socket);
    }
    e->is_podman = is_podman(answer, server);
    set_name(e, answer);
    if (!e->is_podman &&
        is_older(theirs_max, ours)) /* Podman says 1.40 and 1.41, and takes whatever number is asked for (4.3) */
        return say_too_old(e, newest, err);
    if (theirs_min.major > ENGINE_VERSION_MAJOR)
        return say_too_new(e, oldest, err);
    if (theirs_max.major > ENGINE_VERSION_MAJOR) /* which of ours is its newest it does not say */
        theirs_max = is_older(theirs_min, ours) ? ours : theirs_min;
    agree_on(e, theirs_max);
    return 0;
}
