/* hunting.c - privilege_escalation_attempt: a search for the credentials of others, by the arguments of programs.
 *
 * Reading is not asked about (docs/detectors.md), so what is seen is what programs are told: find, grep and their like
 * that look for keys over the whole file system or in all homes, and programs that are to read the places where
 * credentials of others lie. The same search below a project's own directory is a scanner of secrets at work; one file
 * that is read is curiosity, two places of different kinds are a hunt.
 */
#include "watch/detect.h"

#include "base/path.h"
#include "filter/syscalls.h"

struct word {
    const char *p;
    size_t size;
};

/* The next argument, or false. *at: where it begins; moved on. */
static bool next_word(const char **at, struct word *ret)
{
    if (!*at || !**at)
        return false;
    ret->p = *at;
    ret->size = strcspn(*at, (char[]){ WATCH_ARGV_SEPARATOR, '\0' });
    *at += ret->size + ((*at)[ret->size] != '\0');
    return true;
}

/* Behind the program's own word. */
static const char *after_first(const char *argv)
{
    struct word w;
    (void)next_word(&argv, &w);
    return argv;
}

static bool word_is(struct word w, const char *s)
{
    return strlen(s) == w.size && memcmp(w.p, s, w.size) == 0;
}

static bool word_starts(struct word w, const char *s)
{
    return w.size >= strlen(s) && memcmp(w.p, s, strlen(s)) == 0;
}

static bool word_has(struct word w, const char *s)
{
    return memmem(w.p, w.size, s, strlen(s)) != NULL;
}

static bool word_has_one(struct word w, const char *const *list)
{
    for (; *list; list++)
        if (word_has(w, *list))
            return true;
    return false;
}

/* The whole file system, or where others are at home. /etc/ssl and /home/me/project are no such place. */
static bool is_far(struct word w)
{
    static const char *const places[] = { "/",    "/*",   "/root", "/home", "/home/*", "/etc", "/proc", "/var",
                                          "/opt", "/srv", "/mnt",  "/usr",  "/Users",  "/run", "/media" };
    while (w.size > 1 && w.p[w.size - 1] == '/')
        w.size--;
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (word_is(w, places[i]))
            return true;
    return word_starts(w, "/root/");
}

/* Names that only keys and passwords have. Certificates (*.pem) and settings (.env, .npmrc) have many readers. */
static const char *const key_names[] = { "id_rsa",           "id_ed25519", "id_ecdsa",       "id_dsa",      ".netrc",
                                         ".pgpass",          "wallet.dat", ".vault-token",   "logins.json", "key4.db",
                                         ".kube/config",     ".htpasswd",  ".docker/config", "kubeconfig",  ".aws/cred",
                                         ".git-credentials", NULL };
static const char *const loose_names[] = { ".env",  "credential", ".pem",    ".key",   "secret", "password",
                                           "token", ".npmrc",     ".pypirc", "passwd", NULL };
#define LOOSE_ENOUGH 3u

static bool is_key_name(struct word w)
{
    return word_is(w, "shadow") || word_is(w, ".ssh") || word_is(w, ".aws") || word_has_one(w, key_names);
}

/* What keys look like inside. */
static const char *const key_texts[] = { "PRIVATE KEY", "BEGIN RSA",  "BEGIN OPENSSH", "AKIA",        "aws_secret",
                                         "AWS_SECRET",  "ghp_",       "xoxb-",         "xox[",        "sk_live",
                                         "glpat-",      "BEGIN EC P", "AIza",          "BEGIN PGP P", NULL };

/* find ROOTS... -name A -o -name B; fd PATTERN ROOTS; locate PATTERN. What find is told to leave out counts for
 * nothing.
 */
static bool is_search_by_name(const char *argv, bool has_no_root)
{
    bool is_far_root = has_no_root, is_value = false, is_not = false;
    unsigned keys = 0, loose = 0, last = 0;
    struct word w;
    for (const char *at = after_first(argv); next_word(&at, &w);) {
        if (word_is(w, "-prune"))
            keys -= last;
        if (word_is(w, "!") || word_is(w, "-not")) {
            is_not = true;
            continue;
        }
        const bool is_option = word_starts(w, "-");
        is_far_root |= !is_value && is_far(w);
        last = !is_option && !is_not && !is_far(w) && is_key_name(w);
        keys += last;
        loose += !is_option && !is_not && !is_far(w) && word_has_one(w, loose_names);
        is_value = is_option && (word_has(w, "name") || word_has(w, "path"));
        is_not &= is_option;
    }
    return is_far_root && (keys || loose >= LOOSE_ENOUGH);
}

/* grep -r TEXT ROOTS... */
static bool is_search_by_text(const char *name, const char *argv)
{
    static const char *const deep[] = { "rg", "ag", "ack", "rgrep", NULL };
    bool is_far_root = false, is_key = false, is_deep = str_is_one_of(name, deep);
    struct word w;
    for (const char *at = after_first(argv); next_word(&at, &w);) {
        is_far_root |= is_far(w);
        is_deep |= word_is(w, "--recursive") || word_is(w, "--dereference-recursive") ||
                   (w.size > 1 && w.p[0] == '-' && w.p[1] != '-' && (word_has(w, "r") || word_has(w, "R")));
        is_key |= !is_far(w) && word_has_one(w, key_texts);
    }
    return is_far_root && is_key && is_deep;
}

/* Where others' credentials lie: a number for each kind of place; 0: none. */
static unsigned place_of(struct word w)
{
    const bool is_home = word_starts(w, "/root/") || word_starts(w, "/home/");
    if (word_is(w, "/etc/shadow") || word_is(w, "/etc/gshadow") || word_starts(w, "/etc/shadow-"))
        return 1;
    if (is_home && word_has(w, "/.ssh/id_") && !word_has(w, ".pub"))
        return 2;
    if (is_home && word_has(w, "/.aws/cred"))
        return 3;
    if (is_home && (word_has(w, "/.netrc") || word_has(w, "/.git-credentials") || word_has(w, "/.pgpass")))
        return 4;
    if (is_home && (word_has(w, "/.kube/config") || word_has(w, "/.docker/config")))
        return 5;
    if (word_starts(w, "/proc/") && word_has(w, "/environ") && !word_starts(w, "/proc/self/") &&
        !word_starts(w, "/proc/thread-self/"))
        return 6;
    if (word_starts(w, "/run/secrets/kubernetes.io/") || word_starts(w, "/var/run/secrets/kubernetes.io/"))
        return 8;
    if (word_starts(w, "/etc/kubernetes/") && word_has(w, ".conf"))
        return 9;
    return word_starts(w, "/etc/ssh/ssh_host_") && !word_has(w, ".pub") ? 7 : 0;
}

/* cat /root/.ssh/id_rsa: adds to what was read before. */
static unsigned places_read(struct hunting *s, const char *argv)
{
    struct word w;
    for (const char *at = after_first(argv); next_word(&at, &w);)
        s->places |= UINT32_C(1) << place_of(w) & ~UINT32_C(1);
    return (unsigned)__builtin_popcount(s->places);
}

/* ---- metadata of clouds ---- */

/* A kit for one cloud asks its own service, where the machine may have a role. No program is of two clouds, and none
 * of their kits asks for credentials by curl: a script does, which is a hunt where no rule opens the service to it. Its
 * name, zone and the like have honest readers. */
static unsigned cloud_of(const struct watch_event *e)
{
    static const struct {
        uint8_t bytes[4];
        unsigned cloud;
    } services[] = { { { 169, 254, 169, 254 }, 1 },
                     { { 169, 254, 170, 2 }, 1 }, /* Amazon's containers */
                     { { 100, 100, 100, 200 }, 2 },
                     { { 192, 0, 0, 192 }, 3 } };
    for (size_t i = 0; e->family == AF_INET && i < ARRAY_LEN(services); i++)
        if (memcmp(e->address, services[i].bytes, sizeof services[i].bytes) == 0)
            return services[i].cloud;
    return 0;
}

static bool asks_by_hand(const char *argv)
{
    static const char *const hosts[] = { "169.254.169.254",  "169.254.170.2", "100.100.100.200",
                                         "metadata.google.", "fd00:ec2::254", NULL };
    static const char *const keys[] = { "/security-credentials",
                                        "/identity-credentials",
                                        "/oauth2/token",
                                        "/token?",
                                        "/default/token",
                                        "/v2/credentials",
                                        NULL };
    struct word w;
    for (const char *at = after_first(argv); next_word(&at, &w);)
        if (word_has_one(w, hosts) && word_has_one(w, keys))
            return true;
    return false;
}

static bool look_at_connection(struct hunting *s, const struct watch_event *e, struct evidence *ret)
{
    if (s->is_by_hand && cloud_of(e) && e->verdict == WATCH_REFUSED)
        return decided(ret, "a command asked for the credentials of the machine's role, at %s, at %s",
                       shown_peer(e).text, shown_time(e->at_us).text);
    s->clouds |= UINT32_C(1) << cloud_of(e) & ~UINT32_C(1);
    return __builtin_popcount(s->clouds) >= 2 && cloud_of(e) &&
           decided(ret, "process %u asked for the metadata of a second cloud, %s, at %s", e->pid, shown_peer(e).text,
                   shown_time(e->at_us).text);
}

static bool look_at_program(struct hunting *s, const struct watch_event *e, struct evidence *ret)
{
    static const char *const finders[] = { "find", "fd", "fdfind", "bfs", NULL };
    static const char *const books[] = { "locate", "plocate", "mlocate", NULL };
    static const char *const greps[] = { "grep", "egrep", "fgrep", "rgrep", "rg", "ag", "ack", NULL };
    static const char *const readers[] = { "cat", "less", "more", "head", "tail",    "cp",   "tar",     "base64",
                                           "xxd", "od",   "dd",   "awk",  "strings", "sed",  "grep",    "cut",
                                           "tac", "nl",   "zip",  "gzip", "hexdump", "sort", "openssl", NULL };
    static const char *const fetchers[] = { "curl", "wget", "http", "https", "xh", "aria2c", NULL };
    const char *name = path_last(e->text);
    s->is_by_hand |= str_is_one_of(name, fetchers) && asks_by_hand(e->argv);
    if (((str_is_one_of(name, finders) || str_is_one_of(name, books)) &&
         is_search_by_name(e->argv, str_is_one_of(name, books))) ||
        (str_is_one_of(name, greps) && is_search_by_text(name, e->argv)))
        return decided(ret, "process %u searched for credentials over the file system at %s: %s", e->pid,
                       shown_time(e->at_us).text, shown(e->argv).text);
    const uint32_t before = s->places;
    if (!str_is_one_of(name, readers) || places_read(s, e->argv) < 2 || s->places == before)
        return false;
    return decided(ret, "process %u was to read a second place of others' credentials at %s: %s", e->pid,
                   shown_time(e->at_us).text, shown(e->argv).text);
}

/* ---- sockets of what manages the host ---- */

/* A client of containers looks for Docker's socket and for Podman's, wherever they may be, and one of runtimes
 * (crictl) for containerd's, CRI-O's and cri-dockerd's: those are one. No program is a client of three managers. D-Bus
 * and the log have many clients, and are none of these. */
#define MANAGERS 3u
static unsigned manager_of(const char *path)
{
    static const struct {
        const char *end;
        unsigned manager;
    } sockets[] = { { "/docker.sock", 1 },         { "/podman.sock", 2 },      { "/containerd.sock", 3 },
                    { "/crio.sock", 3 },           { "/systemd/private", 5 },  { "/lxd/unix.socket", 6 },
                    { "/incus/unix.socket", 6 },   { "/libvirt-sock", 7 },     { "/buildkitd.sock", 8 },
                    { "/kubelet.sock", 3 },        { "/snapd.socket", 10 },    { "/dockershim.sock", 3 },
                    { "/docker/metrics.sock", 1 }, { "/cri-dockerd.sock", 3 }, { "/containerd.sock.ttrpc", 3 },
                    { "/firecracker.socket", 11 } };
    const size_t size = strlen(path);
    for (size_t i = 0; i < ARRAY_LEN(sockets); i++) {
        const size_t n = strlen(sockets[i].end);
        if (size > n && str_eq(path + size - n, sockets[i].end))
            return sockets[i].manager;
    }
    return 0;
}

static bool look_at_socket(struct hunting *s, const struct watch_event *e, struct evidence *ret)
{
    const unsigned manager = manager_of(e->text);
    s->managers |= UINT32_C(1) << manager & ~UINT32_C(1);
    return manager && (uint32_t)__builtin_popcount(s->managers) >= MANAGERS &&
           decided(ret, "process %u asked for a connection to %s at %s, the third of the host's managers", e->pid,
                   shown(e->text).text, shown_time(e->at_us).text);
}

/* ---- a home that no program of the sandbox has ---- */

#define PLANTED_ENOUGH 2u
static bool look_at_file(struct hunting *s, const struct watch_event *e, struct evidence *ret)
{
    s->places |= UINT32_C(1) << place_of((struct word){ e->text, strlen(e->text) }) & ~UINT32_C(1);
    return (++s->planted >= PLANTED_ENOUGH || __builtin_popcount(s->places) >= 2) &&
           decided(ret,
                   "a second file of credentials in the homes of others was read by %s, %s: planted there, and no "
                   "program of this sandbox has a home there",
                   shown_time(e->at_us).text, shown(e->text).text);
}

bool hunting_feed(struct hunting *s, const struct watch_event *e, struct evidence *ret)
{
    if (e->kind == WATCH_CALL)
        return (int)e->nr == NR_connect && e->text && look_at_socket(s, e, ret);
    if (e->kind == WATCH_CONNECT)
        return look_at_connection(s, e, ret);
    if (e->kind == WATCH_FILE)
        return e->flags & WATCH_OF_OTHERS && e->text && look_at_file(s, e, ret);
    return e->kind == WATCH_EXEC && !e->error && e->text && e->argv && look_at_program(s, e, ret);
}
