/* Files: whatever the function was called, it becomes a flow file-read, file-write, file-delete ... with the path. */
#include "base/path.h"
#include "scan/embedded.h"
#include "scan/python.h"
#include "scan/secret.h"

const char *py_path_text(struct py *p, struct tv v, const struct py_call *c)
{
    if (c && c->callee.text && c->name && (str_starts(c->name, "pathlib.Path.") || str_starts(c->name, "tempfile.")))
        v = py_str((struct fold_text){ c->callee.text, c->callee.size }, c->callee.taint);
    struct fold_text t;
    if ((v.kind != TV_TEXT && v.kind != TV_OBJECT) || (v.kind == TV_OBJECT && !v.text))
        return NULL;
    return fold_copy(&p->mem, v.text, v.size, &t) ? t.data : NULL;
}

static bool is_secret(const char *path)
{
    return path && (secret_place_in(path, strlen(path)) || secret_word_in(path, strlen(path), ".env|keyring|/proc/"));
}

static bool is_in(const char *const *list, unsigned n, const char *path)
{
    for (unsigned i = 0; path && i < n; i++)
        if (str_eq(list[i], path))
            return true;
    return false;
}

static struct tv file_object(const char *path, uint32_t taint)
{
    return path ? py_thing("open", fold_of(path), taint) : py_object("open", taint);
}

static uint32_t reads(struct py *p, struct py_call *c, const char *path, uint32_t taint)
{
    uint32_t found = taint & T_ORIGIN;
    if (is_secret(path)) {
        p->seen_secret = c->node;
        p->secret_taint |= T_SECRET;
        found |= T_SECRET;
    }
    if (path && strstr(path, "://") && !str_starts(path, "file:") && !str_starts(path, "sqlite"))
        py_flow(p, c->node, "net", path, NULL);
    py_flow(p, c->node,
            taint & T_FAR      ? "file-read-far"
            : taint & T_MYSELF ? "file-read-self"
                               : "file-read",
            path, NULL);
    return found & ~(uint32_t)(T_WALK | T_FAR | T_LOOP | T_INPUT);
}

/* Below the working directory or in /tmp: nothing that was there before the program is harmed. */
static bool is_near(const char *path)
{
    return path && path[0] != '/' && path[0] != '~' && !str_starts(path, "..") && !str_starts(path, "{}");
}

static void writes(struct py *p, struct py_call *c, const char *path, uint32_t taint, const char *mode)
{
    if (path && (is_near(path) || taint & T_OWN || str_starts(path, "/tmp/")) && p->made_count < PY_MAX_PATHS &&
        !strchr(mode, 'a'))
        p->made[p->made_count++] = path;
    const char *name = taint & T_OWN ? "file-write-own" : taint & T_FAR ? "file-write-far" : "file-write";
    py_flow(p, c->node, name, path, mode);
    if (p->endless && taint & T_HARDLY && !(taint & T_OWN))
        py_flow(p, c->node, "endless-write", path, NULL);
}

/* One kind of file (all that end in .tmp, say) in one directory, which the program names. */
static bool is_kind_of_file(const char *path)
{
    const char *last = path_last(path), *star = strchr(path, '*');
    size_t letters = 0;
    if (!star || star < last || strstr(path, "**"))
        return false;
    for (const char *c = last; *c; c++)
        letters += (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    return letters >= 1 && !strstr(path, "{}");
}

/* Directories that tools make and make again. */
static bool is_made_by_tools(const char *path)
{
    static const char *const names[] = { "__pycache__", "node_modules", ".pytest_cache", ".mypy_cache", ".ruff_cache",
                                         ".tox",        "build",        "dist",          "htmlcov",     NULL };
    return str_is_one_of(path_last(path), names);
}

static void deletes(struct py *p, struct py_call *c, const char *path, uint32_t taint, bool is_tree)
{
    bool is_own = taint & T_OWN || is_in(p->made, p->made_count, path);
    bool is_kind = !(taint & T_FAR) && is_near(path) && (is_made_by_tools(path) || (!is_tree && is_kind_of_file(path)));
    if (is_own)
        py_flow(p, c->node, "file-delete-own", path, NULL);
    else if (is_tree)
        py_flow(p, c->node, is_kind ? "file-delete-kind" : "file-delete-tree", path, NULL);
    else if (taint & (T_WALK | T_FAR))
        py_flow(p, c->node, is_kind ? "file-delete-kind" : "file-delete-many", path, NULL);
    else
        py_flow(p, c->node, "file-delete", path, NULL);
}

/* A move of files into directories below the one where they are: nothing is overwritten or called otherwise. */
static bool is_sorting(const char *from, const char *to)
{
    const char *slash = from ? strrchr(from, '/') : NULL, *name = to ? strrchr(to, '/') : NULL;
    size_t n = slash ? (size_t)(slash - from) + 1 : 0;
    return n > 1 && name && str_eq(slash, name) && strncmp(from, to, n) == 0 && strlen(to) > strlen(from) &&
           !strstr(to, "..");
}

static bool is_far(const char *path)
{
    return path &&
           (path[0] == '~' || (path[0] == '/' && !str_starts(path, "/tmp") && !str_starts(path, "/workspace")) ||
            str_starts(path, "C:"));
}

/* What a listing gives: texts or paths below the one that was listed. */
static struct tv listing(struct py *p, struct py_call *c, const char *path, const char *name, bool is_whole,
                         bool is_object, bool is_pattern)
{
    uint32_t taint = T_WALK | T_HARDLY | (is_far(path) ? T_FAR : 0) | (c->taint & T_OWN);
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t = { "{}", 2 };
    if (is_whole && path && is_pattern) {
        t = fold_of(path); /* glob gives what its pattern says */
    } else if (is_whole && path) {
        fold_add(&o, path, strlen(path));
        fold_add(&o, "/{}", 3);
        if (!fold_end(&o, &t))
            t = fold_of("{}");
    }
    return py_iter_of(p, is_object ? py_thing(name, t, taint) : py_str(t, taint));
}

static struct tv walked(struct py *p, struct py_call *c, const char *path)
{
    struct tv dirs = listing(p, c, path, NULL, false, false, false);
    struct tv top = listing(p, c, path, NULL, true, false, false);
    struct tv triple = top.kind == TV_ITER ? py_pair(p, top.list->items[0], dirs) : top;
    if (triple.kind != TV_LIST)
        return tv_unknown(T_WALK);
    (void)py_list_add(p, triple, dirs);
    triple.taint = T_WALK;
    return py_iter_of(p, triple);
}

static struct tv opened(struct py *p, struct py_call *c, enum effect how)
{
    bool is_method = c->callee.text && str_starts(c->name, "pathlib.Path.");
    struct tv a = is_method ? c->callee : *py_arg(c, 0, "file"), m = *py_arg(c, is_method ? 0 : 1, "mode");
    const char *path = py_path_text(p, a, c), *mode = py_show(p, m);
    uint32_t taint = a.taint;
    if (!mode)
        mode = m.kind == TV_UNKNOWN && how == EF_OS_OPEN ? "w" : "r";
    bool is_write = how == EF_OS_OPEN ? !str_eq(mode, "os.O_RDONLY") && !str_eq(mode, "0")
                                      : strpbrk(mode, "wax+") != NULL;
    if (is_write) {
        writes(p, c, path, taint, mode);
        return file_object(path, taint & (T_OWN | T_MYSELF));
    }
    taint = reads(p, c, path, taint);
    return file_object(path, taint);
}

/* What stands in the file, for rules that ask, and in case that it is run. */
static void keeps(struct py *p, const struct py_call *c, const char *path, struct tv text, bool is_more)
{
    bool is_known = text.kind == TV_TEXT;
    const char *shown = py_show(p, text);
    if (path && (path[0] == '/' || path[0] == '~') && !str_starts(path, "/tmp/"))
        py_flow(p, c->node, "file-put", path, shown ? shown : "{}");
    if (!path)
        return;
    p->effects++;
    embedded_file(p->e->c, path, strlen(path), is_known ? text.text : NULL, is_known ? text.size : 0,
                  py_at(p, c->node)->start, is_more);
}

/* Lines, or what print() makes of its arguments, as one text. */
static struct tv put_together(struct py *p, const struct tv *parts, unsigned count, const char *between,
                              const char *end)
{
    struct fold_out o = { .mem = &p->mem };
    uint32_t taint = 0;
    for (unsigned i = 0; i < count; i++) {
        struct tv v = py_as_text(p, parts[i]);
        if (i)
            fold_add(&o, between, strlen(between));
        fold_add(&o, v.kind == TV_TEXT ? v.text : "{}", v.kind == TV_TEXT ? v.size : 2);
        taint |= v.taint | (v.kind == TV_TEXT ? 0 : T_HARDLY);
    }
    fold_add(&o, end, strlen(end));
    return py_made(&o, taint, taint & T_ORIGIN);
}

/* What the program itself has written there; unknown: not, or not known. */
static struct tv read_back(struct py *p, const char *path)
{
    size_t size = 0;
    const char *text = path ? embedded_written(p->e->c, path, strlen(path), &size) : NULL;
    struct fold_text t;
    return text && fold_copy(&p->mem, text, size, &t) ? py_str(t, 0) : tv_unknown(0);
}

static void prints(struct py *p, struct py_call *c)
{
    struct tv to = *py_arg(c, -1, "file");
    const char *path = to.kind == TV_OBJECT ? py_path_text(p, to, NULL) : NULL;
    if (path)
        keeps(p, c, path, put_together(p, c->args, c->positional, " ", "\n"), true);
}

/* json.dump(value, f) */
static void dumps(struct py *p, struct py_call *c)
{
    struct tv to = *py_arg(c, 1, "fp");
    const char *path = to.kind == TV_OBJECT ? py_path_text(p, to, NULL) : NULL;
    py_fact_call(p, c);
    if (path)
        keeps(p, c, path, py_json_text(p, *py_arg(c, 0, "obj")), true);
}

struct tv py_do_file(struct py *p, struct py_call *c, enum effect how)
{
    bool is_method = c->callee.text && str_starts(c->name, "pathlib.Path.");
    struct tv a = is_method ? c->callee : *py_arg(c, 0, NULL), b = *py_arg(c, is_method ? 0 : 1, NULL);
    if (!is_method && a.kind == TV_UNKNOWN && c->count && c->keys[0])
        a = c->args[0]; /* path=..., src=... */
    const char *path = py_path_text(p, a, c), *other = py_path_text(p, b, NULL);
    if (how == EF_PUT_LINE) {
        prints(p, c);
        return tv_unknown(c->taint & T_ORIGIN);
    }
    if (how == EF_PUT_JSON) {
        dumps(p, c);
        return tv_unknown(c->taint & T_ORIGIN);
    }
    py_fact_call(p, c);
    switch (how) {
    case EF_OPEN:
    case EF_OS_OPEN:
        return opened(p, c, how);
    case EF_READ: {
        struct tv v = read_back(p, path);
        if (c->name && str_starts(c->name, "runpy.") && path)
            embedded_run(p->e->c, path, strlen(path), LANG_PYTHON);
        v.taint |= reads(p, c, path, a.taint);
        return v;
    }
    case EF_GET: { /* f.read() */
        struct tv v = c->callee.text ? read_back(p, c->callee.text) : tv_unknown(0);
        uint32_t taint = (c->taint | c->callee.taint) & T_ORIGIN;
        if (v.kind == TV_UNKNOWN || str_starts(c->name, "open.readlines")) {
            v = py_thing(c->name, py_text(c->callee), taint);
        }
        v.taint |= taint;
        return v;
    }
    case EF_WRITE:
    case EF_APPEND:
        writes(p, c, path, a.taint, how == EF_APPEND ? "a" : "w");
        if (is_method)
            keeps(p, c, path, b, false);
        break;
    case EF_REMOVE:
    case EF_REMOVE_TREE:
        deletes(p, c, path, a.taint, how == EF_REMOVE_TREE);
        break;
    case EF_LIST_DIR:
    case EF_SCAN_DIR:
    case EF_GLOB: {
        bool is_path = str_starts(c->name, "pathlib.");
        if (how == EF_GLOB && is_path && b.kind == TV_TEXT) {
            path = py_path_text(p, py_binary(p, '/', py_path(py_text(a), a.taint), b), NULL);
        }
        py_flow(p, c->node, "file-list", path ? path : c->count || is_path ? NULL : ".", NULL);
        bool is_pattern = how == EF_GLOB && (!is_path || b.kind == TV_TEXT);
        return listing(p, c, path, is_path ? "pathlib.Path" : "os.DirEntry", how != EF_LIST_DIR,
                       is_path || how == EF_SCAN_DIR, is_pattern);
    }
    case EF_WALK:
        py_flow(p, c->node, "file-walk", path, NULL);
        return walked(p, c, path);
    case EF_MOVE:
        py_flow(p, c->node,
                is_sorting(path, other) ? "file-move"
                : a.taint & T_FAR       ? "file-write-far"
                : a.taint & T_WALK      ? "file-rename-many"
                                        : "file-move",
                path, other);
        writes(p, c, other, b.taint & ~(uint32_t)T_FAR, "w");
        break;
    case EF_COPY_FILE:
        (void)reads(p, c, path, a.taint);
        if (a.taint & T_MYSELF)
            py_flow(p, c->node, "self-copy", other, NULL);
        writes(p, c, other, b.taint, "w");
        break;
    case EF_CHMOD:
        if (path)
            embedded_run(p->e->c, path, strlen(path), EMBEDDED_LANGUAGES);
        py_flow(p, c->node, "file-chmod", path,
                b.kind == TV_NUMBER && b.number >= 0 && b.number <= 07777
                    ? arena_printf(p->e->c->arena, "%04o", (unsigned)b.number)
                    : py_show(p, b));
        break;
    case EF_LINK:
        py_flow(p, c->node, "file-link", path, other);
        break;
    case EF_PUT: /* f.write(data) */
        if (b.kind == TV_UNKNOWN && a.kind == TV_LIST && !a.list->is_open)
            a = put_together(p, a.list->items, a.list->count, "", ""); /* writelines */
        keeps(p, c, py_path_text(p, py_str((struct fold_text){ c->callee.text, c->callee.size }, 0), NULL), a, true);
        if (c->taint & T_NET && c->callee.text && p->fetched_count < PY_MAX_PATHS) {
            struct fold_text t;
            if (fold_copy(&p->mem, c->callee.text, c->callee.size, &t))
                p->fetched[p->fetched_count++] = t.data;
        }
        if (c->taint & T_MYSELF)
            py_flow(p, c->node, "self-copy", NULL, NULL);
        if (p->endless && (c->taint & T_LARGE || (c->count && c->args[0].kind == TV_TEXT && c->args[0].size > 1024)))
            py_flow(p, c->node, "endless-write", NULL, NULL);
        break;
    case EF_MKDIR:
        if (p->endless)
            py_flow(p, c->node, "endless-write", path, NULL);
        if (path && is_near(path) && p->made_count < PY_MAX_PATHS)
            p->made[p->made_count++] = path;
        break;
    default:
        break;
    }
    return tv_unknown(0);
}

/* configparser's read, Image.open, s3.upload_file: a process's function that is named like a reader of files. */
void py_read_by_name(struct py *p, struct py_call *c, const char *name)
{
    static const char *const words[] = { "read", "load",  "open", "parse",   "from_",  "upload",   "copy",   "put",
                                         "send", "fetch", "stat", "import_", "attach", "add_file", "extract" };
    const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
    bool is_reader = false;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        is_reader |= str_starts(last, words[i]);
    if (str_starts(last, "from_private_key") || str_eq(last, "read_private_key") || str_eq(last, "read_history_file"))
        return; /* an SSH client's own key, what was typed into this program before */
    for (unsigned i = 0; is_reader && i < c->count; i++) {
        struct tv a = c->args[i];
        if (a.kind == TV_LIST && a.list->count)
            a = a.list->items[0];
        const char *path = py_path_text(p, a, NULL);
        if (path && strlen(path) < 256 && !strpbrk(path, "\n<>|;") && is_secret(path))
            (void)reads(p, c, path, a.taint);
    }
}
