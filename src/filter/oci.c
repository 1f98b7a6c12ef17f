/* OCI and Docker seccomp profiles (runtime-spec config-linux.md, moby's profiles/seccomp).
 *
 * Where several rules of a file match one call, the strictest action wins, as between
 * filters in the kernel. A blanket rule that repeats the default action says nothing (runc
 * drops it too). Two conditions on one argument in one rule are alternatives (again runc,
 * for old Docker profiles). Numbers above the newest one that the file names get ENOSYS
 * instead of a default EPERM, so that a libc younger than the file falls back.
 * Capability conditions are answered by what the payload holds: none.
 */
#include "base/parse.h"
#include "filter/internal.h"
#include "filter/jsonline.h"

#include <jansson.h>
#include <stdarg.h>
#include <sys/utsname.h>

#define MAX_BYTES (1u << 20)
#define MAX_DEPTH 6

struct oci {
    const char *path, *bytes;
    size_t size;
    struct filter_spec *spec;
    struct error *err;
    struct json_step at[MAX_DEPTH]; /* where we are reading, for messages */
    size_t depth;
    uint32_t default_action;
    int newest_named;
    bool has_blanket[FILTER_NRS];
    uint32_t blanket[FILTER_NRS];
};

/* What one entry of syscalls[] says besides its names. */
struct entry {
    uint32_t action;
    struct filter_cond conds[FILTER_RULE_CONDS];
    size_t cond_count;
};

/* ---- Messages ---- */

static void at_key(struct oci *o, size_t depth, const char *key)
{
    assert(depth < MAX_DEPTH);
    o->at[depth] = (struct json_step){ .key = key };
    o->depth = depth + 1;
}

static void at_index(struct oci *o, size_t depth, size_t index)
{
    assert(depth < MAX_DEPTH);
    o->at[depth] = (struct json_step){ .index = index };
    o->depth = depth + 1;
}

/* «FILE:12: syscalls[3].action: what is wrong» */
static int bad(struct oci *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
static int bad(struct oci *o, const char *fmt, ...)
{
    char where[160] = "", what[200];
    size_t used = 0;
    for (size_t i = 0; i < o->depth && used < sizeof(where) - 1; i++) {
        const struct json_step *s = &o->at[i];
        char *to = where + used;
        size_t room = sizeof(where) - used;
        int n = s->key ? snprintf(to, room, "%s%.40s", i ? "." : "", s->key) : snprintf(to, room, "[%zu]", s->index);
        used += n > 0 ? (size_t)n : 0;
    }
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(what, sizeof(what), fmt, ap);
    va_end(ap);
    for (char *p = where; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?'; /* keys come from the file */
    for (char *p = what; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?';
    return err_set(o->err, -EINVAL, BLAME_CALLER, "SECCOMP", "%s:%u: %s%s%s", o->path,
                   json_line(o->bytes, o->size, o->at, o->depth), where, o->depth ? ": " : "", what);
}

static int check_keys(struct oci *o, const json_t *object, size_t depth, const char *const *known, size_t count)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < count; i++)
            found |= str_eq(key, known[i]);
        if (found)
            continue;
        at_key(o, depth, key);
        const char *near = nearest_word(key, known, count);
        return near ? bad(o, "unknown key; did you mean «%s»?", near) : bad(o, "unknown key");
    }
    return 0;
}
#define CHECK_KEYS(o, object, depth, ...)                              \
    check_keys(o, object, depth, (const char *const[]){ __VA_ARGS__ }, \
               ARRAY_LEN(((const char *const[]){ __VA_ARGS__ })))

/* An optional member: NULL when absent or null. */
static json_t *member(const json_t *object, const char *key)
{
    json_t *v = json_object_get(object, key);
    return json_is_null(v) ? NULL : v;
}

/* ---- Small values ---- */

/* action names, with errno from `errnoRet` or EPERM */
static int read_action(struct oci *o, const json_t *object, size_t depth, const char *key, const char *errno_key,
                       uint32_t *ret)
{
    static const struct {
        const char *name;
        uint32_t action;
    } actions[] = {
        { "SCMP_ACT_ALLOW", SECCOMP_RET_ALLOW },
        { "SCMP_ACT_LOG", SECCOMP_RET_LOG },
        { "SCMP_ACT_ERRNO", SECCOMP_RET_ERRNO },
        { "SCMP_ACT_TRAP", SECCOMP_RET_TRAP },
        /* Killing one thread of several leaves the others waiting for it for ever. */
        { "SCMP_ACT_KILL", SECCOMP_RET_KILL_PROCESS },
        { "SCMP_ACT_KILL_THREAD", SECCOMP_RET_KILL_PROCESS },
        { "SCMP_ACT_KILL_PROCESS", SECCOMP_RET_KILL_PROCESS },
    };
    at_key(o, depth, key);
    const json_t *name = member(object, key);
    if (!json_is_string(name))
        return bad(o, "an action is needed, such as \"SCMP_ACT_ERRNO\"");
    const char *text = json_string_value(name);
    if (str_eq(text, "SCMP_ACT_TRACE") || str_eq(text, "SCMP_ACT_NOTIFY"))
        return bad(o,
                   "%s needs a tracer or listener, which a sandbox here has not; use "
                   "SCMP_ACT_ERRNO",
                   text);
    size_t i = 0;
    while (i < ARRAY_LEN(actions) && !str_eq(actions[i].name, text))
        i++;
    if (i == ARRAY_LEN(actions))
        return bad(o, "unknown action «%.40s»", text);
    uint32_t action = actions[i].action;
    const json_t *error = member(object, errno_key);
    if (error) {
        at_key(o, depth, errno_key);
        json_int_t e = json_is_integer(error) ? json_integer_value(error) : -1;
        if (e < 0 || e > 4095)
            return bad(o, "an error number from 0 to 4095 is needed");
        if (action == SECCOMP_RET_ERRNO)
            action |= (uint32_t)e;
    } else if (action == SECCOMP_RET_ERRNO) {
        action |= EPERM;
    }
    *ret = action;
    return 0;
}

static int read_u64(struct oci *o, const json_t *object, size_t depth, const char *key, uint64_t *ret)
{
    const json_t *v = member(object, key);
    if (!v)
        return 0;
    at_key(o, depth, key);
    if (!json_is_integer(v) || json_integer_value(v) < 0)
        return bad(o, "a whole number, not negative, is needed");
    *ret = (uint64_t)json_integer_value(v);
    return 0;
}

/* An optional list of strings. */
static int check_strings(struct oci *o, const json_t *object, size_t depth, const char *key)
{
    const json_t *list = member(object, key);
    if (!list)
        return 0;
    at_key(o, depth, key);
    if (!json_is_array(list))
        return bad(o, "a list of strings is needed");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return bad(o, "element %zu is not a string", i);
    return 0;
}

static bool has_string(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (str_eq(json_string_value(json_array_get(list, i)), word))
            return true;
    return false;
}

/* ---- includes and excludes ---- */

/* "4.8" (and "6.1.0-13-amd64") -> 4 * 1000 + 8; -1 if it does not begin like that. */
static int kernel_number(const char *s)
{
    int part[2] = { 0, 0 };
    for (int i = 0; i < 2; i++) {
        int digits = 0;
        for (; *s >= '0' && *s <= '9' && digits < 3; s++, digits++)
            part[i] = part[i] * 10 + (*s - '0');
        if (!digits || (i == 0 && *s++ != '.'))
            return -1;
    }
    return part[0] * 1000 + part[1];
}

static int running_kernel(void)
{
    struct utsname u;
    return uname(&u) == 0 ? kernel_number(u.release) : 0;
}

/* What one of the two blocks finds in this payload and on this machine. */
struct found {
    bool caps, arches, kernel;             /* the key is there ... */
    bool caps_met, arches_met, kernel_met; /* ... and it holds */
};

static int read_block(struct oci *o, const json_t *entry, const char *key, struct found *ret)
{
    const char *arch = FILTER_IS_AARCH64 ? "arm64" : "amd64"; /* Go's names */
    *ret = (struct found){ 0 };
    const json_t *block = member(entry, key);
    if (!block)
        return 0;
    at_key(o, 2, key);
    if (!json_is_object(block))
        return bad(o, "an object is needed");
    int r = CHECK_KEYS(o, block, 3, "caps", "arches", "minKernel");
    if (r == 0)
        r = check_strings(o, block, 3, "caps");
    if (r == 0)
        r = check_strings(o, block, 3, "arches");
    if (r < 0)
        return r;
    ret->caps = json_array_size(member(block, "caps")) > 0; /* none is held: never met */
    ret->arches = json_array_size(member(block, "arches")) > 0;
    ret->arches_met = has_string(member(block, "arches"), arch);
    const json_t *kernel = member(block, "minKernel");
    if (!kernel || (json_is_string(kernel) && !*json_string_value(kernel)))
        return 0;
    at_key(o, 3, "minKernel");
    int wanted = json_is_string(kernel) ? kernel_number(json_string_value(kernel)) : -1;
    if (wanted < 0)
        return bad(o, "a kernel version such as \"4.8\" is needed");
    ret->kernel = true;
    ret->kernel_met = running_kernel() >= wanted;
    return 0;
}

static int read_applies(struct oci *o, const json_t *entry, bool *ret)
{
    struct found in, ex;
    int r = read_block(o, entry, "includes", &in);
    if (r == 0)
        r = read_block(o, entry, "excludes", &ex);
    if (r < 0)
        return r;
    bool included = !in.caps && (!in.arches || in.arches_met) && (!in.kernel || in.kernel_met);
    *ret = included && !ex.arches_met && !ex.kernel_met;
    return 0;
}

/* ---- Conditions ---- */

static int read_op(struct oci *o, const json_t *arg, uint8_t *ret)
{
    static const char *const ops[] = {
        [FILTER_EQ] = "SCMP_CMP_EQ",
        [FILTER_NE] = "SCMP_CMP_NE",
        [FILTER_LT] = "SCMP_CMP_LT",
        [FILTER_LE] = "SCMP_CMP_LE",
        [FILTER_GT] = "SCMP_CMP_GT",
        [FILTER_GE] = "SCMP_CMP_GE",
        [FILTER_MASKED_EQ] = "SCMP_CMP_MASKED_EQ",
    };
    at_key(o, 4, "op");
    const json_t *op = member(arg, "op");
    for (size_t i = 0; json_is_string(op) && i < ARRAY_LEN(ops); i++) {
        if (!str_eq(ops[i], json_string_value(op)))
            continue;
        *ret = (uint8_t)i;
        return 0;
    }
    return bad(o, "a comparison is needed, such as \"SCMP_CMP_EQ\"");
}

static int read_arg(struct oci *o, const json_t *arg, struct filter_cond *ret)
{
    if (!json_is_object(arg))
        return bad(o, "an object is needed");
    uint64_t index = FILTER_RULE_CONDS, value = 0, value_two = 0;
    *ret = (struct filter_cond){ 0 };
    int r = CHECK_KEYS(o, arg, 4, "index", "value", "valueTwo", "op");
    if (r == 0)
        r = read_op(o, arg, &ret->op);
    if (r == 0)
        r = read_u64(o, arg, 4, "value", &value);
    if (r == 0)
        r = read_u64(o, arg, 4, "valueTwo", &value_two);
    if (r == 0)
        r = read_u64(o, arg, 4, "index", &index);
    if (r < 0)
        return r;
    at_key(o, 4, "index");
    if (index >= FILTER_RULE_CONDS)
        return bad(o, "an argument's index from 0 to 5 is needed");
    ret->arg = (uint8_t)index;
    bool is_masked = ret->op == FILTER_MASKED_EQ;
    ret->mask = is_masked ? value : 0;
    ret->value = is_masked ? value_two : value;
    return 0;
}

static int read_args(struct oci *o, const json_t *entry, struct entry *ret)
{
    const json_t *args = member(entry, "args");
    ret->cond_count = 0;
    if (!args)
        return 0;
    at_key(o, 2, "args");
    if (!json_is_array(args) || json_array_size(args) > FILTER_RULE_CONDS)
        return bad(o, "a list of at most %d conditions is needed", FILTER_RULE_CONDS);
    for (size_t i = 0; i < json_array_size(args); i++) {
        at_index(o, 3, i);
        int r = read_arg(o, json_array_get(args, i), &ret->conds[i]);
        if (r < 0)
            return r;
        ret->cond_count++;
    }
    return 0;
}

static bool has_alternatives(const struct entry *e)
{
    unsigned seen = 0;
    for (size_t i = 0; i < e->cond_count; i++) {
        if (seen & 1u << e->conds[i].arg)
            return true;
        seen |= 1u << e->conds[i].arg;
    }
    return false;
}

/* ---- Into the spec ---- */

/* The kernel's order between filters: the smaller, as a signed number, is obeyed. */
static int32_t leniency(uint32_t action)
{
    return (int32_t)FILTER_ACTION(action);
}

/* Leaves out what the kernel will not see. False: no such value can arrive. */
static bool fit_to_int(struct filter_cond *c)
{
    if (c->value > UINT32_MAX)
        return false;
    c->mask &= UINT32_MAX;
    c->low32 = true;
    return true;
}

static int add_rule(struct oci *o, int nr, const struct filter_cond *conds, size_t count, uint32_t action)
{
    struct filter_cond own[FILTER_RULE_CONDS];
    memcpy(own, conds, count * sizeof(own[0]));
    for (size_t i = 0; i < count; i++)
        if (syscall_arg_is_int(nr, own[i].arg) && !fit_to_int(&own[i]))
            return bad(o, "argument %u of %s has 32 bits; the value does not fit", own[i].arg, syscall_name(nr));
    if (filter_rule_prepend(o->spec, nr, own, count, action) < 0)
        return bad(o, "too many rules (at most %d rules with %d conditions)", FILTER_MAX_RULES, FILTER_MAX_CONDS);
    /* Let it sink behind those that are as strict or stricter. */
    struct filter_rule *rules = o->spec->rules;
    uint16_t *link = &o->spec->calls[nr].rules, own_index = *link;
    *link = rules[own_index - 1].next;
    while (*link && leniency(rules[*link - 1].action) <= leniency(action))
        link = &rules[*link - 1].next;
    rules[own_index - 1].next = *link;
    *link = own_index;
    return 0;
}

static int add_call(struct oci *o, int nr, const struct entry *e)
{
    if (e->cond_count == 0) {
        if (e->action == o->default_action)
            return 0;
        if (!o->has_blanket[nr] || leniency(e->action) < leniency(o->blanket[nr]))
            o->blanket[nr] = e->action;
        o->has_blanket[nr] = true;
        return 0;
    }
    if (!has_alternatives(e))
        return add_rule(o, nr, e->conds, e->cond_count, e->action);
    for (size_t i = 0; i < e->cond_count; i++) {
        int r = add_rule(o, nr, &e->conds[i], 1, e->action);
        if (r < 0)
            return r;
    }
    return 0;
}

/* A blanket rule always matches: what is more lenient than it never comes to be tried. */
static void settle_blankets(struct oci *o)
{
    for (int nr = 0; nr < FILTER_NRS; nr++) {
        struct filter_entry *call = &o->spec->calls[nr];
        if (o->has_blanket[nr]) {
            uint16_t *link = &call->rules;
            while (*link && leniency(o->spec->rules[*link - 1].action) < leniency(o->blanket[nr]))
                link = &o->spec->rules[*link - 1].next;
            *link = 0;
            call->action = o->blanket[nr];
        } else if (nr > o->newest_named && FILTER_ACTION(call->action) == SECCOMP_RET_ERRNO) {
            call->action = FILTER_ERRNO(ENOSYS);
        }
    }
}

/* ---- The file ---- */

static int add_name(struct oci *o, const char *name, bool applies, const struct entry *e)
{
    int nr = syscall_number(name);
    if (nr < 0)
        return 0; /* of another architecture, or younger than our table: refused */
    o->newest_named = MAX_OF(o->newest_named, nr);
    return applies ? add_call(o, nr, e) : 0;
}

static int read_entry(struct oci *o, const json_t *json)
{
    if (!json_is_object(json))
        return bad(o, "an object is needed");
    struct entry e;
    bool applies = false;
    int r = CHECK_KEYS(o, json, 2, "names", "name", "action", "errnoRet", "args", "includes", "excludes", "comment");
    if (r == 0)
        r = read_action(o, json, 2, "action", "errnoRet", &e.action);
    if (r == 0)
        r = read_args(o, json, &e);
    if (r == 0)
        r = read_applies(o, json, &applies);
    if (r == 0)
        r = check_strings(o, json, 2, "names");
    if (r < 0)
        return r;
    const json_t *names = member(json, "names"), *name = member(json, "name");
    at_key(o, 2, "names");
    if (!names == !name || (name && !json_is_string(name)))
        return bad(o, "either a list «names» or one «name» is needed");
    if (name)
        return add_name(o, json_string_value(name), applies, &e);
    for (size_t i = 0; i < json_array_size(names) && r == 0; i++)
        r = add_name(o, json_string_value(json_array_get(names, i)), applies, &e);
    return r;
}

/* A file for other machines only would refuse everything here: say so instead. */
static int check_architectures(struct oci *o, const json_t *root)
{
    const char *own = FILTER_IS_AARCH64 ? "SCMP_ARCH_AARCH64" : "SCMP_ARCH_X86_64";
    int r = check_strings(o, root, 0, "architectures");
    if (r < 0)
        return r;
    const json_t *list = member(root, "architectures"), *map = member(root, "archMap");
    bool found = has_string(list, own);
    if (map && !json_is_array(map)) {
        at_key(o, 0, "archMap");
        return bad(o, "a list is needed");
    }
    for (size_t i = 0; i < json_array_size(map); i++) {
        const json_t *name = member(json_array_get(map, i), "architecture");
        found |= json_is_string(name) && str_eq(json_string_value(name), own);
    }
    if (found || json_array_size(list) + json_array_size(map) == 0)
        return 0;
    at_key(o, 0, list ? "architectures" : "archMap");
    return bad(o, "%s, the architecture of this machine, is not in it", own);
}

static int read_file(struct oci *o, const json_t *root)
{
    int r = CHECK_KEYS(o, root, 0, "defaultAction", "defaultErrnoRet", "architectures", "archMap", "syscalls", "flags",
                       "listenerPath", "listenerMetadata", "comment");
    if (r < 0)
        return r;
    if (member(root, "listenerPath")) {
        at_key(o, 0, "listenerPath");
        return bad(o, "a listener outside the sandbox is not supported");
    }
    r = check_architectures(o, root);
    if (r == 0)
        r = read_action(o, root, 0, "defaultAction", "defaultErrnoRet", &o->default_action);
    if (r < 0)
        return r;
    filter_spec_init(o->spec, o->default_action);
    const json_t *calls = member(root, "syscalls");
    at_key(o, 0, "syscalls");
    if (calls && !json_is_array(calls))
        return bad(o, "a list is needed");
    for (size_t i = 0; i < json_array_size(calls); i++) {
        at_index(o, 1, i);
        r = read_entry(o, json_array_get(calls, i));
        if (r < 0)
            return r;
    }
    settle_blankets(o);
    o->depth = 0;
    return filter_harden(o->spec) < 0 ? bad(o, "too many rules") : 0;
}

int filter_load_oci(const char *path, const char *bytes, size_t size, struct filter_spec *ret, struct error *err)
{
    struct oci o = { .path = path, .bytes = bytes, .size = size, .spec = ret, .err = err };
    if (size > MAX_BYTES)
        return err_set(err, -EFBIG, BLAME_CALLER, "SECCOMP", "%s: a seccomp profile of more than 1 MiB", path);
    json_error_t syntax;
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &syntax);
    if (!root)
        return err_set(err, -EINVAL, BLAME_CALLER, "SECCOMP", "%s:%d: not valid JSON: %s", path, syntax.line,
                       syntax.text);
    int r = json_is_object(root) ? read_file(&o, root) : bad(&o, "an object is needed");
    json_decref(root);
    return r;
}
