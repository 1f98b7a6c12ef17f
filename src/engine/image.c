#include "engine/image.h"

static bool is_hex(const char *s, size_t min, size_t max)
{
    size_t n = strspn(s, "0123456789abcdef");
    return s[n] == '\0' && n >= min && n <= max;
}

/* A first component that is a host: it has a dot or a port, or is localhost (distribution's reference grammar). */
static bool is_registry(const char *text, size_t n)
{
    return memchr(text, '.', n) || memchr(text, ':', n) || (n == 9 && strncmp(text, "localhost", 9) == 0);
}

#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789"
#define UPPER   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Words of letters and digits with `.`, `_` or `-` inside, and `/` between them. */
static bool is_repository(const char *s)
{
    size_t n = strspn(s, LETTERS "._-/");
    bool is_in_word = false;
    for (size_t i = 0; i < n; i++) {
        bool is_letter = strchr(LETTERS, s[i]);
        if (!is_letter && (!is_in_word || (s[i] == '/' && !strchr(LETTERS, s[i - 1]))))
            return false;
        is_in_word = s[i] != '/';
    }
    return n > 0 && n < 256 && s[n] == '\0' && strchr(LETTERS, s[n - 1]) && !strstr(s, "..");
}

int image_parse(struct arena *a, const char *text, struct image_ref *ret)
{
    struct image_ref r = { 0 };
    if (is_hex(str_starts(text, "sha256:") ? text + 7 : text, 12, 64)) {
        r.name = arena_copy(a, text);
        *ret = r;
        return 0;
    }
    const char *at = strchr(text, '@'), *slash = strchr(text, '/');
    size_t n = at ? (size_t)(at - text) : strlen(text);
    if (at && !(str_starts(at, "@sha256:") && is_hex(at + 8, 64, 64)))
        return -EINVAL;
    r.digest = at ? arena_copy(a, at + 1) : NULL;
    const char *rest = text;
    r.registry = "docker.io";
    if (slash && slash < text + n && is_registry(text, (size_t)(slash - text))) {
        r.registry = arena_copy_bytes(a, text, (size_t)(slash - text));
        rest = slash + 1;
    }
    const char *path = arena_copy_bytes(a, rest, n - (size_t)(rest - text)), *colon = strrchr(path, ':');
    if (colon) {
        r.tag = colon + 1;
        path = arena_copy_bytes(a, path, (size_t)(colon - path));
        size_t good = strspn(r.tag, LETTERS UPPER "._-");
        if (good == 0 || good > 128 || r.tag[good])
            return -EINVAL;
    }
    if (!is_repository(path) || r.registry[strspn(r.registry, LETTERS UPPER ".:-")] ||
        !strspn(r.registry, LETTERS UPPER))
        return -EINVAL;
    r.repository = path;
    if (!r.tag && !r.digest)
        r.tag = "latest";
    r.name = r.digest ? arena_copy(a, text) : arena_printf(a, "%.*s%s:%s", (int)(rest - text), text, path, r.tag);
    *ret = r;
    return 0;
}

const char *image_pull_refusal(struct arena *a, const struct container *c, const struct image_ref *ref)
{
    if (!ref->repository)
        return "an id cannot be pulled: name the image";
    if (!c->auto_pull)
        return "docker.images.auto_pull is false";
    if (c->pull_policy == PULL_NEVER)
        return "docker.images.pull_policy is never";
    if (!strlist_has(&c->registries, ref->registry))
        return arena_printf(a, "%s is not in docker.images.allowed_registries", ref->registry);
    return NULL;
}

static int refuse_missing(const struct engine *e, const struct image_ref *ref, const char *why, struct error *err)
{
    (void)err_set(err, -ENOENT, BLAME_HOST, "IMAGE", "%s has no image %s, and it is not pulled: %s", e->name, ref->name,
                  why);
    if (!ref->repository)
        return err_remedy(err,
                          "`%s images --digests --no-trunc` lists those that are there; set languages.*.default_image, "
                          "or the profile's image",
                          e->is_podman ? "podman" : "docker");
    return err_remedy(err,
                      "`%s pull %s` where the engine runs, or build one without a registry: deploy/images/README.md; "
                      "or set docker.images.auto_pull, "
                      "pull_policy and allowed_registries",
                      e->is_podman ? "podman" : "docker", ref->name);
}

/* An image that is here may be an older one than the policy wants. */
static int refuse_stale(const struct container *c, const char *why, struct error *err)
{
    (void)err_set(err, -EACCES, BLAME_HOST, "IMAGE",
                  "image %s is to be pulled before each run, and it is not pulled: %s", c->image, why);
    return err_remedy(err, "docker.images.pull_policy: missing takes the image that is there; allowed_registries says "
                           "from where one may be pulled");
}

/* Each VOLUME of an image becomes a writable directory without a bound, and stays on the host. */
static int check_config(const struct container *c, const json_t *image, struct error *err)
{
    json_t *volumes = json_object_get(json_object_get(image, "Config"), "Volumes");
    if (json_object_size(volumes) == 0)
        return 0;
    (void)err_set(err, -ENOTSUP, BLAME_HOST, "IMAGE", "image %s declares VOLUME %s: writable without a bound", c->image,
                  json_object_iter_key(json_object_iter(volumes)));
    return err_remedy(
        err, "take an image without VOLUME: `docker export` and `docker import` of a container of it drop them");
}

/* The name as it is, slashes and all: image_parse() let nothing through that a path could not hold, and Podman 4.3 does
 * not undo %2F. */
static int inspect(struct engine *e, struct arena *a, const char *name, json_t **ret, struct error *err)
{
    static const long fine[] = { 200, 404, 0 };
    return engine_call(e, "GET", arena_printf(a, "/images/%s/json", name), NULL, fine, ret, err);
}

int image_get(struct engine *e, const struct container *c, struct arena *a, const char **ret_id, struct error *err)
{
    struct image_ref ref;
    json_t *image = NULL;
    if (image_parse(a, c->image, &ref) < 0) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, "IMAGE", "«%s» is no name of an image", c->image);
        return err_remedy(err, "name, name:tag, registry/name:tag, name@sha256:... or an id");
    }
    const char *refusal = image_pull_refusal(a, c, &ref);
    bool pulls_first = c->pull_policy == PULL_ALWAYS && c->auto_pull;
    int r = 0;
    if (pulls_first)
        r = refusal ? refuse_stale(c, refusal, err) : engine_pull(e, ref.name, CONTAINER_PULL_MAX_MS, err);
    if (r == 0)
        r = inspect(e, a, ref.name, &image, err);
    if (r == 0 && e->status == 404) {
        json_decref(image);
        image = NULL;
        r = refusal       ? refuse_missing(e, &ref, refusal, err)
            : pulls_first ? 0
                          : engine_pull(e, ref.name, CONTAINER_PULL_MAX_MS, err);
        if (r == 0)
            r = inspect(e, a, ref.name, &image, err);
        if (r == 0 && e->status == 404)
            r = refuse_missing(e, &ref, "it was pulled, and is not there", err);
    }
    const char *id = json_string_value(json_object_get(image, "Id"));
    if (r == 0 && !id)
        r = err_set(err, -EPROTO, BLAME_HOST, "IMAGE", "engine: GET /images/%s/json: an answer without Id", c->image);
    if (r == 0)
        r = check_config(c, image, err);
    if (r == 0)
        *ret_id = arena_copy(a, id);
    json_decref(image);
    return r;
}
