/* detect.h - between watch.c and the detectors: one function each over (its state, an event, the profile's thresholds).
 *
 * A detector returns true when this event decides it, and has then said in `e` which events those were. It is not asked
 * again. All state is of fixed size: what a run can make us remember is bounded, and where a table is full the entry is
 * given up that matters least. Times are of the events; an event that comes a little late (launcher and broker both
 * tell) counts as if it were on time.
 */
#pragma once
#include "watch/watch.h"

#include <netinet/in.h>

/* ---- words (words.c) ---- */

struct evidence {
    char text[WATCH_EVIDENCE_MAX];
};
/* Fills e (once) and returns true. Leaves room for the process, which watch.c adds (family.c). */
#define EVIDENCE_WORDS_MAX 400u
bool decided(struct evidence *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* What a text of the sandbox's looks like in evidence: control characters as \xNN, the separator of arguments a space,
 * cut at its end. */
struct shown {
    char text[96];
};
struct shown shown(const char *text);                 /* NULL: «?» */
struct shown shown_peer(const struct watch_event *e); /* «name (address:port)» or «address:port» */
struct shown shown_time(uint64_t at_us);              /* «12.345 s» */
struct shown shown_bytes(uint64_t n);                 /* «5120 bytes», «32 MiB» */

/* The rule of a CONNECT. «allow api.example.com:443», «allow 192.0.2.7/32» mean this peer. One for many (a wildcard, a
 * block of addresses), or none at all, names no peer. */
bool rule_names_peer(const char *rule);
/* network.allow is empty: every public address is permitted, so no rule could name the peer. */
bool rule_is_open(const char *rule);

/* The same address, name or text gives the same number. */
uint64_t watch_hash(const void *data, size_t size);
uint64_t watch_hash_host(const struct watch_event *e);
/* A peer that closed has said so many bytes at most: its FIN counts as one (tcpi_bytes_received). */
#define SAID_NOTHING_MOST 1u
/* A connection to the world, allowed or not: not to the sandbox's own loopback. */
static inline bool is_outward(const struct watch_event *e)
{
    return !(e->flags & WATCH_INSIDE);
}
static inline uint64_t elapsed_us(uint64_t now, uint64_t then)
{
    return now > then ? now - then : 0;
}

/* ---- which process it was (family.c) ---- */

#define FAMILY_MAX 64u
struct family { /* processes that were told of last, and whose connections are whose */
    struct relative {
        uint32_t pid, inside, parent;
        char name[24];
    } of[FAMILY_MAX];
    uint32_t count;
    struct caller_of {
        uint64_t connection;
        uint32_t pid;
    } callers[FAMILY_MAX];
    uint32_t caller_count;
};
void family_note(struct family *f, const struct watch_event *e);
/* Adds the event's process to e: «; by cat (5 inside, 4711 outside), started by bash (2, 4708)». Nothing where it is
 * not known: a sample is the whole run's. */
void family_tell(const struct family *f, const struct watch_event *e, struct evidence *ret);

/* ---- what happened within a window (window.c) ---- */

#define RATE_SLOTS 16u
struct rate {      /* a sum over the last window, forgotten in sixteenths of it */
    uint64_t slot; /* the newest: at_us / (window / 16) */
    uint64_t n[RATE_SLOTS];
};
/* Adds n now; returns the sum over the window. */
uint64_t rate_add(struct rate *r, uint64_t at_us, uint64_t window_ms, uint64_t n);

#define CPU_POINTS 34u
struct cpu_window { /* CPU time at points a 32nd of the window apart */
    struct {
        uint64_t at_us, cpu_us;
    } point[CPU_POINTS];
    uint32_t first, count;
};
/* Share of the allowed CPU since the window began, in thousandths; -1: the window is not full yet. */
int64_t cpu_window_add(struct cpu_window *w, const struct watch_event *e, uint64_t window_ms, uint32_t cpu_milli);

/* ---- the detectors ---- */

struct mining {
    struct cpu_window cpu;
    bool has_run_begun; /* the first program of a run is the run's own */
    uint64_t built[16]; /* hashes of the names of what compilers were told to make, the newest */
    uint32_t built_count;
    bool has_words; /* of a pool's protocol */
    int64_t share;
    struct shown hint;    /* what else points to mining; "" */
    struct shown program; /* from a writable place; "" */
    struct quiet {        /* a connection that lasts and says little: what a miner's looks like */
        uint64_t id, since_us, bytes_out, bytes_in;
        struct shown peer;
    } quiet[64];
};
bool detect_mining(struct mining *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

#define SCAN_TARGETS (4 * WATCH_MAX_TARGETS)
struct scanning {
    struct target {
        uint32_t host, what; /* hash of the address; port and protocol */
        uint32_t at_ms;
        uint8_t kind;
        bool is_silent; /* refused, or closed with nothing said: remembered for the whole run */
    } target[SCAN_TARGETS];
    uint32_t count;
    uint64_t probes; /* short conversations with proxies, numbered to be targets each */
};
bool detect_scanning(struct scanning *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

#define EXFIL_CONNECTIONS  256u
#define EXFIL_DESTINATIONS 128u
#define EXFIL_DOMAINS      12u
#define EXFIL_NAMES        (4 * WATCH_MAX_NAMES)
#define EXFIL_CARRIERS     32u
struct exfiltration {
    struct flow {
        uint64_t id, bytes, bytes_in; /* of this connection so far */
        uint64_t before;              /* of bytes: when settings were first read */
        bool is_unnamed;  /* neither a name nor a rule of its own leads to it; made after settings were read */
        bool is_stranger; /* no rule names it */
        bool is_settings; /* it lived when settings were read, or was made after that */
    } flow[EXFIL_CONNECTIONS];
    uint32_t flow_count;
    struct destination {
        uint64_t host, bytes, bytes_in;
        bool is_named;
    } destination[EXFIL_DESTINATIONS];
    uint32_t destination_count;
    uint64_t total;
    struct shown secret; /* the sensitive file that was read; "" */
    uint64_t secret_us;
    bool is_canary;
    struct domain {
        uint64_t hash, last_us;
        struct {
            uint32_t hash, at_ms;
            uint8_t kind;
            bool is_after_secret;
            uint8_t size; /* of its labels that are dense code */
        } name[EXFIL_NAMES];
        uint32_t count;
    } domain[EXFIL_DOMAINS];
    uint32_t domain_count;
    struct carrier { /* programs that were started with a pipe; the newest */
        uint64_t in, out;
        bool has_secret, is_sender;
        struct shown name;
    } carrier[EXFIL_CARRIERS];
    uint32_t carrier_count;
    struct shown settings; /* a file of credentials that programs open by themselves, the first; "" */
    uint64_t settings_us, settings_size;
    uint64_t settings_id[8]; /* of the newest */
    uint32_t settings_count;
    uint64_t settings_line[8]; /* hashes of a line of each */
    uint64_t one_way;          /* bytes to peers that no rule names and that said nothing, since */
    uint64_t taken;            /* bytes to such peers in the whole run, whatever was opened */
};
enum { NAME_PLAIN, NAME_PIECE, NAME_CODED }; /* labels.c */
bool labels_feed(struct exfiltration *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);
/* carriers.c: true: this program sends, or hands to one that sends, a file of secrets; *ret: in words. */
bool carriers_feed(struct exfiltration *s, const struct watch_event *e, struct shown *ret);
bool detect_exfiltration(struct exfiltration *s, const struct watch_event *e, const struct profile *p,
                         struct evidence *ret);

#define SUSPICION_FLOWS 64u
#define SUSPICION_PEERS 32u
struct suspicion {
    struct shown key; /* the private key that was opened; "" */
    uint64_t key_us, key_size;
    uint64_t ssh_us; /* when ssh or one of its family was started last */
    struct peers {   /* those that were talked with before that, and since; the newest */
        struct peer {
            uint64_t hash, out, in;
        } of[SUSPICION_PEERS];
        uint32_t count;
    } before, since;
    struct stranger { /* connections to peers that no rule names, the newest */
        uint64_t id, out, in;
    } flow[SUSPICION_FLOWS];
    uint32_t flow_count;
};
bool detect_suspicion(struct suspicion *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

struct shells {
    bool has_run_begun;
    uint64_t own[3]; /* inodes of the run's own standard streams */
    struct talk {    /* connections to outside */
        uint64_t id;
        uint32_t pid;
        bool is_open, is_named;   /* named: by a rule that means this peer and no other */
        bool is_unlisted;         /* network.allow is empty */
        uint64_t in, taken;       /* bytes from the peer, and how many of them before the last command */
        uint64_t spare, spare_us; /* what came before a command that it was not, and when that was */
        struct commands {         /* that were started, and came with as many bytes as they have, and `more` */
            int64_t more;
            uint32_t count, first;     /* first: the length of one of them */
            bool has_two;              /* lengths */
        } shell, direct, line, string; /* by sh -c; without a shell; by sh -c, from a line or a string in memory */
        struct shown peer;
    } talk[48];
    uint32_t talk_count; /* of all; those that are open are kept, and of these the newest */
    struct process {     /* programs that were executed last, and the pipes they hold */
        uint64_t in, out;
        uint32_t pid;
        bool is_shell; /* waits for commands on its standard input */
        struct shown name;
    } process[64];
    uint32_t process_count;
    struct as_came { /* processes that are about to execute such a line or string, the newest */
        uint32_t pid;
        bool is_string;
    } as_came[4];
    uint32_t next_as_came;
    struct feed { /* shells whose input comes from a process that has a connection */
        uint64_t connection, in, out, written;
        uint32_t pid, turns;
        struct commands way[2]; /* the holder's writes to the peer counted, not counted */
    } feed[8];
    uint32_t next_feed;
    struct fed { /* sockets that programs were started on */
        uint64_t id;
        uint32_t pid, count; /* of processes: execvp() asks for every directory of PATH */
    } fed[8];
    uint32_t next_fed;
    struct order { /* the texts of TXT records, the newest */
        char text[256];
        struct shown name;
        bool is_run;
    } order[6];
    uint32_t next_order;
};
/* orders.c: true: what a program is told to do stood in an answer of the name service. */
bool orders_feed(struct shells *s, const struct watch_event *e, struct evidence *ret);
bool detect_shells(struct shells *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

struct nothing {
    char none;
};
bool detect_network(struct nothing *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

struct hunting {
    uint32_t planted;                  /* files of others' homes that were read */
    uint32_t places, clouds, managers; /* a bit each: of credentials, of metadata, of the host's managers; that were
                                          asked for */
    bool is_by_hand;                   /* a command asks a machine's metadata for credentials */
};
bool hunting_feed(struct hunting *s, const struct watch_event *e, struct evidence *ret);
bool detect_privilege(struct hunting *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

struct calls {
    struct rate refused;
    uint32_t rings; /* io_uring_setup, as libuv asks for it */
};
bool detect_calls(struct calls *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

struct forks {
    struct rate hits;
    uint64_t last; /* pids.events so far */
    bool has_last;
    uint64_t at_limit;  /* hits since there were clearly fewer processes than allowed */
    uint64_t in_window; /* hits, by the last event */
    uint64_t askers;    /* processes that met it, where that is known */
    struct rate made;
    uint64_t made_last; /* processes so far */
};
bool detect_forks(struct forks *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

struct cpu_use {
    struct cpu_window window;
    bool is_starting; /* an interpreter: what it uses does not count */
    bool has_sample;
    uint64_t start_us, before_us; /* CPU time that its start may take; and that was used before, as in a session */
};
bool detect_cpu(struct cpu_use *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);

struct fullness {
    uint64_t since_us;
    uint32_t samples; /* in a row at or above the share */
};
bool detect_memory(struct fullness *s, const struct watch_event *e, const struct profile *p, struct evidence *ret);
