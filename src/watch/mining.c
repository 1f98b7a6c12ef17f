/* mining.c - crypto_mining: CPU for long, and something that says what for.
 *
 * CPU alone is numpy, a compiler, a checksum. It is measured as what the run used and what its threads waited for: on a
 * machine that others use, too, a miner takes all that it gets. What else points to mining, each enough beside much of
 * it:
 *  - words of a pool's protocol in the memory of a process that burns CPU (WATCH_WORDS): also an interpreted or renamed
 * miner's, also below TLS, whatever the port;
 *  - the address of a pool in a program's arguments, or options that miners have and others do not;
 *  - a name that was asked for, or connected to, which is a pool's;
 *  - a program that was started from a writable place, beside a connection to outside that lasts and says little in
 * both directions: what a miner's connection looks like, and a download's does not. The run's own first program is no
 * such program: a compiled language's is always from there. Nor is what a compiler of this run was told to make: a
 * simulation that tells its progress looks the same.
 *
 * Where the protocol's words lie in memory and such a connection has lasted the window, an eighth of the share is
 * enough: a miner may pause to look idle.
 */
#include "watch/detect.h"

#include <stdio.h>
#include <strings.h>

#include "base/path.h"

/* Pools by their domain, with everything below it. From the pools' own pages; the list is for the lazy: a process that
 * brings a domain of his own is known by his protocol. */
static const char *const pool_domains[] = {
    "minexmr.com",    "supportxmr.com",  "nanopool.org",   "nicehash.com",     "moneroocean.stream",
    "hashvault.pro",  "2miners.com",     "f2pool.com",     "ethermine.org",    "herominers.com",
    "unmineable.com", "c3pool.com",      "c3pool.org",     "xmrpool.eu",       "monerohash.com",
    "antpool.com",    "viabtc.com",      "slushpool.com",  "pool.braiins.com", "hiveon.net",
    "hiveon.com",     "flexpool.io",     "woolypooly.com", "zpool.ca",         "miningpoolhub.com",
    "prohashing.com", "kryptex.network", "rplant.xyz",     "mining-dutch.nl",  "zergpool.com",
    "ckpool.org",     "luckpool.net",    "minergate.com",  "dwarfpool.com",    "suprnova.cc",
    "crypto-pool.fr", "poolin.com",      "xmrig.com",      "coinhive.com",     "gulf.moneroocean.stream",
    "k1pool.com",     "aionpool.tech",   "ravenminer.com", "p2pool.observer",  "public-pool.io"
};

static bool is_below(const char *name, size_t size, const char *domain)
{
    size_t n = strlen(domain);
    return size >= n && strncasecmp(name + size - n, domain, n) == 0 && (size == n || name[size - n - 1] == '.');
}

static bool is_pool(const char *name)
{
    static const char *const starts[] = {
        "stratum", "xmr-", "xmr.", "monero-pool", "xmrpool", "miningpool"
    }; /* of a label */
    size_t size = name ? strlen(name) : 0;
    if (size && name[size - 1] == '.')
        size--;
    for (size_t i = 0; size && i < ARRAY_LEN(pool_domains); i++)
        if (is_below(name, size, pool_domains[i]))
            return true;
    for (const char *label = name; label && size; label = strchr(label, '.') ? strchr(label, '.') + 1 : NULL)
        for (size_t i = 0; i < ARRAY_LEN(starts); i++)
            if (strncasecmp(label, starts[i], strlen(starts[i])) == 0)
                return true;
    return false;
}

/* A URL scheme of pools, or options of miners, anywhere in the arguments. */
static bool has_miner_words(const char *argv)
{
    static const char *const words[] = { "stratum+",   "stratum1+",      "stratum2+",  "stratums://",
                                         "stratum://", "--donate-level", "--nicehash", "--rig-id",
                                         "--randomx-", "--algo=randomx", "--algo=rx/", "--algo=cryptonight",
                                         "--algo=cn/", "--coin=monero",  "--coin=xmr" };
    static const char *const pairs[] = { "--algo\x1frandomx",
                                         "--algo\x1frx/",
                                         "--algo\x1f"
                                         "cn/",
                                         "--algo\x1f"
                                         "cryptonight",
                                         "-a\x1frx/",
                                         "-a\x1frandomx",
                                         "-a\x1f"
                                         "cryptonight",
                                         "--coin\x1fmonero",
                                         "--coin\x1fxmr",
                                         "--algo\x1fsha256d",
                                         "-a\x1fsha256d",
                                         "--algo\x1fyespower" };
    for (size_t i = 0; argv && i < ARRAY_LEN(words); i++)
        if (strcasestr(argv, words[i]))
            return true;
    for (size_t i = 0; argv && i < ARRAY_LEN(pairs); i++)
        if (strcasestr(argv, pairs[i]))
            return true;
    return false;
}

static void hint(struct mining *s, const char *what, struct shown who, uint64_t at_us)
{
    const struct shown when = shown_time(at_us);
    if (s->hint.text[0])
        return;
    s->hint = shown(what);
    const size_t n = strlen(s->hint.text), most = sizeof s->hint.text - n - strlen(when.text) - sizeof "  at ";
    const bool is_cut = strlen(who.text) > most; /* and seen to be: half of a host's name is another host's */
    (void)snprintf(s->hint.text + n, sizeof s->hint.text - n, " %.*s%s at %s", (int)(is_cut ? most - 3 : most),
                   who.text, is_cut ? "..." : "", when.text);
}

/* A miner's connection says something about every share that it finds: some hundred bytes, in minutes. A MiB is a file.
 */
#define QUIET_BYTES MIB

/* A free place, or that of the youngest: what has lasted is what is looked for. */
static struct quiet *quiet_place(struct mining *s)
{
    struct quiet *youngest = &s->quiet[0];
    for (size_t i = 0; i < ARRAY_LEN(s->quiet); i++) {
        if (!s->quiet[i].id)
            return &s->quiet[i];
        if (s->quiet[i].since_us > youngest->since_us)
            youngest = &s->quiet[i];
    }
    return youngest;
}

static void look_at_traffic(struct mining *s, const struct watch_event *e, uint64_t window_ms)
{
    for (size_t i = 0; i < ARRAY_LEN(s->quiet); i++) {
        struct quiet *q = &s->quiet[i];
        if (!q->id || q->id != e->connection)
            continue;
        q->bytes_out = e->bytes_out;
        q->bytes_in = e->bytes_in;
        if (e->bytes_out + e->bytes_in > QUIET_BYTES || e->kind == WATCH_CLOSED)
            q->id = 0;
        else if (s->program.text[0] && e->bytes_out && e->bytes_in &&
                 elapsed_us(e->at_us, q->since_us) >= window_ms * 1000)
            hint(s, s->program.text, q->peer, e->at_us);
        return;
    }
}

/* A connection that has lasted the window, and was talked over in both directions. */
static const struct quiet *lasting(const struct mining *s, uint64_t now_us, uint64_t window_ms)
{
    for (size_t i = 0; i < ARRAY_LEN(s->quiet); i++) {
        const struct quiet *q = &s->quiet[i];
        if (q->id && q->bytes_out && q->bytes_in && elapsed_us(now_us, q->since_us) >= window_ms * 1000)
            return q;
    }
    return NULL;
}

/* TRAFFIC comes when there is traffic; that nothing was said for long is seen here. */
static void look_at_quiet(struct mining *s, const struct watch_event *e, uint64_t window_ms)
{
    const struct quiet *q = s->program.text[0] ? lasting(s, e->at_us, window_ms) : NULL;
    if (q)
        hint(s, s->program.text, q->peer, e->at_us);
}

static bool is_compiler(const char *path)
{
    static const char *const names[] = { "cc",       "c++", "gcc",     "g++",    "clang", "clang++", "tcc",  "gfortran",
                                         "collect2", "ld",  "ld.gold", "ld.lld", "rustc", "go",      "link", "nvcc" };
    const char *name = path_last(path ? path : "");
    size_t n = strlen(name);
    while (n > 1 && strchr("0123456789.-", name[n - 1])) /* «x86_64-linux-gnu-gcc-12» */
        n--;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t k = strlen(names[i]);
        if (n >= k && memcmp(name + n - k, names[i], k) == 0 && (n == k || name[n - k - 1] == '-'))
            return true;
    }
    return false;
}

/* By the last part of its name: what is built in one place is moved to another. */
static uint64_t hash_of_name(const char *path, size_t size)
{
    size_t at = size;
    while (at && path[at - 1] != '/')
        at--;
    return watch_hash(path + at, size - at);
}

/* What a compiler or linker is told to write: -o FILE, --crate-name NAME; without it a.out, or the name of the Rust
 * source. */
static void note_built(struct mining *s, const struct watch_event *e)
{
    const char *p = e->argv ? e->argv : "", *end;
    bool is_next = false;
    s->built[s->built_count++ % ARRAY_LEN(s->built)] = hash_of_name("a.out", 5);
    for (;; p = end + 1) {
        end = p + strcspn(p, (char[]){ WATCH_ARGV_SEPARATOR, '\0' });
        size_t n = (size_t)(end - p);
        bool is_rust = n > 3 && memcmp(end - 3, ".rs", 3) == 0;
        if (is_next || is_rust)
            s->built[s->built_count++ % ARRAY_LEN(s->built)] = hash_of_name(p, is_rust ? n - 3 : n);
        is_next = (n == 2 && memcmp(p, "-o", 2) == 0) || (n == 12 && memcmp(p, "--crate-name", 12) == 0);
        if (!*end)
            break;
    }
}

static bool was_built(const struct mining *s, const struct watch_event *e)
{
    const uint64_t hash = e->text ? hash_of_name(e->text, strlen(e->text)) : 0;
    for (size_t i = 0; i < MIN_OF(s->built_count, (uint32_t)ARRAY_LEN(s->built)); i++)
        if (s->built[i] == hash)
            return true;
    return false;
}

static void look_at_program(struct mining *s, const struct watch_event *e)
{
    if (is_compiler(e->text) && !e->error && !(e->flags & WATCH_WRITABLE_PLACE))
        note_built(s, e);
    if (has_miner_words(e->argv))
        hint(s, "a miner's arguments,", shown(e->argv), e->at_us);
    if ((e->flags & WATCH_WRITABLE_PLACE) && s->has_run_begun && !s->program.text[0] && !was_built(s, e)) {
        s->program = (struct shown){ "" };
        (void)snprintf(s->program.text, sizeof s->program.text, "%.30s, started from a writable place, beside",
                       shown(e->text).text);
    }
    s->has_run_begun = true;
}

/* What was used, and what the threads waited for while others had the processor. */
static int64_t wanted(struct mining *s, const struct watch_event *e, uint64_t window_ms, uint32_t cpu_milli)
{
    struct watch_event both = *e;
    both.cpu_us += MIN_OF(e->args[1], UINT64_MAX - both.cpu_us);
    int64_t share = cpu_window_add(&s->cpu, &both, window_ms, cpu_milli);
    return MIN_OF(share, (int64_t)1000);
}

bool detect_mining(struct mining *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint64_t window = p->detectors.crypto_mining.window;
    switch (e->kind) {
    case WATCH_SAMPLE:
        s->share = wanted(s, e, window, p->resources.cpu);
        look_at_quiet(s, e, window);
        break;
    case WATCH_EXEC:
        look_at_program(s, e);
        break;
    case WATCH_WORDS:
        s->has_words = true;
        hint(s, "words of a mining protocol in memory,", shown(e->text), e->at_us);
        break;
    case WATCH_NAME:
        if (is_pool(e->name))
            hint(s, "a pool's name was asked for,", shown(e->name), e->at_us);
        break;
    case WATCH_CONNECT:
        if (is_pool(e->name))
            hint(s, "a connection to a pool,", shown_peer(e), e->at_us);
        if (is_outward(e) && e->connection)
            *quiet_place(s) = (struct quiet){ e->connection, e->at_us, 0, 0, shown_peer(e) };
        break;
    case WATCH_TRAFFIC:
    case WATCH_CLOSED:
        look_at_traffic(s, e, window);
        break;
    default:
        break;
    }
    if (!s->hint.text[0] || !s->cpu.count)
        return false;
    const uint64_t most = p->detectors.crypto_mining.cpu_share;
    const struct quiet *q = s->has_words && s->share < (int64_t)most ? lasting(s, e->at_us, window) : NULL;
    if (s->share < (int64_t)(q ? most / 8 : most))
        return false;
    return decided(ret, "%u%% of the allowed CPU was used or waited for over %s or longer, until %s, and %s%s%s",
                   (unsigned)(s->share / 10), shown_time(window * 1000).text, shown_time(e->at_us).text, s->hint.text,
                   q ? ", beside a connection that lasts, to " : "", q ? q->peer.text : "");
}
