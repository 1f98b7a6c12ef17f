/* suspicion.c - suspected_exfiltration: a private key of a volume was read, then bytes went to a stranger.
 *
 * What a program sends by itself, encrypted or packed, cannot be told from what it has to say, so this is no certainty:
 * of medium severity, and no kill. What is known is the state. A key for SSH has few readers: ssh and its family, and
 * who reads all that is there: archivers, searches, and thieves. Of these only few talk afterwards to a peer that they
 * had not talked with before, that no rule names, and that gives little back. An agent has asked its model before it
 * searched; a backup goes to a host that network.allow names.
 */
#include "watch/detect.h"

#include "base/path.h"

#define SSH_PORT  22u
#define OUT_LEAST 256u

static void look_at_program(struct suspicion *s, const struct watch_event *e)
{
    static const char *const family[] = { "ssh", "scp", "sftp", "ssh-add", "ssh-keygen", "sshfs", NULL };
    if (!e->error && e->text && str_is_one_of(path_last(e->text), family))
        s->ssh_us = MAX_OF(e->at_us, UINT64_C(1));
}

/* ssh opens its keys at once. */
#define SSH_OPENS_US UINT64_C(2000000)
static void look_at_file(struct suspicion *s, const struct watch_event *e)
{
    static const char *const keys[] = { "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", NULL };
    const bool is_of_ssh = s->ssh_us && elapsed_us(e->at_us, s->ssh_us) < SSH_OPENS_US;
    if (e->error || !e->text || !(e->flags & WATCH_SETTINGS) || s->key.text[0] || is_of_ssh ||
        !str_is_one_of(path_last(e->text), keys))
        return;
    s->key = shown(e->text);
    s->key_us = e->at_us;
    s->key_size = e->args[1];
}

/* By its name: a large service has many addresses. */
static uint64_t peer_of(const struct watch_event *e)
{
    return e->name && *e->name ? watch_hash(e->name, strlen(e->name)) : watch_hash_host(e);
}

static struct peer *find_peer(struct peers *p, uint64_t hash)
{
    for (uint32_t i = 0; i < MIN_OF(p->count, SUSPICION_PEERS); i++)
        if (p->of[i].hash == hash)
            return &p->of[i];
    return NULL;
}

static const struct peer *add_bytes(struct peers *p, uint64_t hash, uint64_t out, uint64_t in)
{
    struct peer *one = find_peer(p, hash);
    if (!one) {
        one = &p->of[p->count++ % SUSPICION_PEERS];
        *one = (struct peer){ .hash = hash };
    }
    one->out += MIN_OF(out, UINT64_MAX - one->out);
    one->in += MIN_OF(in, UINT64_MAX - one->in);
    return one;
}

/* It was talked with. A program that sends a volume's files one by one has had a word of thanks for each before the
 * key's turn comes, which is no talk: a model's answer is longer. */
#define ANSWER_LEAST 512u
#define ANSWER_SHARE 256u /* of what was asked */
static bool is_acquainted(struct suspicion *s, uint64_t hash)
{
    const struct peer *a = find_peer(&s->before, hash);
    return a && a->in >= MAX_OF(a->out / ANSWER_SHARE, (uint64_t)ANSWER_LEAST);
}

static struct stranger *stranger(struct suspicion *s, uint64_t connection)
{
    for (uint32_t i = 0; i < MIN_OF(s->flow_count, SUSPICION_FLOWS); i++)
        if (s->flow[i].id == connection)
            return &s->flow[i];
    return NULL;
}

static void look_at_connection(struct suspicion *s, const struct watch_event *e)
{
    if (e->connection && is_outward(e) && !rule_names_peer(e->text) && e->port != SSH_PORT)
        s->flow[s->flow_count++ % SUSPICION_FLOWS] = (struct stranger){ .id = e->connection };
}

/* What is packed takes half the room of the key at least, and a thief gets no more back than twice what he sends: small
 * pieces have heads of HTTP around them, both ways. */
static bool has_taken(const struct suspicion *s, const struct peer *p)
{
    return p->out >= MAX_OF(s->key_size / 2, (uint64_t)OUT_LEAST) && p->out > p->in / 2;
}

static bool look_at_bytes(struct suspicion *s, const struct watch_event *e, struct evidence *ret)
{
    const uint64_t hash = peer_of(e);
    struct stranger *f = stranger(s, e->connection);
    if (!f)
        return false;
    const uint64_t out = e->bytes_out - MIN_OF(f->out, e->bytes_out), in = e->bytes_in - MIN_OF(f->in, e->bytes_in);
    f->out += out;
    f->in += in;
    if (e->kind == WATCH_CLOSED)
        f->id = 0;
    if (!s->key.text[0]) {
        (void)add_bytes(&s->before, hash, out, in);
        return false;
    }
    if (is_acquainted(s, hash))
        return false;
    const struct peer *p = add_bytes(&s->since, hash, out, in);
    if (e->kind != WATCH_CLOSED || !has_taken(s, p)) /* an answer may be late */
        return false;
    return decided(ret,
                   "%s (a private key) was opened at %s, then %s went out to %s, which no rule names and which was not "
                   "talked with before, until %s",
                   s->key.text, shown_time(s->key_us).text, shown_bytes(p->out).text, shown_peer(e).text,
                   shown_time(e->at_us).text);
}

bool detect_suspicion(struct suspicion *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    (void)p;
    switch (e->kind) {
    case WATCH_EXEC:
        look_at_program(s, e);
        return false;
    case WATCH_FILE:
        look_at_file(s, e);
        return false;
    case WATCH_CONNECT:
        look_at_connection(s, e);
        return false;
    case WATCH_TRAFFIC:
    case WATCH_CLOSED:
        return look_at_bytes(s, e, ret);
    default:
        return false;
    }
}
