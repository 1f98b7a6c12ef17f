/* The resolver, really running: what it answers, what it tells the broker first, and what servers cannot make it do. */
#include "resolver_place.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/parse.h"

/* --- the place: coming and going --- */

static void start_server(struct place *p)
{
    struct sockaddr_in at;
    int udp = -1, tcp = -1;
    for (int i = 0; i < 50 && (udp < 0 || tcp < 0); i++) { /* the same number for both, which somebody else may have */
        closep(&udp);
        closep(&tcp);
        at = (struct sockaddr_in){ 0 };
        tcp = loopback_socket(SOCK_STREAM, &at);
        udp = loopback_socket(SOCK_DGRAM, &at);
    }
    CHECK(udp >= 0 && tcp >= 0);
    p->heard = mmap(NULL, sizeof *p->heard, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(p->heard != MAP_FAILED);
    p->server = fork();
    if (p->server == 0)
        be_the_server(udp, tcp, p->heard);
    CHECK(p->server > 0);
    char text[64];
    (void)snprintf(text, sizeof text, "127.0.0.1:%u", ntohs(at.sin_port));
    CHECK_EQ(strlist_add(&p->broker.rules.resolvers, text), 0);
    p->servers = (struct servers){ .count = 1, .attempts = 2 };
    CHECK_EQ(server_parse(text, &p->servers.list[0]), 0);
    (void)close(udp);
    (void)close(tcp);
}

/* Everything but the resolver. The rules may still be changed. */
static void place_prepare(struct place *p)
{
    int events[2], launcher[2];
    *p = (struct place){ .broker = { .rules.has_names = true } };
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, events) == 0 &&
          socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, launcher) == 0);
    p->broker.notify.events = events[0];
    p->broker.notify.start_us = clock_us();
    p->events = events[1];
    p->broker.launcher = launcher[0];
    p->launcher = launcher[1];
    p->broker.epoll = epoll_create1(EPOLL_CLOEXEC);
    p->broker.names = net_names_new();
    CHECK(p->broker.epoll >= 0 && p->broker.names);
    CHECK_EQ(strlist_add(&p->broker.rules.ports, "443"), 0);
    start_server(p);
    p->udp_at.sin_port = p->tcp_at.sin_port = 0;
    p->udp = loopback_socket(SOCK_DGRAM, &p->udp_at);
    p->tcp = loopback_socket(SOCK_STREAM, &p->tcp_at);
    p->program = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    CHECK(p->udp >= 0 && p->tcp >= 0 && connect(p->program, (struct sockaddr *)&p->udp_at, sizeof p->udp_at) == 0);
}

/* The last in the kernel's list; other tests may have left us a child (a database). */
static pid_t newest_child(void)
{
    pid_t ret = 0;
    char text[256];
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    CHECK(n > 0 && close(fd) == 0);
    text[n] = '\0';
    for (char *p = text, *end; (end = strchr(p, ' ')); p = end + 1) {
        uint64_t pid;
        *end = '\0';
        CHECK_EQ(parse_u64(p, &pid), 0);
        ret = (pid_t)pid;
    }
    return ret;
}

static void place_start(struct place *p)
{
    struct error err = { 0 };
    CHECK_EQ(net_rules_compile(&p->broker.rules, &err), 0);
    int r = resolver_start(&p->broker, p->udp, p->tcp, &err);
    if (r < 0)
        (void)fprintf(stderr, "# %s\n", err.text);
    CHECK_EQ(r, 0);
    p->resolver = newest_child();
}

static void place_init(struct place *p)
{
    place_prepare(p);
    place_start(p);
}

static void place_done(struct place *p)
{
    resolver_done(&p->broker);
    int ends[] = { p->events, p->launcher, p->broker.notify.events, p->broker.launcher, p->broker.epoll, p->program };
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (ends[i] >= 0)
            (void)close(ends[i]);
    CHECK(kill(p->server, SIGKILL) == 0);
    CHECK_EQ(waitpid(p->server, NULL, 0), p->server);
    CHECK_EQ(waitpid(p->resolver, NULL, 0), p->resolver); /* it ends by itself: its broker is gone */
    (void)net_names_free(p->broker.names);
    net_rules_done(&p->broker.rules);
    CHECK_EQ(munmap(p->heard, sizeof *p->heard), 0);
}

/* --- what broker and program do --- */

static void read_events(struct place *p)
{
    ssize_t n;
    while ((n = recv(p->events, p->event_data, sizeof p->event_data, MSG_DONTWAIT)) > 0) {
        CHECK_EQ(watch_event_unpack(p->event_data, (size_t)n, &p->event), 0);
        p->events_told++;
        p->limits_told += p->event.error == EAGAIN;
    }
}

/* One turn of the broker's loop, as long as the program has nothing to read. */
static void place_pump(struct place *p, int program, int timeout_ms)
{
    struct epoll_event e;
    struct pollfd polls[2] = { { p->broker.epoll, POLLIN, 0 }, { program, POLLIN, 0 } };
    (void)poll(polls, 2, timeout_ms);
    if (polls[0].revents && epoll_wait(p->broker.epoll, &e, 1, 0) == 1) {
        struct source *s = e.data.ptr;
        s->on_event(&p->broker, s, e.events);
    }
    read_events(p);
}

static size_t make_question(uint8_t out[static 512], uint16_t id, const char *name, uint16_t type)
{
    struct dns_name n;
    CHECK_EQ(dns_name_from_text(name, &n), 0);
    memcpy(out, "\0\0\1\0\0\1\0\0\0\0\0\0", 12);
    out[0] = (uint8_t)(id >> 8);
    out[1] = (uint8_t)id;
    memcpy(out + 12, n.wire, n.size);
    uint8_t tail[4] = { (uint8_t)(type >> 8), (uint8_t)type, 0, 1 };
    memcpy(out + 12 + n.size, tail, 4);
    return 16u + n.size;
}

static void ask(struct place *p, uint16_t id, const char *name, uint16_t type)
{
    uint8_t out[512];
    size_t n = make_question(out, id, name, type);
    CHECK_EQ(send(p->program, out, n, 0), n);
}

/* Runs the broker until the program has an answer. */
static void wait_answer(struct place *p)
{
    uint64_t until = clock_ms() + PATIENCE_MS;
    ssize_t n = -1;
    while (n < 0 && clock_ms() < until) {
        place_pump(p, p->program, 100);
        n = recv(p->program, p->answer, sizeof p->answer, MSG_DONTWAIT);
    }
    CHECK(n >= 12);
    p->answer_size = (size_t)n;
}

static int rcode(const struct place *p)
{
    return p->answer[3] & 15;
}

static int count(const struct place *p)
{
    return p->answer[6] << 8 | p->answer[7];
}

/* Asks, and gives the rcode. */
static int ask_for(struct place *p, const char *name, uint16_t type)
{
    static uint16_t id;
    ask(p, ++id, name, type);
    wait_answer(p);
    CHECK_EQ(p->answer[0] << 8 | p->answer[1], id);
    return rcode(p);
}

static bool answer_has(const struct place *p, const void *bytes, size_t n)
{
    return memmem(p->answer, p->answer_size, bytes, n) != NULL;
}

static const char *known_as(struct place *p, uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    uint8_t four[4] = { a, b, c, d };
    struct net_address address = net_address_from(AF_INET, four);
    return net_names_of(p->broker.names, &address, clock_ms(), 0);
}

/* --- names that are allowed --- */

TEST(resolver_answers_an_allowed_name_and_the_broker_knows_its_address)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "Good.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(count(&p), 1);
    CHECK(answer_has(&p, "\4Good\4test", 10)); /* the question as it was written */
    CHECK(answer_has(&p, "\x5d\xb8\xd8\x22", 4));
    CHECK_STR(known_as(&p, 93, 184, 216, 34), "good.test");
    CHECK_EQ(p.events_told, 1);
    CHECK(p.event.kind == WATCH_NAME && p.event.verdict == WATCH_ALLOWED && p.event.args[0] == DNS_A &&
          p.event.error == 0);
    CHECK_STR(p.event.name, "good.test");
    CHECK_EQ(ask_for(&p, "good.test", DNS_AAAA), DNS_NOERROR);
    CHECK(answer_has(&p, "\x26\x06\x28\0\0\0\0\0\0\0\0\0\0\0\0\1", 16));
    CHECK_EQ(ask_for(&p, "good.test", DNS_MX), DNS_NOERROR);
    CHECK(answer_has(&p, "\4mail\4good\4test", 16));
    place_done(&p);
}

TEST(resolver_tells_the_text_that_it_answers_with)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "good.test", DNS_TXT), DNS_NOERROR);
    CHECK(p.event.kind == WATCH_NAME && p.event.args[0] == DNS_TXT);
    CHECK_STR(p.event.argv, "uname -a?x"); /* strings are joined; a NUL ends no text */
    CHECK_EQ(ask_for(&p, "good.test", DNS_A), DNS_NOERROR);
    CHECK(!p.event.argv);
    place_done(&p);
}

TEST(resolver_answers_only_when_the_broker_has_recorded_the_address)
{
    struct place p;
    place_init(&p);
    ask(&p, 1, "good.test", DNS_A);
    struct pollfd program = { p.program, POLLIN, 0 }, broker = { p.broker.epoll, POLLIN, 0 };
    CHECK_EQ(poll(&broker, 1, PATIENCE_MS), 1); /* it was told */
    CHECK_EQ(poll(&program, 1, 100), 0);        /* and the program waits */
    CHECK(!known_as(&p, 93, 184, 216, 34));
    wait_answer(&p);
    CHECK_STR(known_as(&p, 93, 184, 216, 34), "good.test");
    place_done(&p);
}

TEST(resolver_answers_nobody_while_nobody_takes_events)
{
    struct place p;
    place_init(&p);
    char byte = 0;
    while (send(p.broker.notify.events, &byte, 1, MSG_DONTWAIT) == 1) /* full */
        ;
    ask(&p, 1, "good.test", DNS_A);
    struct pollfd program = { p.program, POLLIN, 0 };
    struct epoll_event e;
    CHECK_EQ(epoll_wait(p.broker.epoll, &e, 1, PATIENCE_MS), 1); /* it was told */
    ((struct source *)e.data.ptr)->on_event(&p.broker, e.data.ptr, e.events);
    CHECK_EQ(epoll_wait(p.broker.epoll, &e, 1, 100), 0); /* and the broker does not spin */
    CHECK_EQ(poll(&program, 1, 0), 0);
    while (recv(p.events, &byte, 1, MSG_DONTWAIT) == 1)
        ;
    wait_answer(&p);
    CHECK_EQ(p.events_told, 1);
    place_done(&p);
}

TEST(resolver_answers_from_its_cache_and_tells_of_it_all_the_same)
{
    struct place p;
    place_init(&p);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(ask_for(&p, i % 2 ? "GOOD.test" : "good.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(p.heard->good, 1);
    CHECK_EQ(p.events_told, 5);
    CHECK_EQ(ask_for(&p, "nothing.test", DNS_A), DNS_NXDOMAIN);
    CHECK_EQ(ask_for(&p, "nothing.test", DNS_A), DNS_NXDOMAIN);
    CHECK_EQ(p.heard->udp, 2);
    CHECK_EQ(ask_for(&p, "short.test", DNS_A), DNS_NOERROR); /* TTL 0 */
    CHECK_EQ(ask_for(&p, "short.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(p.heard->udp, 4);
    place_done(&p);
}

TEST(resolver_follows_cnames_and_records_the_name_that_was_asked_for)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "chain.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(count(&p), 2);
    CHECK_STR(known_as(&p, 93, 184, 216, 34), "chain.test");
    place_done(&p);
}

TEST(resolver_asks_many_questions_at_once)
{
    struct place p;
    place_init(&p);
    char name[64];
    for (uint16_t i = 0; i < 150; i++) { /* more than fit: the rest waits in the socket */
        (void)snprintf(name, sizeof name, "n%u.test", i);
        ask(&p, i, name, DNS_A);
    }
    for (int i = 0; i < 150; i++) {
        wait_answer(&p);
        CHECK(rcode(&p) == DNS_NOERROR && count(&p) == 1);
    }
    CHECK_EQ(p.events_told, 150);
    place_done(&p);
}

TEST(resolver_lets_more_than_its_rate_wait_and_tells_of_it)
{
    struct place p;
    place_init(&p);
    const uint64_t from = clock_ms();
    uint16_t asked = 0;
    while (asked < 450 || (!p.limits_told &&
                           clock_ms() - from < PATIENCE_MS)) { /* two full seconds of them, whenever the first began */
        for (int i = 0; i < 150; i++) /* at once: one after another may be slower than the limit */
            ask(&p, ++asked, "localhost", DNS_A);
        for (int i = 0; i < 150; i++)
            wait_answer(&p);
    }
    CHECK(p.limits_told >= 1);
    CHECK(asked <= 200 * ((clock_ms() - from) / 1000 + 2)); /* seconds of the clock that were touched */
    place_done(&p);
}

/* --- names that are not --- */

TEST(resolver_refuses_a_name_at_once_and_says_why)
{
    struct place p;
    place_prepare(&p);
    CHECK_EQ(strlist_add(&p.broker.rules.allow, "good.test"), 0);
    place_start(&p);
    CHECK_EQ(ask_for(&p, "other.test", DNS_A), DNS_NXDOMAIN);
    CHECK(p.event.verdict == WATCH_REFUSED);
    CHECK_STR(p.event.name, "other.test");
    CHECK_STR(p.event.text, "no rule allows it");
    CHECK_EQ(p.heard->udp, 0);
    CHECK_EQ(ask_for(&p, "good.test", DNS_A), DNS_NOERROR);
    place_done(&p);
}

TEST(resolver_refuses_an_answer_that_leads_over_a_denied_name)
{
    struct place p;
    place_prepare(&p);
    CHECK_EQ(strlist_add(&p.broker.rules.deny, "x.evil"), 0);
    place_start(&p);
    CHECK_EQ(ask_for(&p, "cloak.test", DNS_A), DNS_NXDOMAIN);
    CHECK(p.event.verdict == WATCH_REFUSED);
    CHECK_STR(p.event.text, "deny x.evil");
    CHECK(!known_as(&p, 93, 184, 216, 34));
    place_done(&p);
}

TEST(resolver_leaves_out_addresses_that_may_not_be_reached)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "rebind.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(count(&p), 0);
    CHECK(p.event.verdict == WATCH_REFUSED);
    CHECK_EQ(ask_for(&p, "mixed.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(count(&p), 1);
    CHECK(!answer_has(&p, "\x0a\0\0\5", 4) && answer_has(&p, "\x5d\xb8\xd8\x22", 4));
    CHECK(!known_as(&p, 10, 0, 0, 5) && !known_as(&p, 127, 0, 0, 1));
    CHECK_STR(known_as(&p, 93, 184, 216, 34), "mixed.test");
    place_done(&p);
}

TEST(resolver_answers_types_it_does_not_read_with_nothing_and_asks_nobody)
{
    struct place p;
    place_init(&p);
    static const uint16_t types[] = { DNS_HTTPS, DNS_SVCB, DNS_ANY, 10, 252, 65280 };
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        CHECK_EQ(ask_for(&p, "good.test", types[i]), DNS_NOERROR);
        CHECK_EQ(count(&p), 0);
        CHECK_EQ(p.event.args[0], types[i]);
    }
    CHECK_EQ(p.heard->udp, 0);
    place_done(&p);
}

TEST(resolver_answers_localhost_itself_and_gives_no_permission_by_it)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "localhost", DNS_A), DNS_NOERROR);
    CHECK(answer_has(&p, "\x7f\0\0\1", 4));
    CHECK_EQ(ask_for(&p, "a.localhost", DNS_AAAA), DNS_NOERROR);
    CHECK(answer_has(&p, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16));
    CHECK_EQ(ask_for(&p, "localhost", DNS_MX), DNS_NOERROR);
    CHECK_EQ(count(&p), 0);
    CHECK(!known_as(&p, 127, 0, 0, 1));
    CHECK_EQ(p.heard->udp, 0);
    place_done(&p);
}

TEST(resolver_does_not_look_up_who_the_hosts_neighbours_are)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "5.0.0.10.in-addr.arpa", DNS_PTR), DNS_NXDOMAIN);
    CHECK_EQ(ask_for(&p, "10.in-addr.arpa", DNS_NS), DNS_NXDOMAIN);
    CHECK_EQ(p.heard->udp, 0);
    CHECK_EQ(ask_for(&p, "34.216.184.93.in-addr.arpa", DNS_PTR), DNS_NOERROR);
    CHECK_EQ(p.heard->udp, 1);
    place_done(&p);
}

TEST(resolver_refuses_names_with_bytes_that_no_name_has)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "a\n\x1b[31m.test", DNS_A), DNS_NXDOMAIN);
    CHECK_STR(p.event.name, "a???31m.test");
    CHECK_EQ(p.event.verdict, WATCH_REFUSED);
    CHECK_EQ(p.heard->udp, 0);
    place_done(&p);
}

TEST(resolver_refuses_every_name_where_there_are_none)
{
    struct place p;
    place_prepare(&p);
    p.broker.rules.has_names = false;
    place_start(&p);
    CHECK_EQ(ask_for(&p, "good.test", DNS_A), DNS_NXDOMAIN);
    CHECK_EQ(p.heard->udp, 0);
    place_done(&p);
}

/* --- servers that are wrong, slow or hostile --- */

TEST(resolver_does_not_believe_answers_to_other_questions)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "spoofed.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(count(&p), 1);
    CHECK(answer_has(&p, "\x5d\xb8\xd8\x22", 4) && !answer_has(&p, "\6\6\6\6", 4));
    CHECK(!known_as(&p, 6, 6, 6, 6));
    place_done(&p);
}

TEST(resolver_asks_each_time_with_another_port_another_id_and_other_letters)
{
    struct place p;
    size_t ports = 0, ids = 0, cases = 0;
    place_init(&p);
    for (int i = 0; i < 20; i++)
        CHECK_EQ(ask_for(&p, "short.a-name-of-many-letters.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(p.heard->udp, 20);
    for (size_t i = 0; i < 20; i++) { /* how many of the others are like this one */
        for (size_t j = 0; j < i; j++) {
            ports += p.heard->ports[i] == p.heard->ports[j];
            ids += p.heard->ids[i] == p.heard->ids[j];
            cases += p.heard->cases[i] == p.heard->cases[j];
        }
    }
    CHECK(ports <= 4 && ids <= 2 && cases <= 2); /* of 190 pairs; by chance, 0.007, 0.003 and 0.000 */
    place_done(&p);
}

TEST(resolver_asks_by_tcp_when_letters_come_back_changed_or_somebody_guesses)
{
    struct place p;
    place_init(&p);
    /* a name of 64 letters: that all of them were small by chance is not to be feared */
    CHECK_EQ(ask_for(&p, "lower.testtesttesttesttesttesttesttesttesttesttesttest.test", DNS_A), DNS_NOERROR);
    CHECK(!known_as(&p, 6, 6, 6, 6));
    CHECK_EQ(ask_for(&p, "flood.test", DNS_A), DNS_NOERROR);
    CHECK(answer_has(&p, "\x5d\xb8\xd8\x22", 4));
    CHECK(!known_as(&p, 6, 6, 6, 6));
    CHECK(p.heard->tcp >= 1);
    place_done(&p);
}

TEST(resolver_gives_up_on_damaged_answers_and_failing_servers)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "garbage.test", DNS_A), DNS_SERVFAIL);
    CHECK_EQ(p.event.error, EBADMSG);
    CHECK_EQ(ask_for(&p, "loop.test", DNS_A), DNS_SERVFAIL);
    CHECK_EQ(ask_for(&p, "broken.test", DNS_A), DNS_SERVFAIL);
    CHECK_EQ(p.heard->udp, 6); /* each twice */
    CHECK_EQ(ask_for(&p, "good.test", DNS_A), DNS_NOERROR);
    place_done(&p);
}

TEST(resolver_asks_old_servers_without_edns)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "old.test", DNS_A), DNS_NOERROR);
    CHECK_EQ(count(&p), 1);
    CHECK_EQ(p.heard->edns_less, 1);
    place_done(&p);
}

static void ask_patiently(uint32_t timeout_ms, const char *name, int expected, uint32_t error)
{
    struct place p;
    struct resolver_message m;
    int link[2];
    place_prepare(&p);
    p.servers.timeout_ms = timeout_ms;
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link) == 0);
    CHECK_EQ(net_rules_compile(&p.broker.rules, NULL), 0);
    p.resolver = fork();
    if (p.resolver == 0) { /* with another patience than usual */
        struct resolver *r = resolver_new(&p.broker.rules, &p.servers, link[1], p.udp, p.tcp);
        (void)close(link[0]);
        _exit(r && resolver_run(r) == 0 ? 0 : 1);
    }
    (void)close(link[1]);
    ask(&p, 7, name, DNS_A);
    CHECK_EQ(recv(link[0], &m, sizeof m, 0), sizeof m);
    CHECK_EQ(m.error, error);
    CHECK_STR(m.name, name);
    CHECK_EQ(send(link[0], &m.sequence, sizeof m.sequence, 0), sizeof m.sequence);
    CHECK(recv(p.program, p.answer, sizeof p.answer, 0) >= 12);
    CHECK_EQ(rcode(&p), expected);
    (void)close(link[0]);
    (void)close(p.udp);
    (void)close(p.tcp);
    place_done(&p);
}

TEST(resolver_waits_for_slow_servers_and_not_for_dead_ones)
{
    ask_patiently(PATIENCE_MS, "slow.test", DNS_NOERROR, 0);
    ask_patiently(200, "dead.test", DNS_SERVFAIL, ETIMEDOUT);
}

TEST(resolver_ignores_what_is_no_question_and_answers_malformed_ones)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(send(p.program, "x", 1, 0), 1);
    CHECK_EQ(send(p.program, "", 0, 0), 0);
    CHECK_EQ(send(p.program, "\1\2\x81\x80\0\1\0\0\0\0\0\0\1a\0\0\1\0\1", 19, 0), 19); /* an answer */
    CHECK_EQ(send(p.program, "\1\2\1\0\0\1\0\0\0\0\0\0\1a", 14, 0), 14);
    wait_answer(&p);
    CHECK_EQ(rcode(&p), DNS_FORMERR);
    CHECK_EQ(p.events_told, 0);
    CHECK_EQ(ask_for(&p, "good.test", DNS_A), DNS_NOERROR);
    place_done(&p);
}

/* --- TCP --- */

static int connect_tcp(struct place *p)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&p->tcp_at, sizeof p->tcp_at) == 0);
    return fd;
}

static void ask_tcp(int fd, uint16_t id, const char *name)
{
    uint8_t out[2 + 512];
    size_t n = make_question(out + 2, id, name, DNS_A);
    out[0] = (uint8_t)(n >> 8);
    out[1] = (uint8_t)n;
    CHECK_EQ(send(fd, out, 5, 0), 5); /* in two pieces */
    CHECK_EQ(send(fd, out + 5, n - 3, 0), n - 3);
}

static void wait_tcp(struct place *p, int fd)
{
    uint64_t until = clock_ms() + PATIENCE_MS;
    uint8_t in[2 + 8192];
    size_t size = 0;
    while (clock_ms() < until && (size < 2 || size < 2 + ((size_t)in[0] << 8 | in[1]))) {
        place_pump(p, fd, 100);
        ssize_t n = recv(fd, in + size, size < 2 ? 2 - size : 2 + ((size_t)in[0] << 8 | in[1]) - size, MSG_DONTWAIT);
        CHECK(n != 0);
        size += (size_t)MAX_OF(n, (ssize_t)0);
    }
    CHECK(size >= 14);
    p->answer_size = size - 2;
    memcpy(p->answer, in + 2, size - 2);
}

TEST(resolver_gives_big_answers_by_tcp_and_gets_them_so)
{
    struct place p;
    place_init(&p);
    CHECK_EQ(ask_for(&p, "big.test", DNS_A), DNS_NOERROR);
    CHECK(p.answer[2] & 2); /* truncated: 60 addresses do not fit into 512 bytes */
    CHECK(count(&p) > 20 && count(&p) < 60);
    CHECK_EQ(p.heard->tcp, 1);
    int fd = connect_tcp(&p);
    for (uint16_t i = 0; i < 3; i++) { /* several questions of one connection */
        ask_tcp(fd, i, "big.test");
        wait_tcp(&p, fd);
        CHECK(!(p.answer[2] & 2));
        CHECK_EQ(count(&p), 60);
        CHECK_EQ(p.answer[1], i);
    }
    CHECK_STR(known_as(&p, 93, 1, 1, 60), "big.test");
    (void)close(fd);
    place_done(&p);
}

TEST(resolver_goes_on_when_programs_leave_or_send_nonsense_by_tcp)
{
    struct place p;
    char c;
    place_init(&p);
    for (int i = 0; i < 40; i++) { /* more than there are places */
        int fd = connect_tcp(&p);
        ask_tcp(fd, 1, "good.test");
        (void)close(fd);
        place_pump(&p, p.program, 10); /* a broker that did nothing would hold them all */
    }
    int fd = connect_tcp(&p);
    CHECK_EQ(send(fd, "\xff\xff????", 6, 0), 6);
    while (recv(fd, &c, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN) /* it is closed on us */
        place_pump(&p, fd, 100);
    (void)close(fd);
    CHECK_EQ(ask_for(&p, "good.test", DNS_A), DNS_NOERROR);
    place_done(&p);
}

/* --- the broker's side --- */

TEST(resolver_that_dies_ends_the_run)
{
    struct place p;
    struct broker_message m = { 0 };
    place_init(&p);
    CHECK_EQ(kill(p.resolver, SIGKILL), 0);
    for (uint64_t until = clock_ms() + PATIENCE_MS;
         recv(p.launcher, &m, sizeof m, MSG_DONTWAIT) < 0 && clock_ms() < until;)
        place_pump(&p, p.program, 100);
    CHECK_EQ(m.type, BROKER_FAILED);
    CHECK_STR(m.text, "the resolver has ended");
    place_done(&p);
}

TEST(resolver_servers_are_read_as_resolv_conf_has_them)
{
    struct servers s;
    servers_parse("# a comment\nsearch x\nnameserver 10.0.0.1\nnameserver\t2001:db8::1 \nnameserver nonsense\n"
                  "options ndots:5 timeout:9 attempts:1\nnameserver 10.0.0.2\r\nnameserver 10.0.0.3",
                  &s);
    CHECK_EQ(s.count, 3);
    CHECK(s.list[1].address.ss_family == AF_INET6 && s.list[2].address.ss_family == AF_INET);
    CHECK(s.timeout_ms == 5000 && s.attempts == 1);
    CHECK(memcmp((char *)&s.list[2].address + 4, "\12\0\0\2", 4) == 0);
    CHECK(memcmp((char *)&s.list[0].address + 2, "\0\x35", 2) == 0);
    servers_parse("", &s);
    CHECK_EQ(s.count, 1);
    CHECK(memcmp((char *)&s.list[0].address + 4, "\x7f\0\0\1", 4) == 0);
}

TEST(resolver_takes_the_hosts_servers_where_the_rules_name_none)
{
    struct net_rules r = { .has_names = true };
    struct servers s = { 0 };
    struct error err = { 0 };
    CHECK_EQ(servers_read(&r, &s, &err), 0);
    CHECK(s.count >= 1 && s.list[0].size > 0);
    CHECK_EQ(strlist_add(&r.resolvers, "192.0.2.1:5353"), 0);
    CHECK_EQ(servers_read(&r, &s, &err), 0);
    CHECK(s.count == 1 && memcmp((char *)&s.list[0].address + 2, "\x14\xe9\xc0\0\2\1", 6) == 0);
    CHECK_EQ(strlist_add(&r.resolvers, "ns.example.org"), 0);
    CHECK_EQ(servers_read(&r, &s, &err), -EINVAL);
    CHECK(strstr(err.text, "ns.example.org"));
    net_rules_done(&r);
}

TEST(resolver_server_addresses_are_read_strictly)
{
    struct server s;
    static const char *const good[] = { "1.2.3.4", "1.2.3.4:5353", "[::1]:53", "[::1]", "::1", "fe80::1%1" };
    static const char *const bad[] = { "",       "1.2.3",  "1.2.3.4:",  "1.2.3.4:0",          "1.2.3.4:65536", "[::1",
                                       "[::1]x", "[::1]:", "name.test", "fe80::1%nosuchlink", "1.2.3.4:53:53" };
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        CHECK_EQ(server_parse(good[i], &s), 0);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(server_parse(bad[i], &s), -EINVAL);
}
