/* Webhooks: what is signed how, where posts may go, when they are tried again, what waits and what is dropped. Sending
 * itself: tests/integration/test_webhooks.py. */
#include "test.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "daemon/webhook_internal.h"

/* ---- signatures ---- */

static struct webhook_secret secret_of(const char *text)
{
    struct webhook_secret s = { .size = strlen(text) };
    memcpy(s.bytes, text, s.size);
    return s;
}

TEST(a_post_is_signed_as_documented)
{
    /* printf '1700000000.{"id":"evt-1"}' | openssl dgst -sha256 -hmac 'a secret of webhooks' */
    const struct webhook_secret s = secret_of("a secret of webhooks");
    char text[WEBHOOK_SIGNATURE_SIZE], other[WEBHOOK_SIGNATURE_SIZE];
    webhook_sign(&s, 1700000000, "{\"id\":\"evt-1\"}", 14, text);
    CHECK_STR(text, "v1=97d58698d29e6584e570361e1193dd733f61954b5ad72be9d5578f675003ae3b");
    webhook_sign(&s, 1700000001, "{\"id\":\"evt-1\"}", 14, other);
    CHECK(!str_eq(text, other));
}

struct place {
    char dir[64], file[96];
};

static struct place make_place(void)
{
    struct place p = { "/tmp/test-webhook-XXXXXX", "" };
    CHECK(mkdtemp(p.dir));
    (void)snprintf(p.file, sizeof p.file, "%s/webhook.secret", p.dir);
    return p;
}

static void remove_place(const struct place *p)
{
    (void)unlink(p->file);
    CHECK_EQ(rmdir(p->dir), 0); /* nothing else was left */
}

static void write_file(const struct place *p, const char *text, unsigned mode)
{
    (void)unlink(p->file);
    cleanup(closep) int fd = open(p->file, O_WRONLY | O_CREAT | O_EXCL, 0600);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    CHECK_EQ(fchmod(fd, mode), 0);
}

TEST(a_secret_is_made_once_and_only_for_us)
{
    struct place p = make_place();
    struct webhook_secret first, second;
    struct error err = { 0 };
    struct stat st;
    CHECK_EQ(webhook_secret_load(NULL, p.dir, &first, &err), 0);
    CHECK_EQ(first.size, 64);
    CHECK_EQ(stat(p.file, &st), 0);
    CHECK_EQ(st.st_mode & 07777, 0600);
    CHECK_EQ(webhook_secret_load(NULL, p.dir, &second, &err), 0);
    CHECK_EQ(memcmp(first.bytes, second.bytes, 64), 0);
    CHECK_EQ(unlink(p.file), 0);
    CHECK_EQ(webhook_secret_load(NULL, p.dir, &second, &err), 0);
    CHECK(memcmp(first.bytes, second.bytes, 64) != 0);
    remove_place(&p);
}

TEST(a_secret_that_others_can_read_or_that_is_short_is_refused)
{
    struct place p = make_place();
    struct webhook_secret s;
    struct error err = { 0 };
    write_file(&p, "  0123456789abcdef\n\n", 0640);
    CHECK_EQ(webhook_secret_load(p.file, NULL, &s, &err), 0);
    CHECK_EQ(s.size, 16);
    CHECK_EQ(memcmp(s.bytes, "0123456789abcdef", 16), 0);
    write_file(&p, "0123456789abcdef\n", 0644);
    CHECK_EQ(webhook_secret_load(p.file, NULL, &s, &err), -EPERM);
    CHECK_EQ(err.blame, BLAME_CALLER);
    write_file(&p, "0123456789abcdef\n", 0660);
    CHECK_EQ(webhook_secret_load(p.file, NULL, &s, &err), -EPERM);
    write_file(&p, "0123456789abcde\n", 0600);
    CHECK_EQ(webhook_secret_load(p.file, NULL, &s, &err), -EINVAL);
    CHECK(!strstr(err.text, "0123"));
    CHECK_EQ(unlink(p.file), 0);
    CHECK_EQ(webhook_secret_load(p.file, NULL, &s, &err), -ENOENT);
    CHECK_EQ(webhook_secret_load(NULL, NULL, &s, &err), -ENOENT);
    remove_place(&p);
}

TEST(a_secret_that_is_no_file_does_not_hold_anybody_up)
{
    struct place p = make_place();
    struct webhook_secret s;
    struct error err = { 0 };
    CHECK_EQ(mkfifo(p.file, 0600), 0);
    CHECK_EQ(webhook_secret_load(p.file, NULL, &s, &err), -EPERM);
    CHECK_EQ(webhook_secret_load(p.dir, NULL, &s, &err), -EPERM);
    remove_place(&p);
}

/* ---- addresses ---- */

enum { NEVER, PRIVATE, ALWAYS };
static const struct {
    const char *address;
    int when;
} addresses[] = {
    { "93.184.216.34", ALWAYS },    { "2606:2800:220:1:248:1893:25c8:1946", ALWAYS },
    { "8.8.8.8", ALWAYS },          { "127.0.0.1", PRIVATE },
    { "127.8.9.10", PRIVATE },      { "::1", PRIVATE },
    { "0.0.0.0", PRIVATE },         { "::", PRIVATE },
    { "10.0.0.1", PRIVATE },        { "172.16.0.1", PRIVATE },
    { "172.31.255.255", PRIVATE },  { "172.32.0.1", ALWAYS },
    { "192.168.1.1", PRIVATE },     { "100.64.0.1", PRIVATE },
    { "fd12:3456::1", PRIVATE },    { "fec0::1", PRIVATE },
    { "169.254.169.254", NEVER },   { "169.254.1.1", NEVER },
    { "fe80::1", NEVER },           { "100.100.100.200", NEVER },
    { "168.63.129.16", NEVER },     { "fd00:ec2::254", NEVER },
    { "224.0.0.1", NEVER },         { "255.255.255.255", NEVER },
    { "ff02::1", NEVER },           { "240.0.0.1", NEVER },
    { "0.1.2.3", NEVER },           { "192.0.2.1", NEVER },
    { "2001:db8::1", NEVER },       { "::ffff:127.0.0.1", PRIVATE },
    { "::ffff:10.0.0.1", PRIVATE }, { "::ffff:169.254.169.254", NEVER },
    { "::ffff:8.8.8.8", ALWAYS },   { "64:ff9b::a9fe:a9fe", NEVER },
    { "64:ff9b::7f00:1", PRIVATE }, { "64:ff9b::808:808", ALWAYS },
    { "2002:7f00:1::1", PRIVATE },  { "2002:a9fe:a9fe::", NEVER },
};

static bool may(const char *text, bool allow_private)
{
    struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
    struct sockaddr_in four = { .sin_family = AF_INET };
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
        return webhook_may_connect_to((struct sockaddr *)&four, sizeof four, allow_private);
    CHECK_EQ(inet_pton(AF_INET6, text, &six.sin6_addr), 1);
    return webhook_may_connect_to((struct sockaddr *)&six, sizeof six, allow_private);
}

TEST(posts_go_to_public_addresses_only_unless_private_ones_are_allowed)
{
    for (size_t i = 0; i < ARRAY_LEN(addresses); i++) {
        const bool without = may(addresses[i].address, false), with = may(addresses[i].address, true);
        if (without != (addresses[i].when == ALWAYS) || with != (addresses[i].when != NEVER))
            (void)fprintf(stderr, "# %s: %d, with allow_private %d\n", addresses[i].address, without, with);
        CHECK(without == (addresses[i].when == ALWAYS));
        CHECK(with == (addresses[i].when != NEVER));
    }
}

TEST(an_address_that_is_cut_or_of_another_family_is_refused)
{
    struct sockaddr_in four = { .sin_family = AF_INET };
    struct sockaddr other = { .sa_family = AF_UNIX };
    CHECK_EQ(inet_pton(AF_INET, "8.8.8.8", &four.sin_addr), 1);
    CHECK(webhook_may_connect_to((struct sockaddr *)&four, sizeof four, false));
    CHECK(!webhook_may_connect_to((struct sockaddr *)&four, sizeof four - 1, true));
    CHECK(!webhook_may_connect_to(&other, sizeof other, true));
}

static int url_check(const char *url, bool allow_private, char shown[static 300])
{
    struct error err = { 0 };
    int e = webhook_url_check(url, &webhook_keys, allow_private, shown, &err);
    CHECK(e == 0 || (err.blame == BLAME_CALLER && !strstr(err.text, "secret")));
    return e;
}

TEST(urls_are_of_http_or_https_and_logs_see_neither_path_nor_password)
{
    char shown[300];
    CHECK_EQ(url_check("https://user:secret@example.org:8443/hook/secret?token=secret", false, shown), 0);
    CHECK_STR(shown, "https://example.org:8443");
    CHECK_EQ(url_check("http://example.org", false, shown), 0);
    CHECK_STR(shown, "http://example.org");
    static const char *const bad[] = { "",
                                       "example.org/hook",
                                       "ftp://example.org/",
                                       "file:///etc/passwd",
                                       "gopher://x/",
                                       "http://",
                                       "https://secret@/",
                                       "http://exa mple.org/",
                                       "http://example.org\nx/",
                                       "http://[::1/",
                                       "javascript:x" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        if (url_check(bad[i], true, shown) == 0)
            (void)fprintf(stderr, "# %s\n", bad[i]);
        CHECK(url_check(bad[i], true, shown) < 0);
    }
}

TEST(literal_addresses_in_urls_are_refused_in_every_disguise)
{
    char shown[300];
    static const char *const inner[] = { "http://127.0.0.1/",  "http://127.0.0.1:9/",
                                         "http://2130706433/", "http://0x7f.1/",
                                         "http://127.1/",      "http://0177.0.0.1/",
                                         "http://[::1]/",      "http://[::ffff:10.0.0.1]:80/",
                                         "http://10.1.2.3/",   "http://user@192.168.0.1/" };
    for (size_t i = 0; i < ARRAY_LEN(inner); i++) {
        if (url_check(inner[i], false, shown) == 0 || url_check(inner[i], true, shown) < 0)
            (void)fprintf(stderr, "# %s\n", inner[i]);
        CHECK_EQ(url_check(inner[i], false, shown), -EACCES);
        CHECK_EQ(url_check(inner[i], true, shown), 0);
    }
    CHECK_EQ(url_check("http://169.254.169.254/latest/meta-data", true, shown), -EACCES);
    CHECK_EQ(url_check("http://93.184.216.34/", false, shown), 0);
}

/* ---- again ---- */

TEST(attempts_are_made_again_after_faults_of_the_server_and_not_after_ours)
{
    static const unsigned done[] = { 200, 201, 202, 204, 299 }, again[] = { 408, 429, 500, 502, 503, 504, 599 },
                          never[] = { 300, 301, 302, 307, 308, 400, 401, 403, 404, 410, 422 };
    for (size_t i = 0; i < ARRAY_LEN(done); i++)
        CHECK_EQ(webhook_verdict(done[i]), WEBHOOK_DELIVERED);
    for (size_t i = 0; i < ARRAY_LEN(again); i++)
        CHECK_EQ(webhook_verdict(again[i]), WEBHOOK_AGAIN);
    for (size_t i = 0; i < ARRAY_LEN(never); i++)
        CHECK_EQ(webhook_verdict(never[i]), WEBHOOK_HOPELESS);
}

TEST(pauses_double_up_to_a_minute_and_vary_by_a_quarter)
{
    static const uint64_t expected[] = { 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000 };
    for (uint32_t i = 0; i < ARRAY_LEN(expected); i++) {
        CHECK_EQ(webhook_pause(1000, i + 1, 0, 0), expected[i] * 3 / 4);
        CHECK_EQ(webhook_pause(1000, i + 1, expected[i] / 2, 0), expected[i] * 5 / 4);
        for (uint64_t random = 1; random < UINT64_MAX / 3; random *= 3) {
            const uint64_t pause = webhook_pause(1000, i + 1, random, 0);
            CHECK(pause >= expected[i] * 3 / 4 && pause <= expected[i] * 5 / 4);
        }
    }
    CHECK_EQ(webhook_pause(1000, 4000000000u, 0, 0), 45000);
}

TEST(a_receiver_may_ask_for_a_longer_pause_but_not_for_a_day)
{
    CHECK_EQ(webhook_pause(1000, 1, 0, 7000), 7000);
    CHECK_EQ(webhook_pause(1000, 5, 0, 1000), 12000);
    CHECK_EQ(webhook_pause(1000, 1, 0, 86400000), 300000);
}

/* ---- the queue ---- */

static void add_url(struct strlist *l, const char *url)
{
    CHECK_EQ(strlist_add(l, url), 0);
}

static uint32_t add(struct webhook_queue *q, uint64_t n)
{
    struct webhook_body *b = webhook_body_make(WEBHOOK_STARTED, "{\"a\":1}", 7, 1700000000123, (uint64_t[]){ 0, n });
    CHECK(b);
    return webhook_queue_add(q, b);
}

static struct webhook_queue queue_of(const char *first, const char *second, uint32_t max)
{
    struct webhook_queue q = { 0 };
    struct strlist urls = { 0 };
    add_url(&urls, first);
    if (second)
        add_url(&urls, second);
    CHECK_EQ(webhook_queue_configure(&q, &urls, max), 0);
    strlist_done(&urls);
    return q;
}

TEST(a_body_says_what_when_and_which)
{
    struct webhook_body *b = webhook_body_make(WEBHOOK_VIOLATION, "{\"x\":[1]}", 9, 1700000000123,
                                               (uint64_t[]){ 1, 0xabc });
    CHECK(b);
    char text[300];
    (void)snprintf(text, sizeof text, "%.*s", (int)b->size, b->text);
    CHECK_STR(text, "{\"id\":\"evt-00000000000000010000000000000abc\",\"type\":\"security_violation\",\"created\":"
                    "\"2023-11-14T22:13:20.123Z\",\"data\":{\"x\":[1]}}");
    CHECK_STR(b->id, "evt-00000000000000010000000000000abc");
    free(b);
}

TEST(posts_come_out_in_order_and_no_target_has_more_than_its_share_under_way)
{
    struct webhook_queue q = queue_of("http://a/", "http://b/", 100);
    uint64_t due;
    struct webhook_post *taken[9];
    for (uint64_t i = 0; i < 6; i++)
        CHECK_EQ(add(&q, i), 0);
    CHECK_EQ(q.waiting, 12);
    for (size_t i = 0; i < 8; i++) {
        taken[i] = webhook_queue_take(&q, 0, &due);
        CHECK(taken[i] && taken[i]->attempts == 1);
        CHECK(str_eq(taken[i]->to->url, i % 2 ? "http://b/" : "http://a/"));
        CHECK_EQ(taken[i]->body->id[35] - '0', i / 2);
    }
    CHECK(!webhook_queue_take(&q, 0, &due));
    CHECK_EQ(due == UINT64_MAX, true);
    webhook_queue_end(&q, taken[3]);
    struct webhook_post *next = webhook_queue_take(&q, 0, &due);
    CHECK(next && str_eq(next->to->url, "http://b/"));
    for (size_t i = 0; i < 8; i++)
        webhook_queue_end(&q, i == 3 ? next : taken[i]);
    CHECK_EQ(q.waiting, 3);
    CHECK_EQ(q.under_way, 0);
    CHECK_EQ(webhook_queue_clear(&q), 3);
    CHECK_EQ(q.bytes, 0);
    webhook_queue_done(&q);
}

TEST(a_dead_receiver_takes_no_room_from_another)
{
    struct webhook_queue q = queue_of("http://dead/", "http://alive/", 10);
    uint64_t due, refused = 0, delivered = 0;
    for (uint64_t i = 0; i < 50; i++) {
        refused += add(&q, i);
        for (struct webhook_post *p; (p = webhook_queue_take(&q, i, &due));)
            if (str_eq(p->to->url, "http://dead/"))
                webhook_queue_again(&q, p, 1000000 - i); /* later ones are due earlier */
            else
                webhook_queue_end(&q, p), delivered++;
    }
    CHECK_EQ(delivered, 50);
    CHECK_EQ(refused, 45);
    CHECK_EQ(q.waiting, 5);
    CHECK(!webhook_queue_take(&q, 100, &due));
    CHECK_EQ(due, 1000000 - 4);
    struct webhook_post *p = webhook_queue_take(&q, due, &due);
    CHECK(p && p->attempts == 2 && p->due_ms == 1000000 - 4);
    webhook_queue_end(&q, p);
    webhook_queue_done(&q);
}

TEST(all_bodies_together_have_a_limit)
{
    struct webhook_queue q = queue_of("http://a/", NULL, 100000);
    static char big[60000];
    uint32_t refused = 0;
    memset(big, 'x', sizeof big);
    for (uint64_t i = 0; i < 1200; i++) {
        struct webhook_body *b = webhook_body_make(WEBHOOK_STARTED, big, sizeof big, 0, (uint64_t[]){ 0, i });
        CHECK(b);
        refused += webhook_queue_add(&q, b);
    }
    CHECK(refused > 50 && refused < 150);
    CHECK(q.bytes <= WEBHOOK_MAX_BYTES && q.bytes > WEBHOOK_MAX_BYTES - 70000);
    webhook_queue_done(&q);
}

TEST(what_waits_keeps_going_to_where_it_was_meant_for)
{
    struct webhook_queue q = queue_of("http://old/", NULL, 10);
    struct strlist urls = { 0 };
    uint64_t due;
    CHECK_EQ(add(&q, 1), 0);
    struct webhook_post *under_way = webhook_queue_take(&q, 0, &due);
    CHECK_EQ(add(&q, 2), 0);
    add_url(&urls, "http://new/");
    CHECK_EQ(webhook_queue_configure(&q, &urls, 10), 0);
    CHECK_EQ(add(&q, 3), 0);
    CHECK_EQ(q.waiting, 3);
    webhook_queue_end(&q, under_way);
    struct webhook_post *new = webhook_queue_take(&q, 0, &due), *old = webhook_queue_take(&q, 0, &due);
    if (new &&str_eq(new->to->url, "http://old/")) {
        struct webhook_post *swap = new;
        new = old, old = swap;
    }
    CHECK(new &&old &&str_eq(new->to->url, "http://new/") && str_eq(old->to->url, "http://old/"));
    webhook_queue_end(&q, old);
    CHECK(q.targets && !q.targets->next && str_eq(q.targets->url, "http://new/"));
    webhook_queue_end(&q, new);
    strlist_done(&urls);
    webhook_queue_done(&q);
}
