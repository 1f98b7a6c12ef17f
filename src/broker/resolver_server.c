/* One question to the real servers. A fresh connected UDP socket for each try (so its port is random, and only the
 * server's datagrams arrive), a random id, letters of random case: who cannot see the question cannot answer it. By TCP
 * where an answer is truncated, came back with other letters, or where so many wrong answers arrive that an attacker is
 * guessing. */
#include "broker/resolver.h"

#include <sys/random.h>

#define MAX_STRANGERS 16 /* datagrams at one try that answer something else */

void exchange_end(struct exchange *x)
{
    closep(&x->fd);
    x->state = EXCHANGE_IDLE;
}

/* Writes the question with a new id: for UDP with letters of random case. */
static int compose(struct exchange *x, bool is_udp)
{
    uint8_t random[2 + DNS_NAME_MAX / 8 + 1];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return -EIO; /* never happens up to 256 bytes; a question with a guessable id must not leave */
    x->sent = (struct dns_ask){ .id = (uint16_t)(random[0] << 8 | random[1]),
                                .has_edns = !x->no_edns,
                                .question = x->question };
    if (is_udp)
        dns_mix_case(&x->sent.question.name, random + 2);
    size_t n = dns_ask_write(&x->sent, x->out + 2);
    x->out[0] = (uint8_t)(n >> 8);
    x->out[1] = (uint8_t)n;
    x->out_size = 2 + n;
    x->out_done = x->in_size = 0;
    return 0;
}

static int open_socket(struct exchange *x, const struct servers *s, int type, uint64_t now_ms)
{
    const struct server *to = &s->list[x->tries % s->count];
    exchange_end(x);
    x->deadline_ms = MIN_OF(now_ms + s->timeout_ms, x->last_ms);
    x->fd = socket(to->address.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (x->fd < 0 || (connect(x->fd, (const struct sockaddr *)&to->address, to->size) < 0 && errno != EINPROGRESS))
        return -errno;
    return 0;
}

static int try_udp(struct exchange *x, const struct servers *s, uint64_t now_ms)
{
    int r = compose(x, true);
    if (r == 0)
        r = open_socket(x, s, SOCK_DGRAM, now_ms);
    if (r == 0 && send(x->fd, x->out + 2, x->out_size - 2, MSG_NOSIGNAL) < 0)
        r = -errno;
    x->state = EXCHANGE_UDP;
    x->strangers = 0;
    return r;
}

static int try_tcp(struct exchange *x, const struct servers *s, uint64_t now_ms)
{
    int r = compose(x, false);
    if (r == 0)
        r = open_socket(x, s, SOCK_STREAM, now_ms);
    x->state = EXCHANGE_CONNECTING;
    return r;
}

/* error: what the last try met; goes on with the next one that can be begun. True: there is none left. */
static bool next_try(struct exchange *x, const struct servers *s, uint64_t now_ms, int error, struct dns_answer *ret)
{
    for (;;) {
        x->error = error;
        x->tries++;
        if (x->tries >= s->count * s->attempts || now_ms >= x->last_ms) {
            exchange_end(x);
            dns_answer_clear(ret, DNS_SERVFAIL);
            return true;
        }
        error = -try_udp(x, s, now_ms);
        if (!error)
            return false;
    }
}

bool exchange_start(struct exchange *x, const struct servers *s, const struct dns_question *q, uint64_t now_ms,
                    struct dns_answer *ret)
{
    x->fd = -EBADF;
    x->tries = 0;
    x->no_edns = false;
    x->error = 0;
    x->last_ms = now_ms + RESOLVER_LONGEST_MS;
    x->question = *q;
    dns_name_lower(&x->question.name);
    int r = try_udp(x, s, now_ms);
    return r < 0 && next_try(x, s, now_ms, -r, ret);
}

/* An answer to our question is there. True: the exchange has ended. */
static bool answered(struct exchange *x, const struct servers *s, uint64_t now_ms, struct dns_answer *ret)
{
    if (ret->rcode == DNS_NOERROR || ret->rcode == DNS_NXDOMAIN) {
        exchange_end(x);
        x->error = 0;
        return true;
    }
    if ((ret->rcode == DNS_FORMERR || ret->rcode == DNS_NOTIMP) && !x->no_edns) {
        x->no_edns = true; /* an old server: once more, without */
        return try_udp(x, s, now_ms) < 0 && next_try(x, s, now_ms, EPROTO, ret);
    }
    return next_try(x, s, now_ms, EPROTO, ret);
}

static bool on_udp(struct exchange *x, const struct servers *s, uint64_t now_ms, struct dns_answer *ret)
{
    for (;;) {
        ssize_t n = recv(x->fd, x->in, RESOLVER_UDP_MAX, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return false;
        if (n < 0)
            return next_try(x, s, now_ms, errno, ret);
        int r = dns_answer_read(x->in, (size_t)n, &x->sent, ret);
        if (r == 0)
            return answered(x, s, now_ms, ret);
        if (r == -EBADMSG)
            return next_try(x, s, now_ms, EBADMSG, ret);
        if (r != -EAGAIN || ++x->strangers > MAX_STRANGERS) {
            r = try_tcp(x, s, now_ms);
            return r < 0 && next_try(x, s, now_ms, -r, ret);
        }
    }
}

/* 0: no more for now; 1: the message is complete; -errno. */
static int read_message(struct exchange *x)
{
    for (;;) {
        size_t wanted = x->in_size < 2 ? 2 : 2 + ((size_t)x->in[0] << 8 | x->in[1]);
        if (wanted > sizeof x->in)
            return -EBADMSG;
        if (x->in_size >= 2 && x->in_size == wanted)
            return 1;
        ssize_t n = recv(x->fd, x->in + x->in_size, wanted - x->in_size, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return 0;
        if (n <= 0)
            return n < 0 ? -errno : -ECONNRESET;
        x->in_size += (size_t)n;
    }
}

/* 0: no more for now; 1: the answer is in *ret; -errno. */
static int step_tcp(struct exchange *x, struct dns_answer *ret)
{
    int error = 0;
    socklen_t size = sizeof error;
    if (x->state == EXCHANGE_CONNECTING) {
        if (getsockopt(x->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error)
            return error ? -error : -errno;
        x->state = EXCHANGE_WRITING;
    }
    if (x->state == EXCHANGE_WRITING) {
        ssize_t n = send(x->fd, x->out + x->out_done, x->out_size - x->out_done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : -errno;
        x->out_done += (size_t)n;
        if (x->out_done < x->out_size)
            return 0;
        x->state = EXCHANGE_READING;
    }
    int r = read_message(x);
    return r <= 0 ? r : dns_answer_read(x->in + 2, x->in_size - 2, &x->sent, ret) == 0 ? 1 : -EBADMSG;
}

bool exchange_on_event(struct exchange *x, const struct servers *s, uint64_t now_ms, struct dns_answer *ret)
{
    if (x->state == EXCHANGE_UDP)
        return on_udp(x, s, now_ms, ret);
    int r = step_tcp(x, ret);
    return r > 0 ? answered(x, s, now_ms, ret) : r < 0 && next_try(x, s, now_ms, -r, ret);
}

bool exchange_on_time(struct exchange *x, const struct servers *s, uint64_t now_ms, struct dns_answer *ret)
{
    return next_try(x, s, now_ms, ETIMEDOUT, ret);
}

short exchange_wants(const struct exchange *x)
{
    return x->state == EXCHANGE_CONNECTING || x->state == EXCHANGE_WRITING ? POLLOUT : POLLIN;
}
