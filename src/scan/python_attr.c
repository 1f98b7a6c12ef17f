/* What stands behind a dot: members of modules, of objects whose maker is known, of classes, and the ways around dots.
 */
#include "scan/python.h"
#include "scan/secret.h"

static struct tv graph(uint32_t taint)
{
    return py_object("graph", taint | T_COMPUTED);
}

/* From any object to any class and to the globals of any function: object-graph-walk. */
static bool walk_graph(struct py *p, uint32_t node, struct tv o, const char *name, struct tv *ret)
{
    static const char *const up[] = { "__base__", "__bases__", "__mro__", "mro", NULL };
    static const char *const globals[] = { "__globals__",  "f_globals",    "f_builtins",
                                           "func_globals", "__builtins__", NULL };
    bool is_graph = o.kind == TV_OBJECT && o.name && str_eq(o.name, "graph");
    bool is_literal = o.kind == TV_LIST || o.kind == TV_RECORD || o.kind == TV_TEXT || o.kind == TV_NUMBER ||
                      o.kind == TV_NONE;
    if (name[0] != '_' && name[0] != 'f' && name[0] != 'm' && !is_graph)
        return false;
    if (str_eq(name, "__class__") && (is_literal || is_graph)) {
        *ret = graph(o.taint);
        return true;
    }
    if (str_is_one_of(name, up) &&
        (is_graph || is_literal || o.kind == TV_UNKNOWN || (o.kind == TV_PATH && str_eq(o.name, "type")))) {
        *ret = graph(o.taint);
        return true;
    }
    if (str_eq(name, "__subclasses__") &&
        (is_graph || (o.kind == TV_PATH && (str_eq(o.name, "object") || str_eq(o.name, "type"))))) {
        py_flow(p, node, "object-graph-walk", name, NULL);
        *ret = graph(o.taint);
        return true;
    }
    if (str_is_one_of(name, globals)) {
        bool is_builtins = str_eq(name, "__builtins__");
        py_flow(p, node, "object-graph-walk", name, NULL);
        *ret = is_builtins ? py_named("builtins", T_COMPUTED) : py_object("globals", T_COMPUTED);
        return true;
    }
    if (is_graph) {
        *ret = o;
        return true;
    }
    return false;
}

/* The ways around a dot: x.__dict__, x.__getattribute__ ... */
static bool around(struct py *p, struct tv o, const char *name, struct tv *ret)
{
    if (name[0] != '_' || name[1] != '_')
        return false;
    if (str_eq(name, "__dict__") && o.kind == TV_PATH) {
        *ret = py_thing("vars", fold_of(o.name), T_COMPUTED);
        return true;
    }
    if ((str_eq(name, "__self__") || str_eq(name, "__objclass__")) && o.kind == TV_PATH) {
        *ret = py_named("builtins", T_COMPUTED);
        return true;
    }
    if (str_eq(name, "__call__") || str_eq(name, "__wrapped__") || str_eq(name, "__func__")) {
        *ret = o;
        return true;
    }
    if ((str_eq(name, "__getattribute__") || str_eq(name, "__getattr__")) &&
        (o.kind == TV_PATH ? !str_eq(o.name, "object") && !str_eq(o.name, "type") : o.kind == TV_OBJECT)) {
        *ret = py_partial(p, py_named("getattr", 0), o);
        return ret->kind == TV_PARTIAL;
    }
    if (str_eq(name, "__getitem__") && o.kind == TV_OBJECT && o.name &&
        (str_eq(o.name, "vars") || str_eq(o.name, "globals"))) {
        *ret = py_partial(p, py_named("operator.getitem", 0), o);
        return ret->kind == TV_PARTIAL;
    }
    return false;
}

/* Members of the standard library that are values, not functions. */
static bool constant(const char *name, struct tv *ret)
{
    static const struct {
        const char *name, *text;
        uint32_t taint;
    } table[] = {
        { "os.sep", "/", 0 },
        { "os.path.sep", "/", 0 },
        { "os.curdir", ".", 0 },
        { "os.pardir", "..", 0 },
        { "os.linesep", "\n", 0 },
        { "os.extsep", ".", 0 },
        { "os.devnull", "/dev/null", T_OWN },
        { "string.ascii_lowercase", "abcdefghijklmnopqrstuvwxyz", 0 },
        { "string.ascii_uppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0 },
        { "string.ascii_letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 0 },
        { "string.letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 0 },
        { "string.digits", "0123456789", 0 },
        { "string.punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 0 },
        { "string.printable",
          "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\v\f",
          0 }
    };
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        if (str_eq(table[i].name, name)) {
            *ret = py_const(table[i].text, table[i].taint);
            return true;
        }
    }
    if (str_eq(name, "sys.executable")) {
        *ret = py_const("python3", T_SELF);
        return true;
    }
    if (str_eq(name, "sys.maxsize")) {
        *ret = tv_number(INT64_MAX);
        return true;
    }
    if (str_eq(name, "os.environ") || str_eq(name, "os.environb")) {
        *ret = py_named(name, T_ENV);
        return true;
    }
    if (str_eq(name, "sys.argv") || str_eq(name, "sys.stdin")) {
        *ret = py_named(name, T_INPUT);
        return true;
    }
    return false;
}

/* Of paths and the like: members that are texts again. */
static bool text_member(struct tv o, const char *name, struct tv *ret)
{
    if (!o.text || str_eq(o.name, "vars"))
        return false;
    bool is_path = str_eq(o.name, "pathlib.Path"), is_entry = str_eq(o.name, "os.DirEntry");
    struct fold_text t = { o.text, o.size };
    uint32_t cut = t.size;
    while (cut && t.data[cut - 1] != '/')
        cut--;
    uint32_t taint = o.taint & (T_ORIGIN | T_OWN | T_HARDLY);
    if (is_path && str_eq(name, "parent")) {
        *ret = o;
        ret->size = cut > 1 ? cut - 1 : cut;
        if (!ret->size)
            *ret = py_path(fold_of("."), taint);
        return true;
    }
    if ((is_path || is_entry) && str_eq(name, "name")) {
        *ret = py_str((struct fold_text){ t.data + cut, t.size - cut }, taint);
        return true;
    }
    if ((is_entry && str_eq(name, "path")) || (!is_path && !is_entry && str_eq(name, "name"))) {
        *ret = py_str(t, taint);
        return true;
    }
    return false;
}

/* flask.request.args, of frameworks whose request is a member of the module, and what a parameter's type says. */
static uint32_t of_request(const char *full)
{
    static const char *const requests[] = { "flask.request.",       "quart.request.",
                                            "bottle.request.",      "cherrypy.request.",
                                            "fastapi.Request.",     "starlette.requests.Request.",
                                            "aiohttp.web.Request.", "django.http.HttpRequest.",
                                            "sanic.Request.",       "werkzeug.Request." };
    for (size_t i = 0; i < ARRAY_LEN(requests); i++)
        if (str_starts(full, requests[i]))
            return T_REQUEST;
    return 0;
}

static struct tv of_object(struct py *p, struct tv o, const char *name)
{
    struct tv v;
    if (text_member(o, name, &v))
        return v;
    uint32_t taint = o.taint & (T_ORIGIN | T_COMPUTED | T_OWN | T_HARDLY | T_PID | T_SELF);
    if (str_eq(name, "pid")) {
        bool is_child = str_starts(o.name, "subprocess.") || str_starts(o.name, "multiprocessing.");
        return tv_unknown(is_child ? T_SELF : T_PID);
    }
    const char *full = py_dotted(p, o.name, name);
    v = py_named(full, taint | (full ? of_request(full) : 0));
    if (py_is_process(o.name) && !str_eq(name, "stdin") && !str_eq(name, "communicate") && !str_eq(name, "write"))
        return v; /* its text is the command's, not of what it gives */
    v.text = o.text;
    v.size = o.size;
    return v;
}

/* http.server's and tornado's handlers: what the client sent. */
static uint32_t of_handler(const char *base, const char *name)
{
    static const char *const asked[] = {
        "path", "rfile", "request", "get_argument", "get_query_argument", "get_arguments", "get_body_argument", NULL
    };
    return strstr(base, "RequestHandler") && str_is_one_of(name, asked) ? T_REQUEST : 0;
}

static struct tv in_class(struct py *p, int64_t class, struct tv self, const char *name, bool has_self)
{
    for (unsigned up = 0; up < 8 && class >= 0 && class < p->class_count; up++) {
        const struct py_class *c = &p->classes[class];
        bool is_found;
        struct tv v = py_get_in(p, c->scope, name, &is_found);
        if (is_found)
            return v.kind == TV_FUNCTION && has_self ? py_partial(p, v, self) : v;
        if (c->base.kind == TV_PATH)
            return py_named(py_dotted(p, c->base.name, name), of_handler(c->base.name, name));
        if (c->base.kind != TV_CLASS)
            break;
        class = c->base.number;
    }
    return tv_unknown(0);
}

struct tv py_attribute(struct py *p, uint32_t node, struct tv o, const char *name, uint32_t taint)
{
    struct tv v;
    if (walk_graph(p, node, o, name, &v) || around(p, o, name, &v))
        return v;
    switch (o.kind) {
    case TV_PATH: {
        const char *full = py_dotted(p, o.name, name);
        if (!full)
            return tv_unknown(o.taint & T_ORIGIN);
        if (constant(full, &v))
            return v;
        v = py_named(full, (o.taint & (T_ORIGIN | T_COMPUTED)) | (taint & T_COMPUTED) | of_request(full));
        if (o.text) {
            v.text = o.text;
            v.size = o.size;
        }
        /* `import subprocess; subprocess.os` brings a module that was never imported */
        if (!strchr(full, '.') && py_is_dangerous_module(full) && !str_eq(o.name, "builtins"))
            py_fact(p, FACT_IMPORT, node, full, true);
        return v;
    }
    case TV_OBJECT:
        return o.name ? of_object(p, o, name) : tv_unknown(o.taint);
    case TV_INSTANCE:
        return in_class(p, o.number, o, name, true);
    case TV_CLASS:
        return in_class(p, o.number, o, name, false);
    default:
        return tv_unknown(o.taint & T_ORIGIN);
    }
}

struct tv py_environ(struct py *p, uint32_t node, struct tv key)
{
    char name[64];
    if (key.kind != TV_TEXT || key.size >= sizeof name)
        return tv_unknown(key.kind != TV_TEXT && key.taint & T_ENV ? T_ENV : 0);
    for (uint32_t i = 0; i < key.size; i++)
        name[i] = fold_upper_of(key.text[i]);
    name[key.size] = '\0';
    if (str_eq(name, "HOME"))
        return py_const("~", 0);
    if (str_eq(name, "TMPDIR") || str_eq(name, "TEMP") || str_eq(name, "TMP"))
        return py_const("/tmp", 0);
    if (secret_word_in(name, key.size, "KEYBOARD|SSH_AUTH_SOCK|XAUTHORITY|AUTHOR") ||
        !secret_word_in(name, key.size, "KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|PRIVATE|DATABASE_URL"))
        return tv_unknown(0);
    py_flow(p, node, "environ-secret", name, NULL);
    return tv_unknown(T_ENV_KEY);
}
