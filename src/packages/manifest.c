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
    const char *name, *version, *hash, *license; /* borrowed; "": not said */
};
struct entries {
    struct entry *list;
    size_t count, room;
};

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

/* As far as a table has room: some put the whole text of a licence there. */
static void put_short(struct buf *out, const char *key, const char *text)
{
    json_key(out, key);
    if (!*text)
        json_put_null(out);
    else
        json_bytes(out, text, MIN_OF(strlen(text), (size_t)WORD_MAX));
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

/* The next field of a line, whose end becomes NUL; NULL: there is none. */
static const char *next_field(char **line, char end, size_t max)
{
    char *field = *line, *stop = field + strcspn(field, "\t\n");
    if (*stop != end || (size_t)(stop - field) > max)
        return NULL;
    *stop = '\0';
    *line = stop + 1;
    return field;
}

static int read_line(char **line, bool is_hashed, struct entry *ret, struct error *err)
{
    ret->name = next_field(line, '\t', NAME_MAX_SIZE);
    ret->version = ret->name ? next_field(line, '\t', WORD_MAX) : NULL;
    ret->hash = ret->version ? next_field(line, '\t', WORD_MAX) : NULL;
    ret->license = ret->hash ? next_field(line, '\n', WORD_MAX * 4) : NULL; /* WORD_MAX characters */
    if (!ret->license || !*ret->name)
        return err_set(err, -EBADMSG, BLAME_GUEST, "PACKAGES",
                       "the list of what was installed is not what is expected");
    if (*ret->version && (*ret->hash || !is_hashed))
        return 0;
    (void)err_set(err, -EBADMSG, BLAME_GUEST, "PACKAGES", "%.100s has no version or no integrity", ret->name);
    return err_remedy(err, "it does not come from the registry: take it, or what depends on it, out");
}

int lock_read(char *text, size_t size, bool is_hashed, struct buf *ret, uint32_t *ret_count, struct error *err)
{
    struct entries l = { 0 };
    struct entry one;
    int e = strlen(text) == size ? 0 : err_set(err, -EBADMSG, BLAME_GUEST, "PACKAGES", "a NUL in what was installed");
    for (char *line = text; e == 0 && *line;) {
        e = read_line(&line, is_hashed, &one, err);
        if (e == 0 && !add(&l, one))
            e = err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
    }
    if (e == 0)
        e = put_entries(&l, ret, ret_count, err);
    free(l.list);
    return e;
}
