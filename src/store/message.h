/* message.h - what sandbox-agent and sandbox-ledger say to each other: one request, one reply, each a message of a
 * SOCK_SEQPACKET pair.
 *
 *   request  u64 enum ledger_request, then the fields of its struct
 *   reply    u64 0, then the fields of its struct; or u64 1 and the fields of struct ledger_failure
 *
 * Every struct is a field table (base/pack.h). What is unpacked borrows from the message and has been checked: required
 * strings are there and not longer than they may be, numbers lie in their ranges, enums are enums. Both ends check.
 */
#pragma once
#include "base/pack.h"
#include "store/service.h"

#define LEDGER_MAX_MESSAGE   (160u * 1024u) /* below the default SO_SNDBUF of 208 KiB */
#define LEDGER_AGENTS_A_PAGE 64u            /* the client asks for as many pages as it takes */
#define LEDGER_KEYS_A_PAGE   32u

enum ledger_request {
    LEDGER_AGENT = 1, /* struct ledger_key -> agent */
    LEDGER_AGENTS,    /* ledger_key (id may be NULL) -> agent_list, one page */
    LEDGER_HISTORY,   /* ledger_key -> trust_history */
    LEDGER_RESERVE,
    LEDGER_SETTLE,
    LEDGER_REFUSE,     /* refusal -> settle_reply */
    LEDGER_STEER,      /* steer -> agent */
    LEDGER_RECOVER,    /* ledger_key (now_ms) -> recovered_list */
    LEDGER_AUDITED,    /* ledger_key -> ledger_number */
    LEDGER_PRUNE,      /* ledger_key (now_ms: before) -> ledger_number: removed */
    LEDGER_ONCE,       /* ledger_key (id: the key) -> ledger_number: taken */
    LEDGER_KEY_ADD,    /* key_row, without last_used_ms and revoked_ms -> ledger_number */
    LEDGER_KEYS,       /* ledger_key (id: behind this one, or NULL) -> key_list, one page; without their hashes */
    LEDGER_KEY_REVOKE, /* ledger_key (id: or name; now_ms) -> ledger_number */
    LEDGER_WHY,        /* ledger_key -> agent_why */
    LEDGER_USAGE,      /* usage_ask -> usage_list, one page */
    LEDGER_COUNTS,     /* reserve, which books nothing -> limit_counts: of the agent's own windows and budgets */
    LEDGER_REQUESTS
};

struct ledger_key {             /* what the small requests need */
    const char *id, *key_id;    /* key_id: of LEDGER_AGENT; NULL: none */
    uint64_t now_ms, window_ms; /* window_ms: of LEDGER_AGENT, how old the answer may be */
};
struct ledger_number {
    uint64_t value;
};
struct ledger_failure {
    uint32_t code; /* errno */
    uint8_t blame;
    const char *step, *text, *remedy;
};

/* One a request: how its struct and its reply travel, and what has to hold. */
struct ledger_form {
    const char *name;
    const struct field *request, *reply;
    size_t request_count, reply_count, request_size, reply_size;
    bool (*is_request)(const void *request); /* after unpacking: strings, lengths */
    bool (*is_reply)(const void *reply);
};
const struct ledger_form *ledger_form(uint64_t request); /* NULL: no such request */

void pack_ledger_request(struct buf *b, enum ledger_request type, const void *request);
void pack_ledger_reply(struct buf *b, enum ledger_request type, const void *reply);
void pack_ledger_failure(struct buf *b, const struct error *err);
/* *ret: a union of all requests, zeroed first. 0 or -EBADMSG. */
union ledger_any_request {
    struct ledger_key key;
    struct reserve reserve;
    struct settle settle;
    struct refusal refusal;
    struct steer steer;
    struct key_row key_row;
    struct usage_ask usage;
};
int unpack_ledger_request(const void *data, size_t size, uint64_t *ret_type, union ledger_any_request *ret);
/* Into a reply of that request's kind. 0; -EBADMSG with err when it is none; or the failure that came, whole, in err.
 */
int unpack_ledger_reply(const void *data, size_t size, enum ledger_request type, void *ret, struct error *err);
/* Copies every string of a struct into the arena, so that the message may go. */
void adopt_strings(const struct field *t, size_t n, void *base, struct arena *a);
