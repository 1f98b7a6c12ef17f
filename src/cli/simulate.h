/* simulate.h - a file of simulated runs, as data: what `policy simulate` plays. Pure.
 *
 *   # a comment
 *   stream NAME key=value ...   runs of one agent, or of many
 *   expect NAME key=value ...   what must have become of it at the end
 *
 * docs/trust.md has the keys. A line that cannot be read is an error with its number.
 */
#pragma once
#include "base/base.h"
#include "base/error.h"

enum sim_kind {
    SIM_SUCCESS,
    SIM_ERROR,   /* ends non-zero by itself */
    SIM_TIMEOUT, /* fails in the sandbox */
    SIM_MEMORY,
    SIM_FINDING,    /* completes, and the scan had a finding of high severity */
    SIM_RESTRICTED, /* completes, and its guard refused something meanwhile */
    SIM_ATTEMPT,    /* a layer stopped something hostile */
    SIM_VIOLATION,  /* of high severity */
    SIM_CRITICAL,
    SIM_STOPPED, /* from outside */
    SIM_KINDS
};
extern const char *const sim_kind_names[SIM_KINDS + 1];

#define SIM_STREAMS 64u
#define SIM_EXPECTS 256u
#define SIM_NAME    48u

struct sim_stream {
    char name[SIM_NAME], key[SIM_NAME];
    uint64_t from_ms, every_ms, for_ms;
    uint32_t kinds[SIM_KINDS]; /* shares */
    uint32_t needs[3];         /* shares: of programs that need at least low, medium, high (enum risk_level) */
    uint32_t shapes, size;     /* how many shapes of programs, of how many constructs each */
    uint32_t risk;             /* milli, of the scan */
    uint32_t vouch;            /* milli: an administrator's score at the start; UINT32_MAX: none */
    bool is_same_code, is_new_id_each, is_nameless;
    int asks; /* enum risk_level; -1: nothing */
    uint64_t seed;
};

struct sim_expect {
    uint32_t line, stream;
    char text[128];
    enum {
        EXPECT_GOOD,        /* standing=good: never in quarantine or banned, never refused for its family */
        EXPECT_QUARANTINED, /* quarantined=N: within N runs that a layer saw */
        EXPECT_LEVEL,       /* medium=SHARE: at medium or better so often */
        EXPECT_NOT_STUCK,   /* stuck=no: never at high for 12 hours without a break */
        EXPECT_LOW_AFTER,   /* low=never, or low=after:24h */
        EXPECT_LOW,         /* low=reached */
        EXPECT_TRUST_MAX,   /* trust<=0.5 at the end */
        EXPECT_TRUST_MIN,
        EXPECT_RAN, /* ran=SHARE: so many of the runs that were asked for ran at low, medium or high */
    } what;
    uint64_t number;
};

struct sim_file {
    uint32_t stream_count, expect_count;
    struct sim_stream streams[SIM_STREAMS];
    struct sim_expect expects[SIM_EXPECTS];
};
/* The text of a file; it is changed. */
int sim_read(char *text, struct sim_file *ret, struct error *err);
