#include "broker/broker.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include "notify/caller.h"

#define CHUNK           (256u * 1024u)
#define FIRST_LOOK_MS   1000u
#define LONGEST_WAIT_MS 30000u

/* Stratum v1 (JSON-RPC over TCP) and the schemes of its URLs: what miners of most coins share. */
static const char *const known[] = { "mining.subscribe",      "mining.authorize",  "mining.submit",  "mining.notify",
                                     "mining.set_difficulty", "mining.extranonce", "stratum+tcp://", "stratum+ssl://",
                                     "stratum+tls://",        "stratum2+tcp://",   "daemon+http://", "eth_submitLogin",
                                     "eth_submitWork" };
#define MESSAGE_MAX 1024u /* one of XMRig's is shorter */

/* XMRig's JSON-RPC (Monero's pools and their like) has no word of its own: «job_id» is any queue's, «login» any
 * server's. What is known is a message: what stands beside the member. */
static bool has_one(const char *data, size_t size, const char *const *words)
{
    for (; *words; words++)
        if (memmem(data, size, *words, strlen(*words)))
            return true;
    return false;
}

/* "blob":"0e0eb0f3..." a block to be hashed: 43 bytes at least. That of a store is no long row of hexadecimal digits.
 */
static bool has_block(const char *data, size_t size)
{
    const char *p = memmem(data, size, "\"blob\"", 6), *end = data + size;
    size_t digits = 0;
    for (p = p ? p + 6 : end; p < end && strchr(": \"", *p) && *p; p++)
        ;
    for (; p < end && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f')); p++)
        digits++;
    return digits >= 86;
}

static const char *job_or_submit(const char *data, size_t size)
{
    static const char *const algorithms[] = { "\"seed_hash\"", "\"rx/", "\"cn/", NULL };
    static const char *const work[] = { "\"target\"", "\"nonce\"", NULL };
    static const char *const submits[] = { "\"method\":\"submit\"", "\"method\": \"submit\"", NULL };
    if (has_block(data, size) || (has_one(data, size, algorithms) && has_one(data, size, work)))
        return "job of XMRig's protocol";
    return has_one(data, size, submits) && has_one(data, size, work) ? "submit of XMRig's protocol" : NULL;
}

static const char *login(const char *data, size_t size)
{
    static const char *const algorithms[] = { "\"rx/", "\"cn/", "\"rigid\"", "\"XMRig/", NULL };
    static const char *const ids[] = { "\"pass\"", "\"agent\"", NULL };
    return has_one(data, size, algorithms) && has_one(data, size, ids) ? "login of XMRig's protocol" : NULL;
}

/* "coinbasevalue":625000000 beside a hash: a block that is to be mined, as a node gives it over HTTP (BIP 22). A
 * reader of blocks gets none, and a node's own text has no number behind the name. */
static const char *block_template(const char *data, size_t size)
{
    static const char *const beside[] = { "\"previousblockhash\"", NULL };
    static const char member[] = "\"coinbasevalue\"";
    const char *p = memmem(data, size, member, strlen(member)), *end = data + size;
    for (p = p ? p + strlen(member) : end; p < end && (*p == ':' || *p == ' '); p++)
        ;
    return p < end && *p >= '0' && *p <= '9' && has_one(data, size, beside) ? "block template" : NULL;
}

static const char *find_message(const char *data, size_t size, const char *member,
                                const char *(*judge)(const char *data, size_t size))
{
    const char *p = data, *end = data + size, *word = NULL;
    while (!word && (p = memmem(p, (size_t)(end - p), member, strlen(member)))) {
        const char *from = p - MIN_OF((size_t)(p - data), (size_t)MESSAGE_MAX);
        word = judge(from, (size_t)(p - from) + MIN_OF((size_t)(end - p), (size_t)MESSAGE_MAX));
        p++;
    }
    return word;
}

static const char *find_word(const void *data, size_t size)
{
    static const char *const beginnings[] = { "mining.", "stratum", "daemon+", "eth_submit" }; /* a pass each */
    for (size_t b = 0; b < ARRAY_LEN(beginnings); b++) {
        const char *p = data, *end = p + size;
        while ((p = memmem(p, (size_t)(end - p), beginnings[b], strlen(beginnings[b])))) {
            for (size_t i = 0; i < ARRAY_LEN(known); i++)
                if ((size_t)(end - p) >= strlen(known[i]) && memcmp(p, known[i], strlen(known[i])) == 0)
                    return known[i];
            p++;
        }
    }
    return NULL;
}

const char *words_find(const void *data, size_t size)
{
    const char *word = find_word(data, size);
    if (!word)
        word = find_message(data, size, "\"job_id\"", job_or_submit);
    if (!word)
        word = find_message(data, size, "\"coinbasevalue\"", block_template);
    return word ? word : find_message(data, size, "\"login\"", login);
}

static bool is_noted(const struct words *w, uint32_t pid)
{
    for (uint32_t i = 0; i < WORDS_MAX_PIDS; i++)
        if (w->pids[i] == pid)
            return true;
    return false;
}

void words_note(struct words *w, uint32_t pid, uint64_t now_ms)
{
    if (is_noted(w, pid)) /* fast path: no look into /proc, which would be a third of a connect */
        return;
    pid_t leader = caller_leader(pid);
    uint32_t process = leader > 0 ? (uint32_t)leader : pid;
    if (is_noted(w, process))
        return;
    w->pids[w->next] = process;
    w->is_told[w->next] = false;
    w->next = (w->next + 1) % WORDS_MAX_PIDS;
    w->at = 0;
    w->at_address = w->looked = 0;
    w->wait_ms = 2 * FIRST_LOOK_MS;
    w->next_ms = now_ms + FIRST_LOOK_MS;
}

uint64_t words_due_ms(const struct words *w)
{
    return w->next_ms;
}

/* --- looking --------------------------------------------------------------------------------------------- */

struct range {
    uint64_t from, to;
};

/* A line of /proc/PID/maps: private and readable, and no library of the system, whose text says nothing of its user. */
static bool read_range(const char *line, struct range *ret)
{
    unsigned long long from = 0, to = 0;
    const char *p = line;
    for (; (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'); p++)
        from = from * 16 + (unsigned)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
    if (*p++ != '-')
        return false;
    for (; (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'); p++)
        to = to * 16 + (unsigned)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
    if (p[0] != ' ' || p[1] != 'r' || p[4] != 'p' || strstr(p, " /usr/") || strstr(p, " /lib") || strstr(p, "[v"))
        return false;
    *ret = (struct range){ from, to };
    return to > from;
}

/* Given back when all have been looked at: memory of every sandbox that has a connection. */
static _Alignas(4096) char chunk[CHUNK + MESSAGE_MAX];

/* *at: where to go on. What is kept of a chunk holds the beginning of a message that lies across. */
static const char *look_at_range(uint32_t pid, const struct range *r, uint64_t *left, uint64_t *at)
{
    size_t kept = 0; /* the end of the last chunk: a word may lie across */
    *at = MAX_OF(*at, r->from);
    while (*at < r->to && *left) {
        size_t want = (size_t)MIN_OF(MIN_OF(r->to - *at, (uint64_t)CHUNK), *left);
        ssize_t n = notify_read(pid, *at, chunk + kept, want);
        if (n <= 0)
            break;
        *left -= (uint64_t)n;
        *at += (uint64_t)n;
        const char *word = words_find(chunk, kept + (size_t)n);
        if (word)
            return word;
        size_t all = kept + (size_t)n;
        kept = MIN_OF(all, (size_t)MESSAGE_MAX);
        memmove(chunk, chunk + all - kept, kept);
    }
    if (*left)
        *at = r->to;
    else /* the next slice begins before the cut */
        *at -= MIN_OF((uint64_t)MESSAGE_MAX, *at - r->from);
    return NULL;
}

static enum words_place find_text(const char *data, size_t data_size, const char *text, size_t size)
{
    const char *p = data, *end = data + data_size;
    enum words_place found = WORDS_NOWHERE;
    while ((p = memmem(p, (size_t)(end - p), text, size))) {
        const char *next = p + size;
        if (end - next >= 5 && (*next == '\n' || *next == '\r') && memcmp(next + 1, "```", 3) != 0)
            return WORDS_LINE;
        if (p > data && next < end && p[-1] == '"' && *next == '"')
            found = WORDS_STRING;
        p++;
    }
    return found;
}

enum words_place words_find_text(uint32_t pid, const char *text, size_t size)
{
    char path[48], line[512];
    uint64_t left = WORDS_MAX_BYTES;
    enum words_place found = WORDS_NOWHERE;
    (void)snprintf(path, sizeof path, "/proc/%u/maps", pid);
    FILE *f = fopen(path, "re");
    while (f && found != WORDS_LINE && left && fgets(line, sizeof line, f)) {
        struct range r;
        if (!read_range(line, &r))
            continue;
        size_t kept = 0;
        for (uint64_t at = r.from; at < r.to && left && found != WORDS_LINE;) {
            ssize_t n = notify_read(pid, at, chunk + kept, (size_t)MIN_OF(MIN_OF(r.to - at, (uint64_t)CHUNK), left));
            if (n <= 0)
                break;
            found = MAX_OF(found, find_text(chunk, kept + (size_t)n, text, size));
            left -= (uint64_t)n;
            at += (uint64_t)n;
            size_t all = kept + (size_t)n;
            kept = MIN_OF(all, (size_t)MESSAGE_MAX);
            memmove(chunk, chunk + all - kept, kept);
        }
    }
    if (f)
        (void)fclose(f);
    return found;
}

/* A slice of the process at w->at. True: it has been seen whole, has a word, or is gone. */
static bool look(struct words *w, const char **ret_word)
{
    char path[48], line[512];
    uint64_t left = WORDS_SLICE_BYTES;
    (void)snprintf(path, sizeof path, "/proc/%u/maps", w->pids[w->at]);
    FILE *f = fopen(path, "re");
    if (!f) {
        w->pids[w->at] = 0;
        return true;
    }
    while (!*ret_word && left && fgets(line, sizeof line, f)) {
        struct range r;
        if (read_range(line, &r) && r.to > w->at_address)
            *ret_word = look_at_range(w->pids[w->at], &r, &left, &w->at_address);
    }
    (void)fclose(f);
    w->looked += WORDS_SLICE_BYTES - left;
    return *ret_word || left || w->looked >= WORDS_MAX_BYTES;
}

static void tell(struct broker *b, struct words *w, const char *word)
{
    const struct seccomp_notif nobody = { .pid = w->pids[w->at] };
    struct watch_event e = notify_event(&b->notify, &nobody, WATCH_WORDS);
    e.text = word;
    notify_tell(&b->notify, &e);
    w->is_told[w->at] = true;
}

/* All have been looked at: again later, if any process is left. */
static void rest(struct words *w, uint64_t now_ms)
{
    (void)madvise(chunk, CHUNK, MADV_DONTNEED); /* whole pages: behind them lies what others have */
    bool any = false;
    for (uint32_t i = 0; i < WORDS_MAX_PIDS; i++)
        any |= w->pids[i] && !w->is_told[i];
    w->at = 0;
    w->next_ms = any ? now_ms + w->wait_ms : 0;
    w->wait_ms = MIN_OF(2 * w->wait_ms, (uint64_t)LONGEST_WAIT_MS);
}

void words_tick(struct broker *b, struct words *w, uint64_t now_ms)
{
    const char *word = NULL;
    if (!w->next_ms || now_ms < w->next_ms)
        return;
    while (w->at < WORDS_MAX_PIDS && (!w->pids[w->at] || w->is_told[w->at]))
        w->at++;
    if (w->at == WORDS_MAX_PIDS) {
        rest(w, now_ms);
        return;
    }
    bool is_seen = look(w, &word);
    if (word)
        tell(b, w, word);
    if (is_seen) {
        w->at++;
        w->at_address = w->looked = 0;
    }
    w->next_ms = now_ms + WORDS_SLICE_MS;
}
