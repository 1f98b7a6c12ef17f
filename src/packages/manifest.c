#include <jansson.h>
#include <stdlib.h>

#include "base/json.h"
#include "packages/requirements.h"

#define NAME_MAX_SIZE 214u /* npm's own limit */
#define WORD_MAX      160u

static int bad(struct error *err, const char *what, const char *value, const char *remedy)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, "PACKAGES", "package.json: %s%s%.80s", what, value ? ": " : "",
                  value ? value : "");
    return err_remedy(err, "%s", remedy);
}

/* --- package.json ----------------------------------------------------------------------------------------- */

static bool is_part(const char *p, size_t n)
{
    return n > 0 && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~-", p[0]) &&
           strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-") >= n;
}

/* «name» or «@scope/name» */
static bool is_name(const char *name)
{
    const char *slash = strchr(name, '/');
    if (strlen(name) > NAME_MAX_SIZE)
        return false;
    if (name[0] != '@')
        return !slash && is_part(name, strlen(name));
    return slash && is_part(name + 1, (size_t)(slash - name - 1)) && is_part(slash + 1, strlen(slash + 1));
}

/* Neither a path nor an address, an alias (npm:), or «user/repository»: those have a colon or a slash, or begin with a
 * dot. */
static bool is_range(const char *range)
{
    return strlen(range) <= WORD_MAX && range[0] != '.' &&
           strspn(range, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.*^~<>=| +-_") == strlen(range);
}

static int put_dependencies(json_t *from, const char *key, json_t *to, struct error *err)
{
    const char *name;
    json_t *range;
    if (!from)
        return 0;
    if (!json_is_object(from))
        return bad(err, "not an object", key, "expected {\"name\": \"range of versions\"}");
    json_object_foreach(from, name, range)
    {
        if (!is_name(name))
            return bad(err, "not the name of a package", name, "accepted are names of the registry, such as left-pad");
        if (!json_is_string(range) || !is_range(json_string_value(range)))
            return bad(err, "versions of the registry only", name,
                       "no addresses, local paths, version control or aliases: name a range such as ^1.3.0");
        if (json_object_set(to, name, range) < 0)
            return err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
    }
    return 0;
}

static int copy_manifest(json_t *from, struct buf *ret, struct error *err)
{
    static const char *const refused[] = { "workspaces", "overrides", "resolutions", "bundleDependencies",
                                           "bundledDependencies" };
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        if (json_object_get(from, refused[i]))
            return bad(err, "not accepted", refused[i], "take it out; dependencies and optionalDependencies are read");
    json_t *needed = json_object(), *optional = json_object();
    int e = needed && optional ? 0 : err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
    if (e == 0)
        e = put_dependencies(json_object_get(from, "dependencies"), "dependencies", needed, err);
    if (e == 0)
        e = put_dependencies(json_object_get(from, "optionalDependencies"), "optionalDependencies", optional, err);
    if (e == 0 && !json_object_size(needed) && !json_object_size(optional))
        e = bad(err, "there are no dependencies in it", NULL,
                "for example {\"dependencies\": {\"left-pad\": \"^1.3.0\"}}");
    json_t *made = e < 0 ? NULL
                         : json_pack("{s:b, s:O, s:O}", "private", 1, "dependencies", needed, "optionalDependencies",
                                     optional);
    char *text = made ? json_dumps(made, JSON_INDENT(1) | JSON_SORT_KEYS) : NULL;
    if (e == 0 && (!text || buf_adds(ret, text) < 0))
        e = err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
    free(text);
    json_decref(made);
    json_decref(needed);
    json_decref(optional);
    return e;
}

int manifest_read(const char *text, size_t size, struct buf *ret, struct error *err)
{
    json_error_t why;
    if (size > REQUIREMENTS_MAX_SIZE)
        return bad(err, "more than 256 KiB", NULL, "name fewer packages");
    json_t *from = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    int e = json_is_object(from) ? copy_manifest(from, ret, err)
                                 : bad(err, from ? "not an object" : why.text, NULL, "expected one JSON object");
    json_decref(from);
    return e;
}

/* --- locks ------------------------------------------------------------------------------------------------ */

struct entry {
    const char *name, *version, *hash, *license; /* borrowed; NULL: not said */
};
struct entries {
    struct entry *list;
    size_t count, room;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? text : NULL;
}

static bool add(struct entries *l, struct entry e)
{
    if (l->count == l->room) {
        const size_t room = MAX_OF(l->room * 2, (size_t)32);
        struct entry *list = realloc(l->list, room * sizeof *list);
        if (!list)
            return false;
        l->list = list;
        l->room = room;
    }
    l->list[l->count++] = e;
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->version, y->version);
}

/* Its first line, as far as a table has room: some put the whole text of a licence there. */
static void put_short(struct buf *out, const char *key, const char *text)
{
    json_key(out, key);
    if (!text)
        json_put_null(out);
    else
        json_bytes(out, text, MIN_OF(strcspn(text, "\r\n"), (size_t)WORD_MAX));
}

static int put_entries(struct entries *l, struct buf *ret, uint32_t *ret_count, struct error *err)
{
    if (l->count)
        qsort(l->list, l->count, sizeof *l->list, by_name);
    json_open(ret, '[');
    for (size_t i = 0; i < l->count; i++) {
        const struct entry *e = &l->list[i];
        json_open(ret, '{');
        put_short(ret, "name", e->name);
        put_short(ret, "version", e->version);
        put_short(ret, "hash", e->hash);
        put_short(ret, "license", e->license);
        json_close(ret, '}');
    }
    json_close(ret, ']');
    *ret_count = (uint32_t)l->count;
    return ret->failed ? err_set(err, -E2BIG, BLAME_GUEST, "PACKAGES", "the list of what was installed is too large")
                       : 0;
}

static int no_lock(struct error *err, const char *what)
{
    return err_set(err, -EBADMSG, BLAME_GUEST, "PACKAGES", "%s: not what the installer writes", what);
}

/* «License :: OSI Approved :: BSD License» -> «BSD License» */
static const char *license_of(const json_t *metadata)
{
    size_t i;
    json_t *item;
    const char *said = text_of(metadata, "license_expression");
    if (!said)
        said = text_of(metadata, "license");
    if (said)
        return said;
    json_array_foreach(json_object_get(metadata, "classifier"), i, item)
    {
        const char *text = json_string_value(item),
                   *last = text && str_starts(text, "License ::") ? strstr(text, ":: ") : NULL;
        for (const char *next; last && (next = strstr(last + 3, ":: "));)
            last = next;
        if (last)
            return last + 3;
    }
    return NULL;
}

/* «sha256=HEX» as it stands in the report; as a requirement it is sha256:HEX. */
static const char *pip_hash(json_t *archive)
{
    return text_of(json_object_get(archive, "hashes"), "sha256");
}

static int read_pip(const json_t *report, struct buf *ret, uint32_t *ret_count, struct error *err)
{
    struct entries l = { 0 };
    size_t i;
    json_t *item;
    int e = json_is_array(json_object_get(report, "install")) ? 0 : no_lock(err, "pip's report");
    json_array_foreach(json_object_get(report, "install"), i, item)
    {
        const json_t *metadata = json_object_get(item, "metadata");
        const struct entry one = { text_of(metadata, "name"), text_of(metadata, "version"),
                                   pip_hash(json_object_get(json_object_get(item, "download_info"), "archive_info")),
                                   license_of(metadata) };
        if (e == 0 && (!one.name || !one.version))
            e = no_lock(err, "pip's report");
        if (e == 0 && !add(&l, one))
            e = err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
    }
    if (e == 0)
        e = put_entries(&l, ret, ret_count, err);
    free(l.list);
    return e;
}

int lock_of_pip(const char *report, size_t size, struct buf *ret, uint32_t *ret_count, struct error *err)
{
    json_t *j = json_loadb(report, size, 0, NULL);
    int e = json_is_object(j) ? read_pip(j, ret, ret_count, err) : no_lock(err, "pip's report");
    json_decref(j);
    return e;
}

/* «node_modules/a/node_modules/@b/c» -> «@b/c» */
static const char *npm_name(const char *path)
{
    static const char dir[] = "node_modules/";
    const char *last = NULL;
    for (const char *p = path; (p = strstr(p, dir)); p += sizeof dir - 1)
        last = p + sizeof dir - 1;
    return last && *last ? last : NULL;
}

static int read_npm(json_t *lock, struct buf *ret, uint32_t *ret_count, struct error *err)
{
    struct entries l = { 0 };
    const char *path;
    json_t *item, *packages = json_object_get(lock, "packages");
    int e = json_is_object(packages) ? 0 : no_lock(err, "package-lock.json");
    if (e == 0)
        json_object_foreach(packages, path, item)
        {
            const struct entry one = { npm_name(path), text_of(item, "version"), text_of(item, "integrity"),
                                       text_of(item, "license") };
            if (!*path) /* the set itself */
                continue;
            if (e == 0 && (!one.name || !one.version || !one.hash)) {
                e = err_set(err, -EBADMSG, BLAME_GUEST, "PACKAGES", "%.100s has no version or no integrity", path);
                (void)err_remedy(err, "it does not come from the registry: take it, or what depends on it, out");
            }
            if (e == 0 && !add(&l, one))
                e = err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
        }
    if (e == 0)
        e = put_entries(&l, ret, ret_count, err);
    free(l.list);
    return e;
}

int lock_of_npm(const char *lock, size_t size, struct buf *ret, uint32_t *ret_count, struct error *err)
{
    json_t *j = json_loadb(lock, size, 0, NULL);
    int e = json_is_object(j) ? read_npm(j, ret, ret_count, err) : no_lock(err, "package-lock.json");
    json_decref(j);
    return e;
}
