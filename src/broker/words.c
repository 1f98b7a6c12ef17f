#include "broker/broker.h"

#include <fcntl.h>
#include <stdio.h>
#include "notify/caller.h"

#define CHUNK (256u * 1024u)
#define FIRST_LOOK_MS 1000u
#define LONGEST_WAIT_MS 30000u

/* Stratum v1 (JSON-RPC over TCP) and the schemes of its URLs: what miners of any coin share. */
static const char *const known[] = {
    "mining.subscribe", "mining.authorize", "mining.submit", "mining.notify", "mining.set_difficulty", "mining.extranonce",
    "stratum+tcp://", "stratum+ssl://", "stratum+tls://", "stratum2+tcp://", "daemon+http://",
};
#define LONGEST_WORD 24u

const char *words_find(const void *data, size_t size)
{
    static const char *const beginnings[] = { "mining.", "stratum", "daemon+" }; /* few: one pass each */
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

void words_note(struct words *w, uint32_t pid, uint64_t now_ms)
{
    pid_t leader = caller_leader(pid);
    uint32_t process = leader > 0 ? (uint32_t)leader : pid;
    for (uint32_t i = 0; i < WORDS_MAX_PIDS; i++)
        if (w->pids[i] == process)
            return;
    w->pids[w->next] = process;
    w->is_told[w->next] = false;
    w->next = (w->next + 1) % WORDS_MAX_PIDS;
    w->wait_ms = FIRST_LOOK_MS;
    w->next_ms = now_ms + w->wait_ms;
}

bool words_want_ticks(const struct words *w)
{
    return w->next_ms != 0;
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

static const char *look_at_range(uint32_t pid, const struct range *r, uint64_t *left)
{
    static char chunk[CHUNK + LONGEST_WORD];
    size_t kept = 0; /* the end of the last chunk: a word may lie across */
    for (uint64_t at = r->from; at < r->to && *left;) {
        size_t want = (size_t)MIN_OF(MIN_OF(r->to - at, (uint64_t)CHUNK), *left);
        ssize_t n = notify_read(pid, at, chunk + kept, want);
        if (n <= 0)
            return NULL;
        *left -= (uint64_t)n;
        at += (uint64_t)n;
        const char *word = words_find(chunk, kept + (size_t)n);
        if (word)
            return word;
        size_t all = kept + (size_t)n;
        kept = MIN_OF(all, (size_t)LONGEST_WORD);
        memmove(chunk, chunk + all - kept, kept);
    }
    return NULL;
}

/* False: the process is gone. */
static bool look_at(uint32_t pid, uint64_t *left, const char **ret_word)
{
    char path[48], line[512];
    (void)snprintf(path, sizeof path, "/proc/%u/maps", pid);
    FILE *f = fopen(path, "re");
    *ret_word = NULL;
    if (!f)
        return false;
    while (!*ret_word && *left && fgets(line, sizeof line, f)) {
        struct range r;
        if (read_range(line, &r))
            *ret_word = look_at_range(pid, &r, left);
    }
    (void)fclose(f);
    return true;
}

void words_tick(struct broker *b, struct words *w, uint64_t now_ms)
{
    uint64_t left = WORDS_MAX_BYTES;
    bool any = false;
    if (!w->next_ms || now_ms < w->next_ms)
        return;
    for (uint32_t i = 0; i < WORDS_MAX_PIDS; i++) {
        const char *word = NULL;
        if (!w->pids[i] || w->is_told[i])
            continue;
        if (!look_at(w->pids[i], &left, &word))
            w->pids[i] = 0;
        any |= w->pids[i] != 0;
        if (!word)
            continue;
        const struct seccomp_notif nobody = { .pid = w->pids[i] };
        struct watch_event e = notify_event(&b->notify, &nobody, WATCH_WORDS);
        e.text = word;
        notify_tell(&b->notify, &e);
        w->is_told[i] = true;
    }
    w->wait_ms = MIN_OF(2 * w->wait_ms, (uint64_t)LONGEST_WAIT_MS);
    w->next_ms = any ? now_ms + w->wait_ms : 0;
}
