#include "broker/resolver.h"

#include <stdio.h>

#include "base/clock.h"

enum { NOBODY = -2, BY_UDP = -1 }; /* struct ask.program */

enum ask_state {
    ASK_FREE,
    ASK_SERVERS /* asked there */,
    ASK_TELL /* the broker's socket is full */,
    ASK_TOLD /* waits for the broker's word */
};
struct ask {
    enum ask_state state;
    int program; /* number of its connection, BY_UDP, or NOBODY: it has gone */
    struct sockaddr_storage from;
    socklen_t from_size;
    uint64_t sequence;
    uint32_t error;
    struct dns_query query;
    struct judgement judgement;
    struct dns_answer answer;
    struct exchange exchange;
};

struct program { /* a TCP connection; one question at a time, the next waits in the socket */
    int fd;
    bool is_waiting; /* for the answer */
    uint64_t deadline_ms;
    uint8_t in[2 + RESOLVER_QUERY_MAX];
    size_t in_size;
    uint8_t out[2 + RESOLVER_TCP_MAX];
    size_t out_size, out_done;
};

enum {
    POLL_BROKER,
    POLL_UDP,
    POLL_TCP,
    POLL_PROGRAMS,
    POLL_ASKS = POLL_PROGRAMS + RESOLVER_PROGRAMS,
    POLL_COUNT = POLL_ASKS + RESOLVER_ASKS
};

struct resolver {
    const struct net_rules *rules;
    struct servers servers;
    int broker, udp, tcp;
    uint64_t now_ms, sequence;
    uint64_t second; /* the one that in_second counts */
    uint32_t in_second;
    bool is_limit_told; /* in this second */
    char last_name[NET_NAME_MAX];
    struct pollfd polls[POLL_COUNT];
    struct ask asks[RESOLVER_ASKS];
    struct program programs[RESOLVER_PROGRAMS];
    struct cache cache;
};

struct resolver *resolver_new(const struct net_rules *r, const struct servers *s, int broker, int udp, int tcp)
{
    struct resolver *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->rules = r;
    n->servers = *s;
    n->broker = broker;
    n->udp = udp;
    n->tcp = tcp;
    /* an ask's descriptor is set by exchange_start(): touching all of them now would cost a page each, 256 KiB a
     * sandbox */
    for (size_t i = 0; i < RESOLVER_PROGRAMS; i++)
        n->programs[i].fd = -EBADF;
    return n;
}

/* --- answering --- */

static void close_program(struct resolver *r, struct program *p)
{
    int number = (int)(p - r->programs);
    for (size_t i = 0; i < RESOLVER_ASKS; i++)
        if (r->asks[i].state != ASK_FREE && r->asks[i].program == number)
            r->asks[i].program = NOBODY;
    closep(&p->fd);
}

static void flush_program(struct resolver *r, struct program *p)
{
    ssize_t n = send(p->fd, p->out + p->out_done, p->out_size - p->out_done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        close_program(r, p);
        return;
    }
    p->out_done += (size_t)MAX_OF(n, (ssize_t)0);
    if (p->out_done == p->out_size)
        p->out_done = p->out_size = 0;
}

/* Writes the answer to a process that asked; the ask is free then. */
static void reply(struct resolver *r, struct ask *a)
{
    static uint8_t out[RESOLVER_UDP_MAX];
    const char *why = a->judgement.verdict == WATCH_REFUSED ? a->judgement.rule : NULL;
    if (a->program == BY_UDP) {
        size_t n = dns_answer_write(&a->query, &a->answer, why, true, out, sizeof out);
        (void)sendto(r->udp, out, n, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&a->from,
                     a->from_size); /* lost: it asks again */
    } else if (a->program >= 0) {
        struct program *p = &r->programs[a->program];
        size_t n = dns_answer_write(&a->query, &a->answer, why, false, p->out + 2, RESOLVER_TCP_MAX);
        p->out[0] = (uint8_t)(n >> 8);
        p->out[1] = (uint8_t)n;
        p->out_size = 2 + n;
        p->out_done = 0;
        p->is_waiting = false;
        p->deadline_ms = r->now_ms + RESOLVER_IDLE_MS;
        flush_program(r, p);
    }
    a->state = ASK_FREE;
}

/* --- telling the broker --- */

/* Addresses that may now be connected to: not those of localhost, and of nothing that was refused. */
static void add_addresses(const struct ask *a, struct resolver_message *m)
{
    struct net_address address;
    for (uint16_t i = 0; i < a->answer.count && !a->judgement.is_answered; i++) {
        if (!dns_record_address(&a->answer, i, &address))
            continue;
        m->addresses[m->count].address = net_address_unmapped(&address);
        m->addresses[m->count++].ttl_s = a->answer.records[i].ttl_s;
    }
}

/* The strings of the first TXT record, as programs join them. */
static void add_text(const struct ask *a, struct resolver_message *m)
{
    size_t used = 0;
    uint16_t i = 0;
    while (i < a->answer.count && a->answer.records[i].type != DNS_TXT)
        i++;
    if (i == a->answer.count)
        return;
    const uint8_t *data = a->answer.pool + a->answer.records[i].at;
    for (size_t at = 0, size = a->answer.records[i].size; at < size; at += 1 + (size_t)data[at])
        for (size_t k = at + 1; k <= at + data[at] && k < size && used + 1 < sizeof m->text; k++)
            m->text[used++] = data[k] ? (char)data[k] : '?';
    m->text[used] = '\0';
}

/* Sends it, or leaves it for when the socket has room. */
static void tell(struct resolver *r, struct ask *a)
{
    struct resolver_message m = {
        .sequence = a->sequence, .type = a->query.question.type, .verdict = a->judgement.verdict, .error = a->error
    };
    memcpy(m.name, a->judgement.name, sizeof m.name);
    memcpy(m.rule, a->judgement.rule, sizeof m.rule);
    add_addresses(a, &m);
    add_text(a, &m);
    ssize_t n = send(r->broker, &m, sizeof m, MSG_DONTWAIT | MSG_NOSIGNAL);
    a->state = n == (ssize_t)sizeof m ? ASK_TOLD : ASK_TELL;
}

/* Once a second where a program asks more than RESOLVER_PER_SECOND. */
static void tell_limit(struct resolver *r)
{
    struct resolver_message m = { .verdict = WATCH_ALLOWED, .error = EAGAIN };
    memcpy(m.name, r->last_name, sizeof m.name);
    (void)snprintf(m.rule, sizeof m.rule, "%u questions in one second: more than these wait", RESOLVER_PER_SECOND);
    r->is_limit_told = send(r->broker, &m, sizeof m, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof m;
}

/* The broker has recorded what it was told. False: it is gone. */
static bool hear_broker(struct resolver *r)
{
    uint64_t sequence;
    ssize_t n;
    while ((n = recv(r->broker, &sequence, sizeof sequence, MSG_DONTWAIT)) == (ssize_t)sizeof sequence)
        for (size_t i = 0; i < RESOLVER_ASKS; i++)
            if (r->asks[i].state == ASK_TOLD && r->asks[i].sequence == sequence)
                reply(r, &r->asks[i]);
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* --- asking --- */

/* The answer is there, from the cache or from servers. */
static void judge_and_tell(struct resolver *r, struct ask *a)
{
    judge_answer(r->rules, &a->judgement, &a->answer);
    tell(r, a);
}

static void exchange_ended(struct resolver *r, struct ask *a)
{
    a->error = (uint32_t)a->exchange.error;
    if (!a->error)
        cache_put(&r->cache, &a->exchange.question, &a->answer, r->now_ms);
    judge_and_tell(r, a);
}

static void begin(struct resolver *r, struct ask *a)
{
    const struct dns_question *q = &a->query.question;
    a->sequence = ++r->sequence;
    a->error = 0;
    r->in_second++;
    judge_question(r->rules, q, &a->judgement, &a->answer);
    memcpy(r->last_name, a->judgement.name, sizeof r->last_name);
    if (a->judgement.is_answered) {
        tell(r, a);
    } else if (cache_get(&r->cache, q, r->now_ms, &a->answer)) {
        judge_and_tell(r, a);
    } else {
        a->state = ASK_SERVERS;
        if (exchange_start(&a->exchange, &r->servers, q, r->now_ms, &a->answer))
            exchange_ended(r, a);
    }
}

/* Programs that wait for long ask once more: the first answer is for them, too. */
static bool is_asked_already(const struct resolver *r, const struct ask *a)
{
    for (size_t i = 0; i < RESOLVER_ASKS; i++) {
        const struct ask *o = &r->asks[i];
        if (o->state != ASK_FREE && o->program == BY_UDP && o->query.id == a->query.id &&
            o->from_size == a->from_size && memcmp(&o->from, &a->from, a->from_size) == 0 &&
            o->query.question.type == a->query.question.type &&
            dns_name_equal(&o->query.question.name, &a->query.question.name))
            return true;
    }
    return false;
}

static struct ask *free_ask(struct resolver *r)
{
    for (size_t i = 0; i < RESOLVER_ASKS; i++)
        if (r->asks[i].state == ASK_FREE)
            return &r->asks[i];
    return NULL;
}

static bool may_take_questions(struct resolver *r)
{
    if (r->second != r->now_ms / 1000) {
        r->second = r->now_ms / 1000;
        r->in_second = 0;
        r->is_limit_told = false;
    }
    if (r->in_second >= RESOLVER_PER_SECOND && !r->is_limit_told)
        tell_limit(r);
    return r->in_second < RESOLVER_PER_SECOND && free_ask(r);
}

/* False: no question at all. */
static bool take(struct resolver *r, struct ask *a, const uint8_t *data, size_t size)
{
    int rcode = dns_query_read(data, size, &a->query);
    if (rcode < 0 || (a->program == BY_UDP && is_asked_already(r, a)))
        return false;
    if (rcode == 0) {
        begin(r, a);
        return true;
    }
    r->in_second++;
    a->judgement.verdict = WATCH_ALLOWED; /* nothing to explain */
    dns_answer_clear(&a->answer, (uint8_t)rcode);
    reply(r, a);
    return true;
}

static void read_udp(struct resolver *r)
{
    uint8_t in[RESOLVER_QUERY_MAX];
    for (int i = 0; i < 16 && may_take_questions(r); i++) { /* the others have their turn, too */
        struct ask *a = free_ask(r);
        a->program = BY_UDP;
        a->from_size = sizeof a->from;
        ssize_t n = recvfrom(r->udp, in, sizeof in, MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&a->from,
                             &a->from_size);
        if (n < 0)
            return;
        if (n <= (ssize_t)sizeof in)
            (void)take(r, a, in, (size_t)n);
    }
}

/* --- programs that ask by TCP --- */

static void accept_program(struct resolver *r)
{
    for (size_t i = 0; i < RESOLVER_PROGRAMS; i++) {
        struct program *p = &r->programs[i];
        if (p->fd >= 0)
            continue;
        p->fd = accept4(r->tcp, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        p->in_size = p->out_size = p->out_done = 0;
        p->is_waiting = false;
        p->deadline_ms = r->now_ms + RESOLVER_IDLE_MS;
        return;
    }
}

static void read_program(struct resolver *r, struct program *p)
{
    size_t wanted = p->in_size < 2 ? 2 : 2 + ((size_t)p->in[0] << 8 | p->in[1]);
    ssize_t n = wanted > sizeof p->in ? 0 : recv(p->fd, p->in + p->in_size, wanted - p->in_size, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        close_program(r, p);
        return;
    }
    p->in_size += (size_t)n;
    if (p->in_size < 2 || p->in_size < 2 + ((size_t)p->in[0] << 8 | p->in[1]))
        return;
    struct ask *a = free_ask(r);
    if (!a) /* poll would not have let us come here */
        return;
    size_t size = p->in_size - 2;
    p->in_size = 0;
    p->is_waiting = true;
    a->program = (int)(p - r->programs);
    if (!take(r, a, p->in + 2, size))
        close_program(r, p);
}

/* --- the loop --- */

static struct pollfd want(int fd, short events)
{
    return (struct pollfd){ .fd = events ? fd : -1, .events = events };
}

/* Who is to be heard, and until when. */
static int prepare(struct resolver *r)
{
    bool takes = may_take_questions(r), has_place = false, is_full = false;
    uint64_t until_ms = takes ? UINT64_MAX : (r->second + 1) * 1000;
    for (size_t i = 0; i < RESOLVER_PROGRAMS; i++) {
        struct program *p = &r->programs[i];
        r->polls[POLL_PROGRAMS + i] = want(p->fd, p->fd < 0                 ? 0
                                                  : p->out_size             ? POLLOUT
                                                  : takes && !p->is_waiting ? POLLIN
                                                                            : 0);
        has_place = has_place || p->fd < 0;
        if (p->fd >= 0 && !p->is_waiting)
            until_ms = MIN_OF(until_ms, p->deadline_ms);
    }
    for (size_t i = 0; i < RESOLVER_ASKS; i++) {
        struct ask *a = &r->asks[i];
        r->polls[POLL_ASKS + i] = want(a->exchange.fd, a->state == ASK_SERVERS ? exchange_wants(&a->exchange) : 0);
        is_full = is_full || a->state == ASK_TELL;
        if (a->state == ASK_SERVERS)
            until_ms = MIN_OF(until_ms, a->exchange.deadline_ms);
    }
    r->polls[POLL_BROKER] = want(r->broker, is_full ? POLLIN | POLLOUT : POLLIN);
    r->polls[POLL_UDP] = want(r->udp, takes ? POLLIN : 0);
    r->polls[POLL_TCP] = want(r->tcp, takes && has_place ? POLLIN : 0);
    return until_ms == UINT64_MAX ? -1 : until_ms <= r->now_ms ? 0 : (int)MIN_OF(until_ms - r->now_ms, UINT64_C(60000));
}

static void serve_asks(struct resolver *r)
{
    for (size_t i = 0; i < RESOLVER_ASKS; i++) {
        struct ask *a = &r->asks[i];
        if (a->state == ASK_TELL)
            tell(r, a);
        if (a->state != ASK_SERVERS)
            continue;
        /* the socket is looked at first: an answer that came just in time counts */
        bool ended = r->polls[POLL_ASKS + i].revents &&
                     exchange_on_event(&a->exchange, &r->servers, r->now_ms, &a->answer);
        if (!ended && a->exchange.deadline_ms <= r->now_ms)
            ended = exchange_on_time(&a->exchange, &r->servers, r->now_ms, &a->answer);
        if (ended)
            exchange_ended(r, a);
    }
}

static void serve_programs(struct resolver *r)
{
    for (size_t i = 0; i < RESOLVER_PROGRAMS; i++) {
        struct program *p = &r->programs[i];
        short events = r->polls[POLL_PROGRAMS + i].revents;
        if (p->fd < 0)
            continue;
        if (p->out_size && events)
            flush_program(r, p);
        else if (events && !p->is_waiting && may_take_questions(r))
            read_program(r, p);
        if (p->fd >= 0 && !p->is_waiting && p->deadline_ms <= r->now_ms)
            close_program(r, p);
    }
}

int resolver_run(struct resolver *r)
{
    for (;;) {
        r->now_ms = clock_ms();
        int n = poll(r->polls, POLL_COUNT, prepare(r));
        if (n < 0 && errno != EINTR)
            return -errno;
        if (n < 0)
            continue;
        r->now_ms = clock_ms();
        if (r->polls[POLL_BROKER].revents & (POLLIN | POLLHUP | POLLERR) && !hear_broker(r))
            return 0;
        serve_asks(r);
        serve_programs(r);
        if (r->polls[POLL_UDP].revents)
            read_udp(r);
        if (r->polls[POLL_TCP].revents)
            accept_program(r);
    }
}
