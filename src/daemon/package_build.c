#include "daemon/package_build.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/json.h"
#include "base/members.h"
#include "base/pages.h"
#include "base/parse.h"
#include "daemon/package_scan.h"
#include "files/files.h"
#include "packages/requirements.h"
#include "packages/tree.h"
#include "run/locations.h"

const char *const package_step_names[] = { "installs", "copies", "scans", "publishes", NULL };

#define CERTIFICATES "/etc/ssl/certs/ca-certificates.crt"
#define ORDER        "order" /* in building/NAME, beside the tree */
#define LOCK         "lock"  /* of /workspace: what lock_read() reads */
#define SCRIPT_HEAD \
    "umask 022; mkdir /workspace/set /workspace/tmp && cd /workspace/set && export TMPDIR=/workspace/tmp && "

struct making {
    const struct package_host *host;
    const struct package_order *order;
    struct arena arena;
    struct buf request; /* as the installer reads it */
    struct build_options options;
    int store, place; /* packages, and building/NAME, locked */
    struct package_tree tree;
    struct buf lock;
    uint32_t packages;
    struct package_scan scan;
    bool is_scanned, is_stopped;
    struct error *err;
};

static int fail(struct making *m, int e, const char *what)
{
    (void)err_set(m->err, e, BLAME_HOST, "PACKAGES", "%s: %s", what, strerror(-e));
    return e == -ENOSPC || e == -EDQUOT ? err_remedy(m->err, "make room where the state directory lies") : e;
}

static int begin_step(struct making *m, enum package_step s)
{
    if (m->host->told)
        m->host->told(m->host->context, s);
    if (!m->host->step || m->host->step(m->host->context, s))
        return 0;
    m->is_stopped = true;
    return err_set(m->err, -ECANCELED, BLAME_HOST, "PACKAGES", "the build was stopped");
}

/* --- the order -------------------------------------------------------------------------------------------- */

static const char *state_dir(const struct config *c, const struct paths *p, struct arena *a)
{
    struct locations where = { 0 };
    locations_find(p, c, a, &where);
    return where.state_dir;
}

static int check_name(const struct package_order *o, struct error *err)
{
    if (package_name_is_accepted(o->name))
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, "PACKAGES", "name %.80s: not accepted", o->name);
    return err_remedy(err, "accepted are " PACKAGE_NAME_WORDS);
}

static int check_owner(int store, const struct package_order *o, struct error *err)
{
    struct package_brief b;
    int e = package_set_brief(store, o->name, &b, err);
    if (e != 0)
        return MIN_OF(e, 0);
    if (str_eq(b.owner, o->owner))
        return 0;
    (void)err_set(err, -EACCES, BLAME_POLICY, "PACKAGES", "the name %s is taken by another owner", o->name);
    return err_remedy(err, "choose another name");
}

/* What an owner has beside the set that is to be made. */
struct stored {
    int store;
    const struct package_order *order;
    uint64_t bytes;
    uint32_t sets;
};

static bool add_stored(void *context, const char *name)
{
    struct stored *s = context;
    struct package_brief b;
    if (str_eq(name, s->order->name) || package_set_brief(s->store, name, &b, &(struct error){ 0 }) != 0 ||
        !str_eq(b.owner, s->order->owner))
        return true;
    s->bytes += b.bytes;
    s->sets++;
    return true;
}

static int check_room(int store, const struct package_order *o, uint64_t bytes, struct error *err)
{
    struct stored s = { .store = store, .order = o };
    if (!o->is_bounded)
        return 0;
    int e = package_sets_each(store, add_stored, &s, err);
    if (e < 0 || (s.bytes + bytes <= o->max_stored && s.sets < PACKAGE_SETS_MAX))
        return e;
    (void)err_set(err, -EDQUOT, BLAME_POLICY, "PACKAGES", "%u other sets of this owner have %llu bytes, this one %llu",
                  s.sets, (unsigned long long)s.bytes, (unsigned long long)bytes);
    return err_remedy(err, "remove some of them; the limits are %u sets and endpoints.api.max_storage (%llu bytes)",
                      PACKAGE_SETS_MAX, (unsigned long long)o->max_stored);
}

static int read_text(const struct package_order *o, struct buf *ret, struct error *err)
{
    buf_init(ret, 2 * REQUIREMENTS_MAX_SIZE);
    return o->kind == PACKAGE_NODE ? manifest_read(o->text, o->size, ret, err)
                                   : requirements_read(o->text, o->size, ret, err);
}

int package_order_check(const struct package_host *h, const struct package_order *o, struct error *err)
{
    struct arena a = { 0 };
    struct buf text = { 0 };
    int e = check_name(o, err);
    if (e == 0)
        e = read_text(o, &text, err);
    cleanup(closep) int store = e < 0 ? -1 : package_store_open(state_dir(h->config, h->paths, &a), err);
    if (e == 0)
        e = store < 0 ? store : check_owner(store, o, err);
    if (e == 0)
        e = check_room(store, o, 1, err);
    buf_done(&text);
    arena_done(&a);
    return e;
}

/* --- the place -------------------------------------------------------------------------------------------- */

static const char *place_of(struct making *m)
{
    return arena_printf(&m->arena, "building/%s", m->order->name);
}

static int is_busy(struct making *m)
{
    (void)err_set(m->err, -EBUSY, BLAME_POLICY, "PACKAGES", "a build of %s is under way", m->order->name);
    return err_remedy(m->err, "wait until it has ended, or choose another name");
}

/* Ours from here on, or its builder's. */
static int lock_place(struct making *m)
{
    struct stat st, now;
    const char *path = place_of(m);
    for (int tries = 0; tries < 10; tries++) {
        if (mkdirat(m->store, path, 0700) < 0 && errno != EEXIST)
            return fail(m, -errno, "make the build's directory");
        cleanup(closep) int fd = openat(m->store, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 && errno == ENOENT)
            continue;
        if (fd < 0 || fstat(fd, &st) < 0)
            return fail(m, -errno, "open the build's directory");
        if (flock(fd, LOCK_EX | LOCK_NB) < 0)
            return is_busy(m);
        if (fstatat(m->store, path, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino == st.st_ino &&
            now.st_dev == st.st_dev) {
            m->place = TAKE_FD(fd);
            return 0;
        }
    }
    return is_busy(m);
}

static int write_order(struct making *m)
{
    struct buf b;
    cleanup(closep) int fd = openat(m->place, ORDER, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    buf_init(&b, KIB);
    json_open(&b, '{');
    json_key(&b, "owner"), json_put_string(&b, m->order->owner);
    json_key(&b, "kind"), json_put_string(&b, package_kind_names[m->order->kind]);
    json_close(&b, '}');
    const int e = fd < 0 ? -errno : b.failed ? -ENOMEM : write_all(fd, b.data, b.size);
    buf_done(&b);
    return e < 0 ? fail(m, e, "write whose build it is") : 0;
}

static int open_place(struct making *m)
{
    m->store = package_store_open(state_dir(m->host->config, m->host->paths, &m->arena), m->err);
    int e = m->store < 0 ? m->store : check_owner(m->store, m->order, m->err);
    if (e == 0)
        e = lock_place(m);
    if (e < 0)
        return e;
    e = wfile_remove(m->place, "tree"); /* a killed builder's */
    if (e < 0 && e != -ENOENT)
        return fail(m, e, "remove what a build left");
    if (mkdirat(m->place, "tree", 0755) < 0 || fchmodat(m->place, "tree", 0755, 0) < 0) /* past the umask */
        return fail(m, -errno, "make the tree");
    return write_order(m);
}

static void leave_place(struct making *m)
{
    if (m->place >= 0) {
        (void)wfile_remove(m->place, "tree");
        if (!m->is_stopped) /* else it is told by package_builds_left() */
            (void)unlinkat(m->place, ORDER, 0);
        (void)unlinkat(m->store, place_of(m), AT_REMOVEDIR);
    }
    closep(&m->place);
    closep(&m->store);
}

/* --- the sandbox ------------------------------------------------------------------------------------------ */

static const char *index_of(const struct making *m)
{
    const struct config *c = m->host->config;
    return m->order->kind == PACKAGE_NODE ? c->packages.node_registry : c->packages.python_index;
}

/* «https://pypi.org/simple» -> «pypi.org:443»; with_port false: without it. config_check() has looked at its form. */
static const char *host_of(struct making *m, bool with_port)
{
    const char *url = index_of(m), *host = strstr(url, "://") + 3;
    const size_t n = strcspn(host, "/"), name = strcspn(host, ":/");
    if (!with_port)
        return arena_printf(&m->arena, "%.*s", (int)name, host);
    return n > name ? arena_printf(&m->arena, "%.*s", (int)n, host)
                    : arena_printf(&m->arena, "%.*s:%s", (int)n, host, str_starts(url, "https:") ? "443" : "80");
}

static int add_hosts(struct making *m)
{
    struct strlist *hosts = &m->options.hosts;
    int e = strlist_add(hosts, host_of(m, true));
    STRLIST_FOREACH(host, &m->host->config->packages.hosts)
    {
        if (e == 0)
            e = strlist_add(hosts, host);
    }
    return e < 0 ? fail(m, e, "the list of hosts") : 0;
}

static int add_all(struct strlist *to, const char *const *words)
{
    int e = 0;
    for (; *words && e == 0; words++)
        e = strlist_add(to, *words);
    return e;
}

/* What the installer reports, as lines for lock_read(): in the sandbox, since its size is the packages'. The last part
 * of «License :: OSI Approved :: BSD License» is a licence; of a text that is one, the first line. */
#define PYTHON_LOCK                                                                                             \
    "import json\n"                                                                                             \
    "def word(v): return (str(v or str()).strip().splitlines() or [str()])[0].replace(chr(9), chr(32))[:160]\n" \
    "with open(\"/workspace/report.json\", encoding=\"utf-8\") as f: report = json.load(f)\n"                   \
    "with open(\"/workspace/lock\", \"w\", encoding=\"utf-8\", errors=\"replace\") as f:\n"                     \
    "    for one in report[\"install\"]:\n"                                                                     \
    "        about = one[\"metadata\"]\n"                                                                       \
    "        known = [c for c in about.get(\"classifier\") or [] if c.startswith(\"License ::\")]\n"            \
    "        said = about.get(\"license_expression\") or about.get(\"license\")\n"                              \
    "        said = said or (known[-1].split(\":: \")[-1] if known else None)\n"                                \
    "        file = one.get(\"download_info\", {}).get(\"archive_info\", {}).get(\"hashes\", {})\n"             \
    "        words = about[\"name\"], about[\"version\"], file.get(\"sha256\"), said\n"                         \
    "        f.write(chr(9).join(map(word, words)) + chr(10))\n"
#define NODE_LOCK                                                                                             \
    "const fs = require(\"fs\"); let out = \"\";"                                                             \
    "const word = v => typeof v == \"string\" ? v.trim().split(/[\\r\\n]/)[0].replace(/\\t/g, \" \") : \"\";" \
    "for (const [path, p] of Object.entries(JSON.parse(fs.readFileSync(\"package-lock.json\")).packages))"    \
    "  if (path) out += [path.split(\"node_modules/\").pop(), p.version, p.integrity, p.license].map(word)"   \
    "    .map(w => w.slice(0, 160)).join(\"\\t\") + \"\\n\";"                                                 \
    "fs.writeFileSync(\"/workspace/lock\", out);"

/* The script is ours, and its words are arguments: nothing of a tenant's is read by the shell. */
static int python_command(struct making *m, struct strlist *argv)
{
    static const char script[] = SCRIPT_HEAD
        "cat >/workspace/requirements.txt && python3 -I -m pip --isolated install --no-input --no-color "
        "--disable-pip-version-check --no-cache-dir --no-compile --no-warn-script-location --progress-bar off "
        "--target /workspace/set --report /workspace/report.json -r /workspace/requirements.txt \"$@\" && "
        "exec python3 -I -c '" PYTHON_LOCK "'";
    const bool is_plain = str_starts(index_of(m), "http:");
    const char *const words[] = { "/bin/sh", "-c", script, "pip", "--index-url", index_of(m), NULL };
    const char *const wheels[] = { "--only-binary", ":all:", NULL };
    const char *const plain[] = { "--trusted-host", host_of(m, false), NULL };
    int e = add_all(argv, words);
    if (e == 0 && !m->order->allows_source)
        e = add_all(argv, wheels);
    return e == 0 && is_plain ? add_all(argv, plain) : e;
}

static int node_command(struct making *m, struct strlist *argv)
{
    static const char script[] = SCRIPT_HEAD
        "cat >package.json && npm install --ignore-scripts --no-audit --no-fund --no-update-notifier "
        "--no-progress --omit=dev --fetch-retries 2 --fetch-retry-mintimeout 500 --fetch-retry-maxtimeout 5000 "
        "--userconfig /workspace/npmrc --globalconfig /workspace/none --cache /workspace/tmp \"$@\" && "
        "exec node -e '" NODE_LOCK "'";
    const char *const words[] = { "/bin/sh", "-c", script, "npm", "--registry", index_of(m), NULL };
    /* npm has certificates of its own; whom the host trusts decides, as for pip */
    const char *const trusted[] = { "--cafile", CERTIFICATES, NULL };
    int e = add_all(argv, words);
    return e == 0 && access(CERTIFICATES, R_OK) == 0 ? add_all(argv, trusted) : e;
}

/* Options of a run, as a front would fill them. */
static int fill_options(struct making *m, struct options *o)
{
    const struct config *c = m->host->config;
    m->options.max_bytes = c->packages.max_size;
    m->options.timeout_ms = c->packages.timeout;
    *o = (struct options){ .json = true,
                           .has_level = true,
                           .risk_level = RISK_LOW,
                           .has_backend = true,
                           .backend = BACKEND_NATIVE,
                           .language = LANG_COMMAND,
                           .input = m->request.data,
                           .input_size = m->request.size,
                           .build = &m->options };
    int e = add_hosts(m);
    if (e < 0)
        return e;
    e = m->order->kind == PACKAGE_NODE ? node_command(m, &o->command) : python_command(m, &o->command);
    return e < 0 ? fail(m, e, "the installer's words") : 0;
}

/* The last lines of what the installer said, for a person: it knows best. */
static const char *last_words(struct making *m, const struct exec *s)
{
    const struct buf *said = &s->stream.out[1].kept;
    size_t from = said->size, lines = 0;
    while (from > 0 && said->size - from < 240) {
        lines += said->data[from - 1] == '\n' && from < said->size;
        if (lines == 4)
            break;
        from--;
    }
    struct buf b;
    buf_init(&b, 4 * KIB);
    for (size_t i = from; i < said->size; i++)
        (void)buf_addc(&b, said->data[i] == '\n' ? ' ' : said->data[i]);
    const char *text = arena_copy_bytes(&m->arena, b.data ? b.data : "", b.size);
    buf_done(&b);
    return text;
}

static bool has_said(const struct exec *s, const char *words)
{
    const struct buf *said = &s->stream.out[1].kept;
    return said->size && memmem(said->data, said->size, words, strlen(words));
}

static int explain(struct making *m, const struct exec *s)
{
    const struct outcome *o = &s->outcome;
    static const struct {
        const char *said, *remedy;
    } known[] = {
        { "DO NOT MATCH THE HASHES", "the index serves another file than its hash says: do not trust it" },
        { "EINTEGRITY", "the registry serves another file than its integrity says: do not trust it" },
        { "No module named pip", "apt-get install python3-pip" },
        { "npm: not found", "apt-get install npm" },
        { "No space left on device", "raise packages.max_size, or name fewer packages" },
        { "No matching distribution",
          "there is no wheel of this version for this Python; --source builds from sources" },
    };
    const char *remedy = "what the installer said is in the run's log";
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (has_said(s, known[i].said)) {
            remedy = known[i].remedy;
            break;
        }
    if (o->reason == REASON_TIMEOUT)
        remedy = "raise packages.timeout";
    if (o->reason == REASON_OOM)
        remedy = "raise packages.max_size, from which the build's memory follows";
    (void)err_set(m->err, -EBADMSG, BLAME_GUEST, "PACKAGES", "%s ended with %s%s%s",
                  m->order->kind == PACKAGE_NODE ? "npm" : "pip", reason_name((enum run_reason)o->reason),
                  s->stream.out[1].kept.size ? ": " : "", last_words(m, s));
    return err_remedy(m->err, "%s", remedy);
}

/* --- what came of it ---------------------------------------------------------------------------------------- */

/* Hostile as all that the sandbox leaves. */
static int read_lock(struct making *m, int dir)
{
    struct buf text;
    struct wfile_stat st;
    buf_init(&text, LOCK_MAX_SIZE);
    buf_init(&m->lock, PACKAGE_SET_MAX_SIZE / 2);
    cleanup(closep) int fd = wfile_open(dir, LOCK, &st);
    int e = fd < 0 ? fd : read_open_file(fd, &text);
    if (e == 0)
        e = buf_addc(&text, '\0');
    if (e < 0)
        (void)err_set(m->err, e, BLAME_GUEST, "PACKAGES", "the installer's list of what it installed: %s",
                      strerror(-e));
    else
        e = lock_read(text.data, text.size - 1, m->order->kind == PACKAGE_NODE, &m->lock, &m->packages, m->err);
    buf_done(&text);
    return e;
}

static int take_tree(struct making *m, int dir)
{
    const bool is_node = m->order->kind == PACKAGE_NODE;
    if (begin_step(m, PACKAGE_COPIES) < 0)
        return m->err->code;
    cleanup(closep) int from = openat(dir, "set", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    cleanup(closep) int inner = from >= 0 && is_node
                                    ? openat(from, "node_modules", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                                    : -1;
    cleanup(closep) int to = openat(m->place, "tree", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (from < 0 || (is_node && inner < 0))
        return err_set(m->err, -ENOENT, BLAME_GUEST, "PACKAGES", "the installer left nothing");
    if (to < 0)
        return fail(m, -errno, "open the tree");
    return package_tree_copy(is_node ? inner : from, to, m->host->config->packages.max_size, &m->tree, m->err);
}

static int take_result(struct making *m, struct exec *s)
{
    if (m->host->step && s->stream.caught) { /* by what begin() lent */
        m->is_stopped = true;
        return err_set(m->err, -ECANCELED, BLAME_HOST, "PACKAGES", "the build was stopped");
    }
    if (s->outcome.reason != REASON_COMPLETED)
        return explain(m, s);
    const int dir = workspace_dir(&s->workspace);
    int e = dir < 0 ? err_set(m->err, -ENODATA, BLAME_HOST, "PACKAGES", "the sandbox's /workspace did not come") : 0;
    if (e == 0)
        e = read_lock(m, dir);
    return e == 0 ? take_tree(m, dir) : e;
}

static int install(struct making *m, struct exec *s)
{
    exec_init(s, m->host->paths, &m->arena);
    s->policies = m->host->policies;
    int e = fill_options(m, &s->options);
    if (e == 0)
        e = m->host->begin(m->host->context, s, m->err);
    if (e == 0) {
        e = exec_prepare(s, &s->error);
        if (e == 0)
            e = exec_run(s, &s->error);
        if (s->error.code)
            *m->err = s->error;
        if (s->error.code && !e)
            e = s->error.code;
        if (e == 0)
            e = take_result(m, s);
        workspace_done(&s->workspace); /* its memory is the sandbox's, and nothing of it is an artifact */
        if (s->has_policy)
            exec_tidy(s);
        m->host->end(m->host->context, s);
    }
    exec_done(s);
    return e;
}

static int run_installer(struct making *m)
{
    if (begin_step(m, PACKAGE_INSTALLS) < 0)
        return m->err->code;
    struct exec *s = pages_alloc(sizeof *s);
    int e = s ? install(m, s) : err_set(m->err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
    pages_free(s, sizeof *s);
    strlist_done(&m->options.hosts);
    return e;
}

/* agixt.analysis.enabled, as for programs. */
static int scan(struct making *m)
{
    const struct config *c = m->host->config;
    if (!c->agixt.analysis.enabled)
        return 0;
    cleanup(closep) int tree = openat(m->place, "tree", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (tree < 0)
        return fail(m, -errno, "open the tree");
    m->is_scanned = true;
    if (begin_step(m, PACKAGE_SCANS) < 0)
        return m->err->code;
    return package_scan_tree(m->host->paths, c, tree, &m->scan, m->err);
}

/* --- the set ------------------------------------------------------------------------------------------------ */

static void put_scan(const struct making *m, struct buf *out)
{
    json_key(out, "scan");
    if (!m->is_scanned) {
        json_put_null(out);
        return;
    }
    json_open(out, '{');
    json_key(out, "scanned"), json_uint(out, m->scan.scanned);
    json_key(out, "left_out"), json_uint(out, m->scan.left_out);
    json_key(out, "findings"), json_open(out, '[');
    for (uint32_t i = 0; i < m->scan.rule_count; i++) {
        const struct package_scan_rule *r = &m->scan.rules[i];
        json_open(out, '{');
        json_key(out, "rule"), json_put_string(out, r->rule);
        json_key(out, "severity"), json_put_string(out, severity_names[r->severity]);
        json_key(out, "count"), json_uint(out, r->count);
        json_key(out, "example"), json_put_string(out, r->example);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void describe(const struct making *m, struct buf *out)
{
    const struct package_order *o = m->order;
    const struct package_tree *t = &m->tree;
    buf_init(out, PACKAGE_SET_MAX_SIZE);
    json_open(out, '{');
    json_key(out, "version"), json_uint(out, 1);
    json_key(out, "name"), json_put_string(out, o->name);
    json_key(out, "owner"), json_put_string(out, o->owner);
    json_key(out, "kind"), json_put_string(out, package_kind_names[o->kind]);
    json_key(out, "tree"), json_put_string(out, t->hash);
    json_key(out, "created_ms"), json_uint(out, wall_clock_ms());
    json_key(out, "index"), json_put_string(out, index_of(m));
    json_key(out, "from_source"), json_bool(out, o->allows_source);
    json_key(out, "files"), json_uint(out, t->files);
    json_key(out, "bytes"), json_uint(out, t->bytes);
    json_key(out, "native_files"), json_uint(out, t->native);
    json_key(out, "request"), json_bytes(out, m->request.data, m->request.size);
    put_scan(m, out);
    json_key(out, "packages"), (void)buf_add(out, m->lock.data, m->lock.size);
    json_close(out, '}');
    (void)buf_addc(out, '\n');
}

/* The trees that sets name. */
struct named {
    int store;
    struct buf trees; /* TREE_SIZE bytes each, sorted */
    bool is_whole;
};
#define TREE_SIZE (sizeof((struct package_brief *)NULL)->tree)

static bool add_named(void *context, const char *name)
{
    struct named *n = context;
    struct package_brief b;
    const int e = package_set_brief(n->store, name, &b, &(struct error){ 0 });
    if (e == 0)
        (void)buf_add(&n->trees, b.tree, sizeof b.tree);
    n->is_whole = e >= 0; /* one that cannot be read may name any */
    return n->is_whole;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Nothing names it; a run that holds it keeps it until the next removal. */
static void drop_tree(void *context, int store, const char *tree)
{
    const struct buf *named = context;
    char from[80], to[80];
    if (named->size && bsearch(tree, named->data, named->size / TREE_SIZE, TREE_SIZE, by_name))
        return;
    (void)snprintf(from, sizeof from, "trees/%s", tree);
    (void)snprintf(to, sizeof to, "building/%s.gone", tree);
    cleanup(closep) int fd = openat(store, from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && renameat(store, from, store, to) == 0)
        (void)wfile_remove(store, to);
}

/* Calls each() with what is in a directory of the store. */
static void each_entry(int store, const char *dir, void (*each)(void *context, int store, const char *name),
                       void *context)
{
    const int fd = openat(store, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (entry->d_name[0] != '.')
            each(context, store, entry->d_name);
    if (d)
        (void)closedir(d);
    else if (fd >= 0)
        (void)close(fd);
}

/* What a killed builder or remover left: its lock is free. */
static void drop_left(void *context, int store, const char *name)
{
    (void)context;
    char path[300];
    (void)snprintf(path, sizeof path, "building/%s", name);
    cleanup(closep) int fd = openat(store, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)wfile_remove(store, path);
}

/* Each set is read once, however many trees there are: each start of the service does it, under the lock. */
static void drop_trees(int store)
{
    struct named n = { .store = store, .is_whole = true };
    buf_init(&n.trees, 64 * MIB);
    if (package_sets_each(store, add_named, &n, &(struct error){ 0 }) == 0 && n.is_whole && !n.trees.failed) {
        if (n.trees.size)
            qsort(n.trees.data, n.trees.size / TREE_SIZE, TREE_SIZE, by_name);
        each_entry(store, "trees", drop_tree, &n.trees);
    }
    buf_done(&n.trees);
}

static void collect(int store)
{
    drop_trees(store);
    each_entry(store, "building", drop_left, NULL);
}

/* Under the lock: the tree has its place, then the set its name. */
static int publish(struct making *m, struct package_built *ret)
{
    char place[80];
    struct buf text;
    if (begin_step(m, PACKAGE_PUBLISHES) < 0)
        return m->err->code;
    if (syncfs(m->place) < 0) /* before the lock: a disk may take its time, and runs that name a set wait for it */
        return fail(m, -errno, "bring the set to the disk");
    cleanup(closep) int lock = package_store_lock(m->store, true, m->err);
    int e = lock < 0 ? lock : check_owner(m->store, m->order, m->err); /* another tenant may have been faster */
    if (e == 0)
        e = check_room(m->store, m->order, m->tree.bytes, m->err);
    if (e < 0)
        return e;
    (void)snprintf(place, sizeof place, "trees/%s", m->tree.hash);
    ret->is_new = renameat2(m->place, "tree", m->store, place, RENAME_NOREPLACE) == 0;
    if (!ret->is_new && errno != EEXIST)
        return fail(m, -errno, "give the tree its place");
    describe(m, &text);
    e = text.failed ? err_set(m->err, -E2BIG, BLAME_GUEST, "PACKAGES", "the set's description is too large")
                    : package_set_write(m->store, m->order->name, &text, m->err);
    buf_done(&text);
    (void)snprintf(ret->tree, sizeof ret->tree, "%s", m->tree.hash);
    ret->packages = m->packages;
    if (e == 0)
        collect(m->store); /* what the set was before; our own place is locked */
    return e;
}

int package_build(const struct package_host *h, const struct package_order *o, struct package_built *ret,
                  struct error *err)
{
    struct making m = { .host = h, .order = o, .store = -1, .place = -1, .err = err };
    *ret = (struct package_built){ 0 };
    int e = check_name(o, err);
    if (e == 0)
        e = read_text(o, &m.request, err);
    if (e == 0)
        e = open_place(&m);
    if (e == 0)
        e = run_installer(&m);
    if (e == 0)
        e = scan(&m);
    if (e == 0)
        e = publish(&m, ret);
    leave_place(&m);
    buf_done(&m.request);
    buf_done(&m.lock);
    arena_done(&m.arena);
    return e;
}

int package_remove(const struct config *c, const struct paths *p, const char *name, const char *owner,
                   struct error *err)
{
    struct arena a = { 0 };
    struct package_brief b;
    const struct package_order o = { .name = name };
    int e = check_name(&o, err);
    cleanup(closep) int store = e < 0 ? -1 : package_store_open(state_dir(c, p, &a), err);
    cleanup(closep) int lock = store < 0 ? -1 : package_store_lock(store, true, err);
    arena_done(&a);
    if (e < 0 || store < 0 || lock < 0)
        return e < 0 ? e : MIN_OF(store, lock);
    e = package_set_brief(store, name, &b, err);
    if (e == -EBADMSG && !owner)
        e = 0; /* damaged: it can be removed */
    else if (e == 1 || (e == 0 && owner && !str_eq(owner, b.owner)))
        e = err_set(err, -ENOENT, BLAME_CALLER, "PACKAGES", "there is no set %s", name);
    if (e == 0)
        e = package_set_remove(store, name, err);
    if (e == 0)
        collect(store);
    return e;
}

/* --- what is left of builds ------------------------------------------------------------------------------- */

struct order_members {
    struct slice owner, kind;
};
static const struct member order_table[] = { MEMBER("owner", MEMBER_TEXT, struct order_members, owner),
                                             MEMBER("kind", MEMBER_TEXT, struct order_members, kind) };

static bool read_order(int place, struct buf *text, struct order_members *ret)
{
    uint32_t seen = 0;
    cleanup(closep) int fd = openat(place, ORDER, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    buf_init(text, KIB);
    return fd >= 0 && read_open_file(fd, text) == 0 && text->data &&
           members_read(text->data, text->size, order_table, ARRAY_LEN(order_table), ret, &seen) == 0 &&
           seen == (1u << ARRAY_LEN(order_table)) - 1;
}

struct left {
    void (*each)(void *context, const char *name, const char *owner, enum package_kind kind);
    void *context;
};

static void tell_left(void *context, int store, const char *name)
{
    const struct left *l = context;
    char path[300], owner[128];
    struct order_members m = { 0 };
    struct buf text;
    (void)snprintf(path, sizeof path, "building/%s", name);
    cleanup(closep) int fd = openat(store, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || !package_name_is_accepted(name) || flock(fd, LOCK_EX | LOCK_NB) < 0) /* of one that lives */
        return;
    if (read_order(fd, &text, &m) && m.owner.size < sizeof owner) {
        (void)snprintf(owner, sizeof owner, "%.*s", (int)m.owner.size, m.owner.p);
        l->each(l->context, name, owner,
                slice_is(m.kind, package_kind_names[PACKAGE_NODE]) ? PACKAGE_NODE : PACKAGE_PYTHON);
    }
    buf_done(&text);
    (void)wfile_remove(store, path);
}

void package_builds_left(const struct config *c, const struct paths *p,
                         void (*each)(void *context, const char *name, const char *owner, enum package_kind kind),
                         void *context)
{
    struct arena a = { 0 };
    struct left l = { each, context };
    const char *state = state_dir(c, p, &a);
    cleanup(closep) int store = state ? open(arena_printf(&a, "%s/packages", state), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                                      : -1;
    cleanup(closep) int lock = store < 0 ? -1 : package_store_lock(store, true, &(struct error){ 0 });
    if (lock >= 0) {
        each_entry(store, "building", tell_left, &l);
        collect(store);
    }
    arena_done(&a);
}
