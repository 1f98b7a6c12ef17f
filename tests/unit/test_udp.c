/* Datagrams of a sandbox, relayed: what a program inside sees is what it would see outside. */
#include "udp_world.h"

#define IN_WORLD(guest, ...)                                                    \
    do {                                                                        \
        int s_ = in_world(&(struct world_options){ __VA_ARGS__ }, guest);       \
        if (s_ == WORLD_SKIPPED)                                                \
            SKIP("no user and network namespaces here, or no IPv6: see above"); \
        CHECK_EQ(s_, 0);                                                        \
    } while (0)

static void needs_ipv6(void)
{
    int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) < 0) {
        (void)fprintf(stderr, "# no IPv6 in a fresh network namespace: %s\n", strerror(errno));
        _exit(WORLD_SKIPPED);
    }
    (void)close(fd);
}

static void say(int fd, const char *what)
{
    EXPECT_EQ(send(fd, what, strlen(what), MSG_NOSIGNAL), strlen(what));
}

static void hear(int fd, const char *what)
{
    char got[64] = { 0 };
    EXPECT_EQ(recv(fd, got, sizeof got - 1, 0), strlen(what));
    EXPECT(str_eq(got, what));
}

/* Sends without a connection and expects the answer from exactly there. */
static void say_and_hear_from(int fd, const char *address, uint16_t port, const char *what)
{
    char got[64] = { 0 };
    union inet_name from;
    socklen_t size, from_size = sizeof from;
    union inet_name to = world_name(address, port, &size);
    EXPECT_EQ(sendto(fd, what, strlen(what), 0, &to.any, size), strlen(what));
    EXPECT_EQ(recvfrom(fd, got, sizeof got - 1, 0, &from.any, &from_size), strlen(what));
    EXPECT(str_eq(got, what));
    EXPECT(from_size == size && memcmp(&from, &to, size) == 0);
}

static void ask_both_ways(const char *address)
{
    EXPECT_EQ(world_ask(WORLD_SERVE, address, 7007), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, address, 7007), 0);
    int one = world_connected(address, 7007), two = world_connected(address, 7007);
    int free = world_unconnected(strchr(address, ':') ? AF_INET6 : AF_INET);
    say(one, "first");
    say(two, "second");
    hear(two, "second");
    hear(one, "first");
    say_and_hear_from(free, address, 7007, "third");
    say(one, ""); /* a datagram of nothing is a datagram */
    hear(one, "");
    EXPECT_EQ(world_ask(WORLD_FLOWS, NULL, 0), 3);
    EXPECT_EQ(world_ask(WORLD_LIVE, NULL, 0), 1);
    EXPECT_EQ(world_ask(WORLD_BYTES, NULL, 0), 2 * (5 + 6 + 5));
}

static void over_ipv4(void)
{
    ask_both_ways("93.184.216.34");
}
static void over_ipv6(void)
{
    needs_ipv6();
    ask_both_ways("2606:2800::1");
}

TEST(datagrams_reach_an_ipv4_server_and_answers_come_from_its_address_to_whoever_asked)
{
    IN_WORLD(over_ipv4);
}
TEST(datagrams_reach_an_ipv6_server_and_answers_come_from_its_address_to_whoever_asked)
{
    IN_WORLD(over_ipv6);
}

static void to_two_places(void)
{
    EXPECT_EQ(world_ask(WORLD_SERVE, "93.184.216.34", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 9009), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "93.184.216.34", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 9009), 0);
    int fd = world_unconnected(AF_INET);
    say_and_hear_from(fd, "93.184.216.34", 7007, "one");
    say_and_hear_from(fd, "8.8.8.8", 9009, "other");
    say_and_hear_from(fd, "93.184.216.34", 7007, "again");
    EXPECT_EQ(world_ask(WORLD_FLOWS, NULL, 0), 2);
    EXPECT_EQ(world_ask(WORLD_LIVE, NULL, 0), 2);
}
TEST(one_socket_may_talk_to_two_places)
{
    IN_WORLD(to_two_places);
}

static void as_mapped(void)
{
    needs_ipv6();
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 7007), 0);
    int fd = world_connected("::ffff:8.8.8.8", 7007);
    say(fd, "mapped");
    hear(fd, "mapped");
}
TEST(an_ipv4_mapped_ipv6_socket_gets_its_answers)
{
    IN_WORLD(as_mapped);
}

static void of_any_size(void)
{
    static const size_t sizes[] = { 1, 1472, 1473, 9000, 65506, 65507 };
    static uint8_t sent[65508], got[65536];
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 7007), 0);
    int fd = world_connected("8.8.8.8", 7007);
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (uint8_t)(i * 31 + i / 251);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        EXPECT_EQ(send(fd, sent, sizes[i], 0), sizes[i]);
        EXPECT_EQ(recv(fd, got, sizeof got, 0), sizes[i]);
        EXPECT(memcmp(sent, got, sizes[i]) == 0);
    }
    EXPECT(send(fd, sent, 65508, 0) < 0 && errno == EMSGSIZE); /* as everywhere */
}
TEST(datagrams_of_every_size_arrive_whole)
{
    IN_WORLD(of_any_size);
}

static void in_bursts(void)
{
    enum { MANY = 100 };
    bool came[MANY] = { false };
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 7007), 0);
    int fds[2] = { world_connected("8.8.8.8", 7007), world_connected("8.8.8.8", 7007) };
    for (uint32_t i = 0; i < MANY; i++)
        EXPECT_EQ(send(fds[i % 2], &i, sizeof i, 0), sizeof i);
    for (uint32_t i = 0, got; i < MANY; i++) {
        EXPECT_EQ(recv(fds[i % 2], &got, sizeof got, 0), sizeof got);
        EXPECT(got < MANY && got % 2 == i % 2 && !came[got]);
        came[got] = true;
    }
}
TEST(a_burst_of_two_clients_is_told_apart)
{
    IN_WORLD(in_bursts);
}

static void refused(const char *address)
{
    char byte;
    EXPECT_EQ(world_ask(WORLD_OPEN, address, 9009), 0);
    int waiting = world_connected(address, 9009), other = world_connected(address, 9009);
    say(waiting, "anybody?");
    EXPECT(recv(waiting, &byte, 1, 0) < 0);
    EXPECT_EQ(errno, ECONNREFUSED); /* while it waited, not at its next datagram */
    /* its error is nobody else's */
    EXPECT(recv(other, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
    /* the server comes back: so does the connection, without asking anybody */
    EXPECT_EQ(world_ask(WORLD_SERVE, address, 9009), 0);
    say(waiting, "now?");
    hear(waiting, "now?");
    EXPECT_EQ(world_ask(WORLD_STOP_SERVING, NULL, 0), 0);
    say(waiting, "still?");
    EXPECT(recv(waiting, &byte, 1, 0) < 0);
    EXPECT_EQ(errno, ECONNREFUSED);
}
static void refused_ipv4(void)
{
    refused("8.8.8.8");
}
static void refused_ipv6(void)
{
    needs_ipv6();
    refused("2606:2800::1");
}
TEST(a_refused_ipv4_datagram_is_refused_to_the_one_who_sent_it)
{
    IN_WORLD(refused_ipv4);
}
TEST(a_refused_ipv6_datagram_is_refused_to_the_one_who_sent_it)
{
    IN_WORLD(refused_ipv6);
}

static void without_a_way(void)
{
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 7007), ENETUNREACH);
    EXPECT_EQ(world_ask(WORLD_OPEN, "2606:2800::1", 7007), ENETUNREACH);
}
TEST(what_the_host_cannot_reach_is_unreachable_at_once)
{
    IN_WORLD(without_a_way, .host_is_bare = true);
}

static void unasked(void)
{
    char byte;
    int fd = world_connected("8.8.8.8", 7007); /* natively: no broker was asked */
    say(fd, "?");
    EXPECT(recv(fd, &byte, 1, 0) < 0);
    EXPECT_EQ(errno, ECONNREFUSED);
    /* TCP likewise, both families */
    static const char *const there[] = { "93.184.216.34", "192.0.2.1", "127.0.0.1", "2606:2800::1" };
    for (size_t i = 0; i < ARRAY_LEN(there); i++) {
        socklen_t size;
        union inet_name n = world_name(there[i], 443, &size);
        int tcp = socket(n.any.sa_family, SOCK_STREAM, 0);
        if (tcp < 0)
            continue; /* no IPv6 */
        uint64_t since = clock_ms();
        EXPECT(connect(tcp, &n.any, size) < 0);
        EXPECT(errno == ECONNREFUSED || (i == 3 && errno == EADDRNOTAVAIL));
        EXPECT(clock_ms() - since < 20000); /* where nobody answers, the kernel tries for two minutes */
        (void)close(tcp);
    }
    EXPECT_EQ(world_ask(WORLD_BYTES, NULL, 0), 0);
}
TEST(whoever_did_not_ask_is_refused_at_once_by_its_own_loopback)
{
    IN_WORLD(unasked);
}

static void at_home(void)
{
    union inet_name own = { 0 };
    socklen_t size = sizeof own;
    int server = world_unconnected(AF_INET), fd;
    own.v4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    EXPECT(bind(server, &own.any, sizeof own.v4) == 0 && getsockname(server, &own.any, &size) == 0);
    fd = world_connected("127.0.0.1", ntohs(own.v4.sin_port));
    say(fd, "at home");
    hear(server, "at home");
    size = sizeof own;
    EXPECT(getsockname(fd, &own.any, &size) == 0 && own.v4.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    /* and to the world it has one address, which is no loopback and not the server's */
    fd = world_connected("8.8.8.8", 7007);
    size = sizeof own;
    EXPECT(getsockname(fd, &own.any, &size) == 0 && own.v4.sin_addr.s_addr == inet_addr("192.0.2.1"));
}
TEST(loopback_stays_the_sandboxs_own)
{
    IN_WORLD(at_home);
}

static void begins(uint64_t number)
{
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), WATCH_CONNECT);
    EXPECT(world_event.connection == number && world_event.port == 7007 && world_event.protocol == IPPROTO_UDP);
    EXPECT(world_event.verdict == WATCH_ALLOWED && world_event.pid == 1 && strstr(world_text, "public"));
    EXPECT_EQ(world_ask(WORLD_LIVE, NULL, 0), 1);
}

static void ends(uint64_t number, uint64_t bytes)
{
    EXPECT_EQ(world_ask(WORLD_SILENCE, NULL, UDP_IDLE_MS + 1000), 0);
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), WATCH_CLOSED);
    EXPECT(world_event.connection == number && world_event.bytes_out == bytes && world_event.bytes_in == bytes);
    EXPECT_EQ(world_ask(WORLD_FLOWS, NULL, 0), 0);
    EXPECT_EQ(world_ask(WORLD_LIVE, NULL, 0), 0);
}

static void silent(void)
{
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 7007), 0);
    int fd = world_connected("8.8.8.8", 7007);
    EXPECT_EQ(world_ask(WORLD_LIVE, NULL, 0), 0); /* nothing was sent: it is no connection yet */
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), 0);
    say(fd, "before");
    hear(fd, "before");
    begins(1);
    EXPECT_EQ(world_ask(WORLD_SILENCE, NULL, 100), 0);
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), WATCH_TRAFFIC);
    EXPECT(world_event.connection == 1 && world_event.bytes_out == 6 && world_event.bytes_in == 6);
    EXPECT_EQ(world_ask(WORLD_SILENCE, NULL, 200), 0);
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), 0); /* nothing new */
    EXPECT_EQ(world_ask(WORLD_FLOWS, NULL, 0), 1);
    ends(1, 6);
    /* it may go on, as a new connection */
    say(fd, "later");
    hear(fd, "later");
    begins(2);
    ends(2, 5);
    /* likewise when somebody has asked again */
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), 0);
    say(fd, "asked");
    hear(fd, "asked");
    begins(3);
}
TEST(a_minute_of_silence_ends_a_connection_and_the_next_datagram_begins_another)
{
    IN_WORLD(silent);
}

static void too_many(void)
{
    char byte;
    for (uint16_t port = 1000; port < 1003; port++)
        EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", port), 0); /* nobody lives yet */
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 1000), 0);
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 1001), 0);
    int one = world_connected("8.8.8.8", 1000), two = world_connected("8.8.8.8", 1001);
    say(one, "1");
    hear(one, "1");
    say(two, "2");
    EXPECT(recv(two, &byte, 1, 0) < 0);
    EXPECT_EQ(errno, EHOSTUNREACH); /* what «administratively prohibited» is in IPv4 */
    EXPECT(world_ask(WORLD_OPEN, "8.8.8.8", 1004) != 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 1000), 0); /* that one lives */
    say(one, "3");
    hear(one, "3");
}
TEST(more_connections_than_the_profile_allows_are_refused)
{
    IN_WORLD(too_many, .max_connections = 1);
}

static void too_much(void)
{
    char byte;
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 7007), 0);
    int fd = world_connected("8.8.8.8", 7007);
    say(fd, "12345");
    hear(fd, "12345");
    say(fd, "6");
    EXPECT(recv(fd, &byte, 1, 0) < 0);
    EXPECT_EQ(errno, EHOSTUNREACH);
    EXPECT_EQ(world_ask(WORLD_BYTES, NULL, 0), 10);
}
TEST(more_bytes_than_the_profile_allows_are_not_relayed)
{
    IN_WORLD(too_much, .max_bytes = 10);
}

static void many_relays(void)
{
    char byte;
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 1000), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 1000), 0);
    int fd = world_connected("8.8.8.8", 1000);
    say(fd, "here");
    hear(fd, "here");
    for (uint16_t i = 1; i <= UDP_RELAYS; i++) /* the last one takes the place of the first */
        EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", (uint64_t)(1000 + i)), 0);
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), WATCH_CONNECT);
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), WATCH_CLOSED);
    EXPECT(world_event.connection == 1 && world_event.port == 1000 && world_event.bytes_in == 4);
    EXPECT_EQ(world_ask(WORLD_LIVE, NULL, 0), 0);
    say(fd, "gone");
    EXPECT(recv(fd, &byte, 1, 0) < 0 && errno == ECONNREFUSED);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 1000), 0);
    say(fd, "back");
    hear(fd, "back");
}
TEST(the_oldest_relay_makes_place)
{
    IN_WORLD(many_relays);
}

static void many_flows(void)
{
    enum { MORE = 10 };
    EXPECT_EQ(world_ask(WORLD_SERVE, "8.8.8.8", 7007), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 7007), 0);
    int first = world_connected("8.8.8.8", 7007);
    say(first, "first");
    hear(first, "first");
    for (size_t i = 0; i < UDP_FLOWS + MORE; i++) {
        int fd = world_connected("8.8.8.8", 7007);
        say(fd, "x");
        hear(fd, "x");
        (void)close(fd);
    }
    EXPECT_EQ(world_ask(WORLD_FLOWS, NULL, 0), UDP_FLOWS);
    EXPECT_EQ(world_ask(WORLD_LIVE, NULL, 0), 1);
    say(first, "again"); /* its flow made place long ago: it gets another */
    hear(first, "again");
}
TEST(a_program_with_a_new_socket_for_each_question_takes_no_more_than_its_share_of_the_host)
{
    IN_WORLD(many_flows);
}

static void ask_names(void)
{
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 53), 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "9.9.9.9", 53), 0);
    int one = world_connected("8.8.8.8", 53), free = world_unconnected(AF_INET);
    say(one, "name?");
    hear(one, "name?");
    say_and_hear_from(free, "9.9.9.9", 53, "and this?");
    say_and_hear_from(free, "127.0.0.53", 53, "the resolver itself");
}

static void questions(void)
{
    ask_names();
    EXPECT_EQ(world_ask(WORLD_LIVE, NULL, 0), 0);
    EXPECT_EQ(world_ask(WORLD_BYTES, NULL, 0), 0);
    EXPECT_EQ(world_ask(WORLD_EVENT, NULL, 0), 0);
}
TEST(questions_to_any_name_server_go_to_our_own_resolver)
{
    IN_WORLD(questions, .has_names = true);
}

static void no_questions(void)
{
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 53), EACCES);
}
TEST(without_names_nobody_is_asked_for_them)
{
    IN_WORLD(no_questions);
}

static void taken(void)
{
    socklen_t size;
    union inet_name any = world_name("0.0.0.0", 123, &size);
    int fd = world_unconnected(AF_INET);
    EXPECT(bind(fd, &any.any, size) == 0);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 123), EADDRINUSE);
    EXPECT_EQ(world_ask(WORLD_OPEN, "8.8.8.8", 124), 0); /* and nothing is broken by it */
}
TEST(a_port_that_the_sandbox_holds_everywhere_cannot_be_relayed)
{
    IN_WORLD(taken);
}

TEST(a_sandbox_without_loopback_gets_no_broker_and_is_told_why)
{
    IN_WORLD(NULL, .loopback_is_down = true);
}

static void all_sorts(void)
{
    over_ipv4();
    of_any_size();
    ask_names();
    refused_ipv4();
    EXPECT_EQ(world_ask(WORLD_SILENCE, NULL, UDP_IDLE_MS + 1000), 0);
}
TEST(a_confined_broker_relays_datagrams)
{
    if (WORLD_IS_SANITIZED)
        SKIP("the sanitizer makes calls that a broker may not");
    IN_WORLD(all_sorts, .is_confined = true, .has_names = true);
}
