/* messenger_internal.h - the parts of the messenger: what waits, how it is written, how it is sent. */
#pragma once
#include "base/buf.h"
#include "daemon/messenger.h"

/* --- messenger_digest.c: what is told, and when. No lock and no clock of its own ----------------------- */

#define DIGEST_ITEMS 24u  /* of one message; more are counted */
#define DIGEST_TOLD  256u /* conditions of agents that are remembered as told */

struct digest_item {
    char condition[40], agent[132], message[300];
    uint32_t count;
};
struct digest {
    uint32_t count, left_out; /* left_out: no room, or told a short while ago */
    struct digest_item items[DIGEST_ITEMS];
    uint64_t next_ms; /* nothing is sent before */
    uint32_t told_at; /* the next of told[] to be used */
    struct {
        uint64_t hash, at_ms;
    } told[DIGEST_TOLD];
};
struct digest_rules {
    uint64_t repeat_after_ms, gather_ms;
    bool has_quiet;
    uint32_t quiet_from, quiet_to; /* minutes of the day; from > to: over midnight */
};
bool digest_is_quiet(const struct digest_rules *r, uint32_t minute);
void digest_add(struct digest *d, const struct digest_rules *r, const char *condition, const char *agent_id,
                const char *message, uint64_t now_ms);
/* Takes what is to be sent now into *ret. False: nothing; *ret_wait_ms: for how long, at most a minute. Quarantine and
 * ban wait for no morning. */
bool digest_take(struct digest *d, const struct digest_rules *r, uint64_t now_ms, uint32_t minute, struct digest *ret,
                 uint64_t *ret_wait_ms);

/* --- messenger_form.c: pure --------------------------------------------------------------------------- */

enum channel_kind { CHANNEL_EMAIL, CHANNEL_SLACK, CHANNEL_TEAMS, CHANNEL_MATRIX, CHANNEL_KINDS };
/* Of «slack:/path»: the kind, and where the rest begins. False: a channel of another sort (log, command, webhook). */
bool people_parse(const char *channel, enum channel_kind *ret, const char **ret_rest);

struct letter { /* what only an e-mail has */
    const char *from, *to, *date, *id;
};
/* Text that stays text: no control, bidirectional or invisible characters, and an @ or a scheme that no client takes
 * for a mention or a link. */
void message_clean(const char *text, struct buf *out);
/* The whole body that is posted or mailed. host: of this machine. letter: NULL but for CHANNEL_EMAIL. */
void message_write(enum channel_kind kind, const struct digest *d, const char *host, const struct letter *letter,
                   struct buf *out);

/* --- messenger_send.c: libcurl, one message at a time -------------------------------------------------- */

#define CHANNEL_SECRET_MAX 2048u
struct channel {
    enum channel_kind kind;
    char shown[160];                 /* what a log may say of it: URLs of chats are secrets */
    char url[CHANNEL_SECRET_MAX];    /* chat's; or the mail server's */
    char secret[CHANNEL_SECRET_MAX]; /* Matrix's token, or the password */
    char to[256], from[256], user[256], ca_file[512];
};
int people_load(const struct config *c, const char *channel, struct channel *ret, struct error *err);
enum sent { SENT_WELL, SENT_AGAIN, SENT_HOPELESS };
/* stops: asked a few times a second; true breaks it off. why: not sent, in words without secrets. */
enum sent message_send(const struct channel *ch, const struct buf *body, const char *transaction, bool (*stops)(void *),
                       void *context, char why[static 200]);
