/* Messages of DNS, as bytes that are written here by hand: what the codec reads is not what it has written itself. */
#include <sys/socket.h>

#include "net/dns.h"
#include "test.h"

#define Q_A                                                \
    "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03" \
    "www\x07"                                              \
    "example\x03"                                          \
    "org\x00\x00\x01\x00\x01"
#define OPT "\x00\x00\x29\x04\xd0\x00\x00\x00\x00\x00\x00"

#define READ_QUERY(text, ret) dns_query_read((const uint8_t *)(text), sizeof(text) - 1, (ret))

TEST(dns_question_of_a_program_is_read)
{
    struct dns_query q;
    char name[NET_NAME_MAX];
    CHECK_EQ(READ_QUERY(Q_A, &q), 0);
    CHECK_EQ(q.id, 0x1234);
    CHECK_EQ(q.question.type, DNS_A);
    CHECK(q.recursion_desired && !q.has_edns);
    CHECK_EQ(q.udp_size, 512);
    CHECK(dns_name_text(&q.question.name, name));
    CHECK_STR(name, "www.example.org");
}

TEST(dns_question_with_edns_and_its_options_is_read)
{
    struct dns_query q;
    CHECK_EQ(READ_QUERY("\x00\x01\x01\x20\x00\x01\x00\x00\x00\x00\x00\x01\x01"
                        "a\x00\x00\x1c\x00\x01" OPT,
                        &q),
             0);
    CHECK(q.has_edns);
    CHECK_EQ(q.udp_size, 1232);
    CHECK_EQ(READ_QUERY("\x00\x01\x01\x20\x00\x01\x00\x00\x00\x00\x00\x01\x01"
                        "a\x00\x00\x1c\x00\x01\x00\x00\x29\x00\x10\x00\x00\x00\x00\x00\x0c\x00\x0a\x00\x08"
                        "12345678",
                        &q),
             0);
    CHECK_EQ(q.udp_size, 512); /* less is never meant */
}

TEST(dns_question_that_is_none_is_not_answered)
{
    struct dns_query q;
    CHECK_EQ(READ_QUERY("", &q), -EBADMSG);
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00", &q), -EBADMSG);
    CHECK_EQ(READ_QUERY("\x12\x34\x81\x80\x00\x01\x00\x00\x00\x00\x00\x00\x01"
                        "a\x00\x00\x01\x00\x01",
                        &q),
             -EBADMSG); /* an answer */
}

TEST(dns_question_that_is_wrong_is_answered_with_why)
{
    struct dns_query q;
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00", &q), DNS_FORMERR); /* no question */
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x02\x00\x00\x00\x00\x00\x00\x01"
                        "a\x00\x00\x01\x00\x01\x01"
                        "b\x00\x00\x01\x00\x01",
                        &q),
             DNS_FORMERR);
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01"
                        "a\x00\x00\x01\x00\x01x",
                        &q),
             DNS_FORMERR); /* more behind it */
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01"
                        "a\x00\x00\x01\x00",
                        &q),
             DNS_FORMERR); /* cut */
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01"
                        "a\xc0\x0c\x00\x01\x00\x01",
                        &q),
             DNS_FORMERR); /* a pointer to itself */
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x41"
                        "a\x00\x00\x01\x00\x01",
                        &q),
             DNS_FORMERR); /* another form of label */
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01\x01"
                        "a\x00\x00\x01\x00\x01\x00\x00\xfa\x00\x01\x00\x00\x00\x00\x00\x00",
                        &q),
             DNS_FORMERR); /* TSIG */
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01"
                        "a\x00\x00\x01\x00\x03",
                        &q),
             DNS_NOTIMP); /* class CH */
    CHECK_EQ(READ_QUERY("\x12\x34\x29\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01"
                        "a\x00\x00\x01\x00\x01",
                        &q),
             DNS_NOTIMP); /* an update */
    CHECK_EQ(READ_QUERY("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01\x01"
                        "a\x00\x00\x01\x00\x01\x00\x00\x29\x04\xd0\x00\x01\x00\x00\x00\x00",
                        &q),
             DNS_BADVERS);
}

TEST(dns_name_of_253_characters_is_read_and_one_more_is_not)
{
    uint8_t m[12 + 256 + 4] = "\x00\x01\x01\x00\x00\x01";
    static const uint8_t lengths[] = { 63, 63, 63, 61 };
    struct dns_query q;
    char name[NET_NAME_MAX];
    size_t at = 12;
    for (size_t i = 0; i < 4; i++) {
        m[at++] = lengths[i];
        memset(m + at, 'x', lengths[i]);
        at += lengths[i];
    }
    m[at + 2] = m[at + 4] = 1;
    CHECK_EQ(at + 5, 12 + 255 + 4);
    CHECK_EQ(dns_query_read(m, at + 5, &q), 0);
    CHECK(dns_name_text(&q.question.name, name));
    CHECK_EQ(strlen(name), 253);
    m[12 + 192] = 62;
    m[at] = 'x';
    memcpy(m + at + 1, "\0\0\1\0\1", 5);
    CHECK_EQ(dns_query_read(m, at + 6, &q), DNS_FORMERR);
}

TEST(dns_names_as_text_and_back)
{
    struct dns_name n, m;
    char text[NET_NAME_MAX];
    CHECK_EQ(dns_name_from_text("_dmarc.Example-1.ORG.", &n), 0);
    CHECK(dns_name_text(&n, text));
    CHECK_STR(text, "_dmarc.example-1.org");
    CHECK_EQ(dns_name_from_text(text, &m), 0);
    CHECK(dns_name_equal(&n, &m) && memcmp(n.wire, m.wire, n.size) != 0);
    CHECK_EQ(dns_name_from_text(".", &n), 0);
    CHECK_EQ(n.size, 1);
    CHECK(dns_name_text(&n, text));
    CHECK_STR(text, ".");
    CHECK_EQ(dns_name_from_text("a..b", &n), -EINVAL);
    CHECK_EQ(dns_name_from_text(".a", &n), -EINVAL);
    CHECK_EQ(dns_name_from_text("a b\x01\xff.org", &n), 0);
    CHECK(!dns_name_text(&n, text)); /* not to be printed, not to be decided on */
    CHECK_STR(text, "a?b??.org");
    n = (struct dns_name){ 5, { 3, 'a', '.', 'b', 0 } };
    CHECK(!dns_name_text(&n, text)); /* a dot within a label is not the name a.b */
    CHECK_STR(text, "a?b");
}

TEST(dns_mixed_case_is_the_same_name_and_other_bytes)
{
    struct dns_name n, mixed;
    uint8_t random[DNS_NAME_MAX / 8 + 1];
    memset(random, 0xff, sizeof random);
    CHECK_EQ(dns_name_from_text("www.example-1.org", &n), 0);
    mixed = n;
    dns_mix_case(&mixed, random);
    CHECK(memcmp(mixed.wire, "\3WWW\11EXAMPLE-1\3ORG", mixed.size) == 0);
    CHECK(dns_name_equal(&mixed, &n));
    dns_name_lower(&mixed);
    CHECK(memcmp(mixed.wire, n.wire, n.size) == 0);
}

TEST(dns_reverse_names_are_addresses)
{
    struct net_address a;
    CHECK(dns_reverse_address("4.3.2.10.in-addr.arpa", &a));
    CHECK(a.family == AF_INET && memcmp(a.bytes, "\12\2\3\4", 4) == 0);
    CHECK(dns_reverse_address("1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa", &a));
    CHECK(a.family == AF_INET6 && a.bytes[0] == 0x20 && a.bytes[1] == 0x01 && a.bytes[2] == 0x0d &&
          a.bytes[3] == 0xb8 && a.bytes[15] == 1);
    CHECK(!dns_reverse_address("3.2.10.in-addr.arpa", &a));
    CHECK(!dns_reverse_address("256.3.2.10.in-addr.arpa", &a));
    CHECK(!dns_reverse_address("04.3.2.10.in-addr.arpa", &a));
    CHECK(!dns_reverse_address("5.4.3.2.10.in-addr.arpa", &a));
    CHECK(!dns_reverse_address("4.3.2.10.in-addr.arpa.org", &a));
    CHECK(!dns_reverse_address("1.0.ip6.arpa", &a));
    CHECK(!dns_reverse_address("", &a));
}

/* --- answers of servers --- */

static struct dns_ask asked(const char *name, uint16_t type)
{
    struct dns_ask a = { .id = 0xabcd, .has_edns = true, .question.type = type };
    CHECK_EQ(dns_name_from_text(name, &a.question.name), 0);
    return a;
}

#define HEAD(questions, answers, authorities) \
    "\xab\xcd\x81\x80\x00" questions "\x00" answers "\x00" authorities "\x00\x00"
#define ASKED \
    "\x03"    \
    "wWw\x02" \
    "Ex\x00\x00\x01\x00\x01"
#define A_OF(owner, address)          owner "\x00\x01\x00\x01\x00\x00\x01\x2c\x00\x04" address
#define CNAME_OF(owner, size, target) owner "\x00\x05\x00\x01\x00\x00\x00\x3c\x00" size target
#define READ_ANSWER(text, sent, ret)  dns_answer_read((const uint8_t *)(text), sizeof(text) - 1, (sent), (ret))

TEST(dns_question_of_ours_is_written)
{
    uint8_t out[DNS_ASK_MAX];
    struct dns_ask a = asked("wWw.Ex", DNS_A);
    static const char expected[] = "\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01" ASKED OPT;
    CHECK_EQ(dns_ask_write(&a, out), sizeof expected - 1);
    CHECK(memcmp(out, expected, sizeof expected - 1) == 0);
}

TEST(dns_answer_with_addresses_is_read)
{
    struct dns_ask a = asked("wWw.Ex", DNS_A);
    static struct dns_answer r;
    struct net_address address;
    CHECK_EQ(
        READ_ANSWER(HEAD("\1", "\2", "\0") ASKED A_OF("\xc0\x0c", "\1\2\3\4") A_OF("\3www\2ex\0", "\5\6\7\x8"), &a, &r),
        0);
    CHECK(r.rcode == 0 && r.chain == 0 && r.count == 2);
    CHECK(dns_record_address(&r, 1, &address));
    CHECK(address.family == AF_INET && memcmp(address.bytes, "\5\6\7\x8", 4) == 0);
    CHECK_EQ(dns_answer_ttl(&r), 300);
    dns_answer_age(&r, 100);
    CHECK_EQ(dns_answer_ttl(&r), 200);
    dns_answer_age(&r, 1000);
    CHECK_EQ(dns_answer_ttl(&r), 0);
}

TEST(dns_answer_to_something_else_is_none)
{
    struct dns_ask a = asked("wWw.Ex", DNS_A);
    static struct dns_answer r;
    CHECK_EQ(READ_ANSWER("", &a, &r), -EAGAIN);
    CHECK_EQ(READ_ANSWER("\xab\xce\x81\x80\x00\x01\x00\x00\x00\x00\x00\x00" ASKED, &a, &r), -EAGAIN); /* id */
    CHECK_EQ(READ_ANSWER("\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00" ASKED, &a, &r), -EAGAIN); /* a question */
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\0", "\0") "\3wWw\2Ey\0\0\1\0\1", &a, &r), -EAGAIN);             /* name */
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\0", "\0") "\3wWw\2Ex\0\0\x1c\0\1", &a, &r), -EAGAIN);           /* type */
    CHECK_EQ(READ_ANSWER(HEAD("\0", "\0", "\0"), &a, &r), -EAGAIN);
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\0", "\0") "\3www\2ex\0\0\1\0\1", &a, &r), -EPROTO); /* case */
    CHECK_EQ(READ_ANSWER("\xab\xcd\x83\x80\x00\x01\x00\x00\x00\x00\x00\x00" ASKED, &a, &r), -EMSGSIZE);
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\0", "\0") ASKED, &a, &r), 0);
    CHECK_EQ(READ_ANSWER("\xab\xcd\x81\x81\x00\x00\x00\x00\x00\x00\x00\x00", &a, &r), 0); /* no EDNS there */
    CHECK_EQ(r.rcode, DNS_FORMERR);
}

TEST(dns_answer_follows_cnames_in_any_order_and_takes_nothing_else)
{
    struct dns_ask a = asked("wWw.Ex", DNS_A);
    static struct dns_answer r;
    char name[NET_NAME_MAX];
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\5", "\0") ASKED A_OF("\1c\0", "\1\2\3\4") CNAME_OF("\1B\0", "\3", "\1C\0")
                             A_OF("\1x\0", "\6\6\6\6") CNAME_OF("\xc0\x0c", "\3", "\1b\0") A_OF("\xc0\x0c", "\7\7\7\7"),
                         &a, &r),
             0);
    CHECK(r.chain == 2 && r.count == 3);
    struct dns_name n = dns_record_target(&r, 1);
    CHECK(dns_name_text(&n, name));
    CHECK_STR(name, "c");
    CHECK(memcmp(r.pool + r.records[2].at, "\1\2\3\4", 4) == 0);
    CHECK_EQ(dns_answer_ttl(&r), 60);
}

TEST(dns_answer_whose_cnames_lead_back_is_refused)
{
    struct dns_ask a = asked("wWw.Ex", DNS_A);
    static struct dns_answer r;
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") ASKED CNAME_OF("\xc0\x0c", "\2", "\xc0\x0c"), &a, &r), -EBADMSG);
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\2", "\0") ASKED CNAME_OF("\xc0\x0c", "\3", "\1b\0")
                             CNAME_OF("\1b\0", "\2", "\xc0\x0c"),
                         &a, &r),
             -EBADMSG);
}

TEST(dns_answer_that_is_damaged_is_refused)
{
    struct dns_ask a = asked("wWw.Ex", DNS_A);
    static struct dns_answer r;
    static const char good[] = HEAD("\1", "\2", "\0") ASKED CNAME_OF("\xc0\x0c", "\3", "\1b\0")
        A_OF("\1b\0", "\1\2\3\4");
    CHECK_EQ(READ_ANSWER(good, &a, &r), 0);
    for (size_t n = 12 + 12; n < sizeof good - 1; n++) /* cut anywhere behind the question */
        CHECK_EQ(dns_answer_read((const uint8_t *)good, n, &a, &r), -EBADMSG);
    CHECK_EQ(dns_answer_read((const uint8_t *)good, sizeof good, &a, &r), -EBADMSG); /* one byte more */
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") ASKED "\xc0\x0c\x00\x01\x00\x01\x00\x00\x01\x2c\x00\x03"
                                                      "\1\2\3",
                         &a, &r),
             -EBADMSG);
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") ASKED "\xc0\x0c\x00\x01\x00\x01\x00\x00\x01\x2c\x00\x05"
                                                      "\1\2\3\4\5",
                         &a, &r),
             -EBADMSG);
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") ASKED A_OF("\xc0\x18", "\1\2\3\4"), &a, &r),
             -EBADMSG); /* a pointer to itself */
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") ASKED A_OF("\xc0\x20", "\1\2\3\4"), &a, &r),
             -EBADMSG); /* and forward */
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") ASKED A_OF("\xc0\x00", "\1\2\3\4"), &a, &r),
             -EBADMSG); /* and into the header */
}

TEST(dns_answer_that_there_is_nothing_says_for_how_long)
{
    struct dns_ask a = asked("wWw.Ex", DNS_A);
    static struct dns_answer r;
    CHECK_EQ(READ_ANSWER("\xab\xcd\x81\x83\x00\x01\x00\x00\x00\x01\x00\x00" ASKED
                         "\2ex\0\x00\x06\x00\x01\x00\x00\x0e\x10\x00\x1a\1m\0\1n\0"
                         "\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\x19",
                         &a, &r),
             0);
    CHECK(r.rcode == DNS_NXDOMAIN && r.count == 0);
    CHECK_EQ(dns_answer_ttl(&r), 25);
}

TEST(dns_answer_of_other_known_types_is_read_with_its_names_uncompressed)
{
    struct dns_ask a = asked("wWw.Ex", DNS_MX);
    static struct dns_answer r;
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") "\x03"
                                                "wWw\x02"
                                                "Ex\x00\x00\x0f\x00\x01"
                                                "\xc0\x0c\x00\x0f\x00\x01\x00\x00\x01\x2c\x00\x06\x00\x0a\1M\xc0\x10",
                         &a, &r),
             0);
    CHECK_EQ(r.count, 1);
    CHECK_EQ(r.records[0].size, 2 + 2 + 4);
    CHECK(memcmp(r.pool, "\0\x0a\1m\2ex\0", 8) == 0);
    a.question.type = DNS_TXT;
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") "\x03"
                                                "wWw\x02"
                                                "Ex\x00\x00\x10\x00\x01"
                                                "\xc0\x0c\x00\x10\x00\x01\x00\x00\x01\x2c\x00\x05\1a\2bc",
                         &a, &r),
             0);
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\1", "\0") "\x03"
                                                "wWw\x02"
                                                "Ex\x00\x00\x10\x00\x01"
                                                "\xc0\x0c\x00\x10\x00\x01\x00\x00\x01\x2c\x00\x05\1a\3bc",
                         &a, &r),
             -EBADMSG);
    CHECK(dns_is_known(DNS_SRV) && !dns_is_known(DNS_HTTPS) && !dns_is_known(DNS_ANY) && !dns_is_known(DNS_OPT));
}

/* --- answers for programs --- */

static void add_some(struct dns_answer *a, int count)
{
    for (int i = 0; i < count; i++) {
        uint8_t four[4] = { 1, 2, 3, (uint8_t)i };
        struct net_address address = net_address_from(AF_INET, four);
        dns_answer_add_address(a, &address, 60);
    }
}

TEST(dns_answer_for_a_program_is_written)
{
    struct dns_query q;
    static struct dns_answer a;
    uint8_t out[512];
    static const char expected[] = "\x12\x34\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00\x03"
                                   "www\x07"
                                   "example\x03"
                                   "org\x00\x00\x01\x00\x01"
                                   "\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\1\2\3\0";
    CHECK_EQ(READ_QUERY(Q_A, &q), 0);
    dns_answer_clear(&a, DNS_NOERROR);
    add_some(&a, 1);
    CHECK_EQ(dns_answer_write(&q, &a, "not told without EDNS", true, out, sizeof out), sizeof expected - 1);
    CHECK(memcmp(out, expected, sizeof expected - 1) == 0);
}

TEST(dns_answer_with_a_chain_is_read_again_as_it_was_written)
{
    struct dns_ask ask = asked("wWw.Ex", DNS_A);
    static struct dns_answer a, again;
    uint8_t out[512];
    struct dns_query q = { .id = ask.id, .udp_size = 512, .question = ask.question };
    CHECK_EQ(READ_ANSWER(HEAD("\1", "\3", "\0") ASKED CNAME_OF("\xc0\x0c", "\4", "\2bb\0")
                             CNAME_OF("\2bb\0", "\3", "\1c\0") A_OF("\1c\0", "\1\2\3\4"),
                         &ask, &a),
             0);
    size_t n = dns_answer_write(&q, &a, NULL, true, out, sizeof out);
    CHECK_EQ(dns_answer_read(out, n, &ask, &again), 0);
    CHECK(again.chain == 2 && again.count == 3 && again.used == a.used && memcmp(again.pool, a.pool, a.used) == 0);
}

TEST(dns_answer_that_does_not_fit_is_marked_as_truncated)
{
    struct dns_query q;
    static struct dns_answer a;
    uint8_t out[2048];
    CHECK_EQ(READ_QUERY(Q_A, &q), 0);
    dns_answer_clear(&a, DNS_NOERROR);
    add_some(&a, 60);
    CHECK_EQ(dns_answer_write(&q, &a, NULL, true, out, sizeof out),
             33 + 29 * 16); /* what there is room for: some cannot ask by TCP */
    CHECK(out[2] & 2);      /* TC */
    CHECK(out[6] == 0 && out[7] == 29);
    q.has_edns = true;
    CHECK_EQ(dns_answer_write(&q, &a, "no room for words", true, out, sizeof out), 33 + 29 * 16 + 11);
    CHECK(out[7] == 29 && out[11] == 1);
    q.has_edns = false;
    CHECK_EQ(dns_answer_write(&q, &a, NULL, false, out, sizeof out), 33 + 60 * 16);
    CHECK(!(out[2] & 2) && out[7] == 60);
    add_some(&a, 60);
    CHECK_EQ(a.count, DNS_RECORDS_MAX);
}

TEST(dns_refusal_says_why_where_edns_has_room_for_it)
{
    struct dns_query q;
    static struct dns_answer a;
    uint8_t out[512];
    CHECK_EQ(READ_QUERY("\x00\x01\x01\x20\x00\x01\x00\x00\x00\x00\x00\x01\x01"
                        "a\x00\x00\x1c\x00\x01" OPT,
                        &q),
             0);
    dns_answer_clear(&a, DNS_NXDOMAIN);
    size_t n = dns_answer_write(&q, &a, "no rule allows it", true, out, sizeof out);
    CHECK_EQ(out[3] & 15, DNS_NXDOMAIN);
    CHECK(memcmp(out + n - 17, "no rule allows it", 17) == 0);
    CHECK(memcmp(out + n - 17 - 6, "\x00\x0f\x00\x13\x00\x11", 6) == 0);
    dns_answer_clear(&a, DNS_BADVERS);
    n = dns_answer_write(&q, &a, NULL, true, out, sizeof out);
    CHECK_EQ(out[3] & 15, 0);
    CHECK_EQ(out[n - 6], 1); /* the upper half of 16 */
}
