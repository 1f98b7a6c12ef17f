/* Values, variables and names. */
#include "scan/python.h"

/* --- interned names -------------------------------------------------------------------------------------------------
 */

static uint32_t hash_bytes(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

static bool grow_names(struct py *p)
{
    uint32_t size = p->name_table_size ? p->name_table_size * 2 : 256;
    uint32_t *table = fold_take(&p->mem, size * sizeof *table);
    const char **names = fold_take(&p->mem, size / 2 * sizeof *names);
    if (!table || !names)
        return false;
    if (p->name_count)
        memcpy(names, p->names, p->name_count * sizeof *names);
    p->names = names;
    p->name_cap = size / 2;
    p->name_count = MAX_OF(p->name_count, 1u); /* 0: no name */
    for (uint32_t i = 1; i < p->name_count; i++) {
        uint32_t h = hash_bytes(names[i], strlen(names[i])) & (size - 1);
        while (table[h])
            h = (h + 1) & (size - 1);
        table[h] = i;
    }
    p->name_table = table;
    p->name_table_size = size;
    return true;
}

uint32_t py_intern(struct py *p, const char *s, uint32_t size)
{
    if (size > PY_MAX_NAME || memchr(s, 0, size) || (p->name_count >= p->name_cap && !grow_names(p)))
        return 0;
    uint32_t h = hash_bytes(s, size) & (p->name_table_size - 1);
    for (; p->name_table[h]; h = (h + 1) & (p->name_table_size - 1)) {
        const char *known = p->names[p->name_table[h]];
        if (strncmp(known, s, size) == 0 && !known[size])
            return p->name_table[h];
    }
    struct fold_text t;
    if (!fold_copy(&p->mem, s, size, &t))
        return 0;
    p->names[p->name_count] = t.data;
    p->name_table[h] = p->name_count;
    return p->name_count++;
}

static uint32_t intern_span(struct py *p, struct span s)
{
    return s.n ? py_intern(p, s.s, (uint32_t)s.n) : 0;
}

uint32_t py_intern_node(struct py *p, uint32_t node)
{
    return intern_span(p, ir_span(&p->e, node));
}

uint32_t py_intern_name(struct py *p, uint32_t node)
{
    return intern_span(p, ir_name(&p->e, node));
}

const char *py_name_of(const struct py *p, uint32_t name)
{
    return name && name < p->name_count ? p->names[name] : "";
}

/* --- variables ------------------------------------------------------------------------------------------------------
 */

uint32_t py_scope_new(struct py *p, uint32_t parent, int32_t function, int32_t class)
{
    if (p->scope_count >= p->scope_cap) {
        uint32_t cap = p->scope_cap ? p->scope_cap * 2 : 32;
        struct py_scope *more = cap > 65536 ? NULL : fold_take(&p->mem, cap * sizeof *more);
        if (!more)
            return 0;
        if (p->scope_count)
            memcpy(more, p->scopes, p->scope_count * sizeof *more);
        p->scopes = more;
        p->scope_cap = cap;
        p->scope_count = MAX_OF(p->scope_count, 1u);
    }
    p->scopes[p->scope_count] = (struct py_scope){ parent, function, class };
    return p->scope_count++;
}

static uint32_t var_slot(const struct py *p, const struct py_var *vars, uint32_t size, uint32_t scope, uint32_t name)
{
    (void)p;
    uint32_t h = (scope * 2654435761u ^ name * 40503u) & (size - 1);
    while (vars[h].is_used && (vars[h].scope != scope || vars[h].name != name))
        h = (h + 1) & (size - 1);
    return h;
}

static bool grow_vars(struct py *p)
{
    uint32_t size = p->var_size ? p->var_size * 2 : 256;
    struct py_var *more = fold_take(&p->mem, size * sizeof *more);
    if (!more)
        return false;
    for (uint32_t i = 0; i < p->var_size; i++)
        if (p->vars[i].is_used)
            more[var_slot(p, more, size, p->vars[i].scope, p->vars[i].name)] = p->vars[i];
    p->vars = more;
    p->var_size = size;
    return true;
}

void py_set(struct py *p, uint32_t scope, uint32_t name, struct py_value v)
{
    if (!name || !scope || (p->var_count * 2 >= p->var_size && !grow_vars(p)))
        return;
    uint32_t at = var_slot(p, p->vars, p->var_size, scope, name);
    p->var_count += !p->vars[at].is_used;
    p->vars[at] = (struct py_var){ scope, name, v, true };
}

const struct py_value *py_get_in(const struct py *p, uint32_t scope, uint32_t name)
{
    if (!p->var_size || !name || !scope)
        return NULL;
    uint32_t at = var_slot(p, p->vars, p->var_size, scope, name);
    return p->vars[at].is_used ? &p->vars[at].value : NULL;
}

void py_bind(struct py *p, uint32_t name, struct py_value v)
{
    uint32_t scope = p->scope;
    const struct py_value *old = py_get_in(p, scope, name);
    if (old && old->kind == V_PARTIAL && !old->list) { /* declared `global` */
        scope = 1;
        old = py_get_in(p, scope, name);
    }
    /* what a branch may or may not do does not make us forget: `except ImportError: requests = None` */
    if (old && p->branches && (v.kind == V_NONE || v.kind == V_UNKNOWN) && old->kind != V_UNKNOWN &&
        old->kind != V_NONE && old->kind != V_INT) {
        struct py_value both = *old;
        both.taint |= v.taint & T_ORIGIN;
        v = both;
    }
    py_set(p, scope, name, v);
}

/* Sorted: what is there without import, as far as any process cares. */
static const char *const builtins[] = { "__build_class__",
                                        "__builtins__",
                                        "__file__",
                                        "__import__",
                                        "__loader__",
                                        "__spec__",
                                        "abs",
                                        "all",
                                        "any",
                                        "apply",
                                        "ascii",
                                        "bin",
                                        "bool",
                                        "breakpoint",
                                        "bytearray",
                                        "bytes",
                                        "callable",
                                        "chr",
                                        "classmethod",
                                        "compile",
                                        "delattr",
                                        "dict",
                                        "dir",
                                        "divmod",
                                        "enumerate",
                                        "eval",
                                        "exec",
                                        "execfile",
                                        "exit",
                                        "file",
                                        "filter",
                                        "float",
                                        "format",
                                        "frozenset",
                                        "get_ipython",
                                        "getattr",
                                        "globals",
                                        "hasattr",
                                        "hash",
                                        "help",
                                        "hex",
                                        "id",
                                        "input",
                                        "int",
                                        "isinstance",
                                        "issubclass",
                                        "iter",
                                        "len",
                                        "list",
                                        "locals",
                                        "map",
                                        "max",
                                        "memoryview",
                                        "min",
                                        "next",
                                        "object",
                                        "oct",
                                        "open",
                                        "ord",
                                        "pow",
                                        "print",
                                        "property",
                                        "quit",
                                        "range",
                                        "raw_input",
                                        "reduce",
                                        "reload",
                                        "repr",
                                        "reversed",
                                        "round",
                                        "script_shell",
                                        "set",
                                        "setattr",
                                        "slice",
                                        "sorted",
                                        "staticmethod",
                                        "str",
                                        "sum",
                                        "super",
                                        "tuple",
                                        "type",
                                        "unichr",
                                        "unicode",
                                        "vars",
                                        "xrange",
                                        "zip" };

static int compare_name(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

static bool in_sorted(const char *const *table, size_t n, const char *s)
{
    return bsearch(s, table, n, sizeof *table, compare_name) != NULL;
}

/* Names that `from M import *` brings and that matter. */
static const struct {
    const char *module, *names;
} star_exports[] = {
    { "os", " system popen execv execve execvp execvpe execl execlp execle execlpe spawnl spawnle spawnlp spawnv "
            "spawnve spawnvp "
            "posix_spawn fork forkpty kill killpg remove unlink rmdir removedirs rename renames replace chmod chown "
            "lchown chroot "
            "setuid setgid seteuid setegid setreuid setresuid setgroups environ getenv putenv walk listdir scandir "
            "open write read "
            "dup2 mkfifo mknod link symlink nice getpid getppid getcwd truncate popen2 path sched_setaffinity " },
    { "subprocess", " run call check_call check_output Popen getoutput getstatusoutput PIPE STDOUT DEVNULL " },
    { "socket",
      " socket AF_INET AF_INET6 AF_PACKET AF_UNIX SOCK_STREAM SOCK_DGRAM SOCK_RAW create_connection create_server "
      "getaddrinfo gethostbyname gethostbyname_ex gethostbyaddr socketpair fromfd IPPROTO_ICMP IPPROTO_RAW IPPROTO_IP "
      "IP_HDRINCL SOL_SOCKET SO_REUSEADDR gethostname ntohs htons inet_aton " },
    { "shutil", " rmtree copy copy2 copyfile copytree move make_archive unpack_archive chown " },
    { "ctypes", " CDLL cdll PyDLL pythonapi cast memmove memset CFUNCTYPE create_string_buffer util " },
    { "pathlib", " Path PosixPath PurePath " },
    { "urllib.request", " urlopen urlretrieve Request build_opener install_opener " },
    { "urllib", " urlopen urlretrieve urlencode quote " },
    { "urllib2", " urlopen Request build_opener " },
    { "requests", " get post put delete patch head request session Session " },
    { "base64", " b64decode b32decode b16decode b85decode a85decode urlsafe_b64decode standard_b64decode decodebytes "
                "b64encode " },
    { "zlib", " decompress compress " },
    { "pickle", " loads load dumps dump Unpickler " },
    { "marshal", " loads load dumps " },
    { "ftplib", " FTP FTP_TLS " },
    { "smtplib", " SMTP SMTP_SSL " },
    { "paramiko", " SSHClient Transport AutoAddPolicy " },
    { "pty", " spawn fork openpty " },
    { "signal", " kill signal pthread_kill SIGKILL SIGTERM SIGALRM alarm raise_signal " },
    { "multiprocessing", " Process Pool Queue " },
    { "threading", " Thread Lock Timer " },
    { "glob", " glob iglob " },
    { "importlib", " import_module reload " },
    { "scapy.all", " sniff send sendp sr sr1 srp IP TCP UDP ICMP ARP Ether DNS DNSQR Raw RandIP " },
    { "pwn", " remote process ssh shellcraft asm ELF ROP " },
    { "fabric.api", " run local sudo env put get " },
    { "pynput.keyboard", " Listener Key Controller " },
};

static const char *from_stars(struct py *p, const char *name)
{
    char key[PY_MAX_NAME + 4] = " ";
    size_t n = strlen(name);
    memcpy(key + 1, name, n);
    key[n + 1] = ' ';
    key[n + 2] = '\0';
    for (unsigned i = 0; i < p->star_count; i++)
        for (size_t e = 0; e < ARRAY_LEN(star_exports); e++)
            if (str_eq(star_exports[e].module, p->stars[i]) && strstr(star_exports[e].names, key))
                return py_dotted(p, p->stars[i], name);
    return NULL;
}

struct py_value py_lookup(struct py *p, uint32_t name)
{
    bool is_own = true;
    for (uint32_t s = p->scope; s; s = p->scopes[s].parent) {
        /* a class body's names are not seen from within its functions */
        if (is_own || p->scopes[s].class < 0 || p->scopes[s].function >= 0) {
            const struct py_value *v = py_get_in(p, s, name);
            if (v && !(v->kind == V_PARTIAL && !v->list))
                return *v;
        }
        is_own = false;
    }
    const char *s = py_name_of(p, name);
    const char *star = p->star_count ? from_stars(p, s) : NULL;
    if (star)
        return py_named(p, star, 0);
    if (in_sorted(builtins, ARRAY_LEN(builtins), s)) {
        if (str_eq(s, "__file__"))
            return py_const("{}.py", T_MYSELF | T_HARDLY);
        return py_named(p, str_eq(s, "__builtins__") ? "builtins" : s, 0);
    }
    return py_unknown(0);
}

/* --- values ---------------------------------------------------------------------------------------------------------
 */

struct py_value py_unknown(uint32_t taint)
{
    return (struct py_value){ .kind = V_UNKNOWN, .taint = taint };
}

struct py_value py_str(struct fold_text t, uint32_t taint)
{
    return (struct py_value){ .kind = V_STR, .text = t.data, .size = t.size, .taint = taint };
}

struct py_value py_const(const char *s, uint32_t taint)
{
    return py_str(fold_of(s), taint);
}

struct py_value py_int(int64_t v)
{
    return (struct py_value){ .kind = V_INT, .num = v };
}

struct py_value py_named(struct py *p, const char *name, uint32_t taint)
{
    (void)p;
    return name ? (struct py_value){ .kind = V_NAME, .name = name, .taint = taint } : py_unknown(taint);
}

struct py_value py_object(const char *name, uint32_t taint)
{
    return (struct py_value){ .kind = V_OBJ, .name = name, .taint = taint };
}

struct py_value py_list_new(struct py *p)
{
    struct py_list *l = fold_take(&p->mem, sizeof *l);
    return l ? (struct py_value){ .kind = V_LIST, .list = l } : py_unknown(0);
}

bool py_list_add(struct py *p, struct py_value list, struct py_value item)
{
    struct py_list *l = list.list;
    if (l->count >= PY_MAX_ITEMS) {
        l->is_open = true;
        return false;
    }
    if (l->count >= l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 4;
        struct py_value *more = fold_take(&p->mem, cap * sizeof *more);
        if (!more) {
            l->is_open = true;
            return false;
        }
        if (l->count)
            memcpy(more, l->items, l->count * sizeof *more);
        l->items = more;
        l->cap = cap;
    }
    l->items[l->count++] = item;
    return true;
}

struct py_value py_iter_of(struct py *p, struct py_value item)
{
    struct py_value v = py_list_new(p);
    if (v.kind != V_LIST || !py_list_add(p, v, item))
        return py_unknown(item.taint);
    v.kind = V_ITER;
    v.taint = item.taint & T_ORIGIN;
    return v;
}

struct fold_text py_text(struct py_value v)
{
    return (struct fold_text){ v.text, v.size };
}

bool py_is_str(struct py_value v)
{
    return v.kind == V_STR && !(v.taint & T_HARDLY);
}

/* --- dotted names ---------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *from, *to;
} usual_names[] = { { "posix", "os" },
                    { "nt", "os" },
                    { "posixpath", "os.path" },
                    { "ntpath", "os.path" },
                    { "io.open", "open" },
                    { "_io.open", "open" },
                    { "io.FileIO", "open" },
                    { "_io.FileIO", "open" },
                    { "builtins", "" },
                    { "__builtin__", "" },
                    { "__builtins__", "" },
                    { "cPickle", "pickle" },
                    { "_pickle", "pickle" },
                    { "_socket", "socket" },
                    { "_ctypes", "ctypes" },
                    { "importlib.__import__", "__import__" },
                    { "importlib._bootstrap.__import__", "__import__" },
                    { "_thread", "thread" },
                    { "commands", "subprocess" },
                    { "popen2", "subprocess" },
                    { "httplib", "http.client" },
                    { "file", "open" },
                    { "urllib.urlopen", "urllib.request.urlopen" },
                    { "urllib.urlretrieve", "urllib.request.urlretrieve" },
                    { "urllib2", "urllib.request" },
                    { "six.moves.urllib", "urllib" },
                    { "pathlib.PosixPath", "pathlib.Path" },
                    { "simplejson", "json" },
                    { "requests.session", "requests.Session" },
                    { "requests.sessions.Session", "requests.Session" },
                    { "requests.api", "requests" },
                    { "dill", "pickle" },
                    { "cloudpickle", "pickle" },
                    { "pathlib2", "pathlib" },
                    { "gevent.subprocess", "subprocess" },
                    { "gevent.socket", "socket" },
                    { "eventlet.green.socket", "socket" },
                    { "eventlet.green.subprocess", "subprocess" },
                    { "ctypes.cdll.LoadLibrary", "ctypes.CDLL" },
                    { "multiprocessing.context.Process", "multiprocessing.Process" },
                    { "future.moves.subprocess", "subprocess" },
                    { "anyio.Path", "pathlib.Path" },
                    { "trio.Path", "pathlib.Path" },
                    { "paramiko.client", "paramiko" },
                    { "psutil._psposix", "psutil" },
                    { "asyncio.subprocess", "asyncio" },
                    { "Crypto", "Cryptodome" } };

/* Modules that other modules drag along: `subprocess.os.system` is os.system. */
static const char *const inner_modules[] = { "__builtins__", "_os",    "_sys",   "builtins",   "importlib", "os",
                                             "pty",          "shutil", "socket", "subprocess", "sys" };

const char *py_usual_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(usual_names); i++) {
        size_t n = strlen(usual_names[i].from);
        if (name[0] != usual_names[i].from[0] || strncmp(name, usual_names[i].from, n) != 0)
            continue;
        if (!name[n])
            return *usual_names[i].to ? usual_names[i].to : "builtins";
    }
    return name;
}

const char *py_dotted(struct py *p, const char *a, const char *b)
{
    if (in_sorted(inner_modules, ARRAY_LEN(inner_modules), b) && !str_eq(a, b))
        return str_eq(b, "__builtins__") ? "builtins" : b[0] == '_' ? b + 1 : b;
    if (str_eq(a, "builtins"))
        return py_usual_name(b);
    size_t na = strlen(a), nb = strlen(b);
    if (na + nb + 1 > PY_MAX_NAME)
        return NULL;
    char s[PY_MAX_NAME + 2];
    memcpy(s, a, na);
    s[na] = '.';
    memcpy(s + na + 1, b, nb);
    s[na + 1 + nb] = '\0';
    const char *usual = py_usual_name(s);
    if (usual != s)
        return usual;
    uint32_t id = py_intern(p, s, (uint32_t)(na + nb + 1));
    return id ? py_name_of(p, id) : NULL;
}

bool py_is_dangerous_module(const char *name)
{
    static const char *const modules[] = { "builtins", "ctypes", "importlib", "marshal",    "os", "pickle",
                                           "pty",      "shutil", "socket",    "subprocess", "sys" };
    return in_sorted(modules, ARRAY_LEN(modules), name);
}
