/* words.h - words of mining protocols in the memory of processes that have a connection to outside.
 *
 * What a sandbox sends goes over its own socket, and may be encrypted: no process reads along. But a miner's protocol
 * is text that it composes and parses, so its memory holds the words, whatever the port, the transport and the
 * program's name. Looked at seldom (after 1, 3, 7, 15 ... seconds, then every 30), boundedly (WORDS_MAX_BYTES of each
 * process) and in slices, since calls wait meanwhile; only where the profile recognises crypto_mining. By itself a word
 * is no violation: the detector wants sustained CPU beside it.
 */
#pragma once
#include "base/base.h"

struct broker;

#define WORDS_MAX_PIDS    16u
#define WORDS_MAX_BYTES   (96u * 1024u * 1024u) /* node maps 80, its stack behind them */
#define WORDS_SLICE_BYTES (4u * 1024u * 1024u)  /* less than a millisecond */
#define WORDS_SLICE_MS    100u

struct words {
    uint32_t pids[WORDS_MAX_PIDS]; /* processes that connected; 0: free */
    bool is_told[WORDS_MAX_PIDS];
    uint32_t next; /* the place that is taken over next */
    uint64_t next_ms, wait_ms;
    uint32_t at;         /* the place that is looked at, */
    uint64_t at_address; /* from here on, */
    uint64_t looked;     /* after so many bytes of it */
};

/* pid has been given a connection to outside. */
void words_note(struct words *w, uint32_t pid, uint64_t now_ms);
/* When there is something to do; 0: never. CLOCK_MONOTONIC. */
uint64_t words_due_ms(const struct words *w);
void words_tick(struct broker *b, struct words *w, uint64_t now_ms);
/* How the process's memory has this text, as it may have come: at the end of a line, but not within a block of
 * Markdown, from which an agent takes its model's commands; or else between quotes. WORDS_MAX_BYTES are looked at, at
 * once. */
enum words_place { WORDS_NOWHERE, WORDS_STRING, WORDS_LINE };
enum words_place words_find_text(uint32_t pid, const char *text, size_t size);
/* The word found in size bytes, or NULL. */
const char *words_find(const void *data, size_t size);
