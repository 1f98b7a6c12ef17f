/* dns.h - messages of the domain name system: read strictly, written from typed values. Pure: no I/O, no clock, no
 * allocation.
 *
 * The resolver (src/broker) stands between a sandbox and the real servers. Neither side's bytes ever reach the other: a
 * program's question becomes a struct dns_query, from which our own question is written; a server's answer becomes a
 * struct dns_answer, from which the program's answer is written. What is not understood is not passed on.
 *
 *  - Names are kept as they travel, uncompressed: lengths and labels, at most 255 bytes, the empty label last.
 *  - A compression pointer must point before everything that was read of the name so far; so each is followed at most
 * once.
 *  - The end of a message must be the end of the data.
 *  - Only types whose rdata we can read are read (dns_is_known): A, AAAA, CNAME, NS, PTR, MX, SRV, SOA, TXT. Names in
 * rdata are put into lower case: the case of letters is ours to choose (see dns_mix_case) and would carry bits
 * otherwise.
 */
#pragma once
#include "net/rules.h"

#define DNS_NAME_MAX    255
#define DNS_CHAIN_MAX   8    /* CNAMEs on the way to an answer */
#define DNS_RECORDS_MAX 64   /* of an answer, the chain included; what is beyond is left out */
#define DNS_POOL_MAX    8192 /* bytes of rdata */
#define DNS_ASK_MAX     320  /* a question of ours: header, name, type, class, OPT */
#define DNS_UDP_SIZE    1232 /* what we say that we can take: no fragments (DNS flag day 2020) */

enum dns_type {
    DNS_A = 1,
    DNS_NS = 2,
    DNS_CNAME = 5,
    DNS_SOA = 6,
    DNS_PTR = 12,
    DNS_MX = 15,
    DNS_TXT = 16,
    DNS_AAAA = 28,
    DNS_SRV = 33,
    DNS_OPT = 41,
    DNS_SVCB = 64,
    DNS_HTTPS = 65,
    DNS_ANY = 255
};
enum dns_rcode {
    DNS_NOERROR = 0,
    DNS_FORMERR = 1,
    DNS_SERVFAIL = 2,
    DNS_NXDOMAIN = 3,
    DNS_NOTIMP = 4,
    DNS_REFUSED = 5,
    DNS_BADVERS = 16
};

struct dns_name {
    uint8_t size; /* with the empty label; 0: none */
    uint8_t wire[DNS_NAME_MAX];
};
/* «www.example.org», with or without a dot at the end; "." is the root. -EINVAL: too long, or an empty label. */
int dns_name_from_text(const char *text, struct dns_name *ret);
/* In lower case, without the dot at the end. False: there are bytes that no name of a host or service has (a «?» stands
 * for each). */
bool dns_name_text(const struct dns_name *n, char out[static NET_NAME_MAX]);
bool dns_name_equal(const struct dns_name *a, const struct dns_name *b); /* whatever the case */
void dns_name_lower(struct dns_name *n);
/* Each letter's case by one bit of the random bytes: an answer that was not made from our question does not know them.
 */
void dns_mix_case(struct dns_name *n, const uint8_t random[static DNS_NAME_MAX / 8 + 1]);
/* True: the name is the whole reverse name of an address (4.3.2.1.in-addr.arpa, or 32 digits and ip6.arpa). name: as
 * dns_name_text writes it. */
bool dns_reverse_address(const char *name, struct net_address *ret);

struct dns_question { /* class IN always */
    struct dns_name name;
    uint16_t type;
};

/* What a program asks. */
struct dns_query {
    uint16_t id;
    bool recursion_desired, has_edns;
    uint16_t udp_size;            /* what the program can take: 512 without EDNS */
    struct dns_question question; /* size of the name 0: it could not be read */
};
/* 0: a question that can be answered. Positive: the rcode to refuse it with; *ret can be given to dns_answer_write.
 * -EBADMSG: no question at all, nothing to be answered (two servers would answer each other for ever). */
int dns_query_read(const uint8_t *data, size_t size, struct dns_query *ret);

/* What we ask a server. */
struct dns_ask {
    uint16_t id;
    bool has_edns;
    struct dns_question question;
};
size_t dns_ask_write(const struct dns_ask *a, uint8_t out[static DNS_ASK_MAX]);

struct dns_record {
    uint16_t type, size;
    uint32_t ttl_s, at; /* rdata: size bytes at pool[at], names uncompressed */
};
/* An answer: CNAMEs first, each owned by the target of the one before (the first by the name that was asked for), then
 * records of the type that was asked for, owned by the last target. */
struct dns_answer {
    uint8_t rcode;
    uint8_t chain;           /* so many of the records are CNAMEs on the way */
    uint16_t count;          /* of all records */
    uint32_t negative_ttl_s; /* how long «there is nothing» holds: by the SOA; 0: it does not say */
    struct dns_record records[DNS_RECORDS_MAX];
    uint32_t used;
    uint8_t pool[DNS_POOL_MAX];
};
/* 0: the answer to what was sent.
 * -EAGAIN: an answer to something else, or none: wait on.   -EPROTO: to our question, with its letters' case lost: not
 * to be trusted by UDP. -EMSGSIZE: truncated.   -EBADMSG: ours, and damaged or beyond our bounds. */
int dns_answer_read(const uint8_t *data, size_t size, const struct dns_ask *sent, struct dns_answer *ret);

bool dns_is_known(uint16_t type);
/* An answer without records. */
void dns_answer_clear(struct dns_answer *a, uint8_t rcode);
void dns_answer_add_address(struct dns_answer *a, const struct net_address *address, uint32_t ttl_s);
/* The address of an A or AAAA record; false for others. */
bool dns_record_address(const struct dns_answer *a, size_t i, struct net_address *ret);
/* The name that the i-th CNAME leads to. */
struct dns_name dns_record_target(const struct dns_answer *a, size_t i);
/* Leaves the records out for which keep[i] is false. */
void dns_answer_keep(struct dns_answer *a, const bool keep[static DNS_RECORDS_MAX]);
/* Seconds until the first record ends; negative_ttl_s where there are none. */
uint32_t dns_answer_ttl(const struct dns_answer *a);
/* Seconds that have gone by since it was read. */
void dns_answer_age(struct dns_answer *a, uint32_t seconds);

/* Writes the answer for a program: its id, its question as it wrote it, the records. Where they need more than max
 * bytes (and, for is_udp, more than the program can take) it is marked as truncated, with as many whole records as
 * there is room for: musl before 1.2.4 cannot ask by TCP and takes these. why: told with EDNS as an extended error (RFC
 * 8914) in words, or NULL. Size; at least 12, max must be at least 512. */
size_t dns_answer_write(const struct dns_query *q, const struct dns_answer *a, const char *why, bool is_udp,
                        uint8_t *out, size_t max);
