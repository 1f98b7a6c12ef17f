/* Alerts to people: what is gathered and when it is told; and that what agents wrote stays text. */
#include "daemon/messenger_internal.h"

#include "test.h"

#define MINUTE 60000u

static struct digest d, out;
static uint64_t wait_ms;

static const struct digest_rules RULES = { .repeat_after_ms = 60 * MINUTE, .gather_ms = MINUTE };
static const struct digest_rules NIGHTS = {
    .repeat_after_ms = 60 * MINUTE, .gather_ms = MINUTE, .has_quiet = true, .quiet_from = 22 * 60, .quiet_to = 7 * 60
};

static void begin(void)
{
    memset(&d, 0, sizeof d);
}

TEST(the_first_alert_goes_at_once_and_what_follows_is_one_message)
{
    begin();
    digest_add(&d, &RULES, "banned", "a", "one", 1000);
    CHECK(digest_take(&d, &RULES, 1000, 0, &out, &wait_ms));
    CHECK_EQ(out.count, 1);
    digest_add(&d, &RULES, "banned", "b", "two", 2000);
    digest_add(&d, &RULES, "first_time", "b", "three", 3000);
    CHECK(!digest_take(&d, &RULES, 3000, 0, &out, &wait_ms));
    CHECK_EQ(wait_ms, MINUTE - 2000);
    CHECK(digest_take(&d, &RULES, 1000 + MINUTE, 0, &out, &wait_ms));
    CHECK_EQ(out.count, 2);
    CHECK_STR(out.items[1].message, "three");
    CHECK(!digest_take(&d, &RULES, 9 * MINUTE, 0, &out, &wait_ms));
}

TEST(a_repetition_is_counted_and_told_again_after_a_while)
{
    begin();
    digest_add(&d, &RULES, "high_failure_rate", "a", "first", 1000);
    digest_add(&d, &RULES, "high_failure_rate", "a", "second", 1000);
    CHECK(digest_take(&d, &RULES, 1000, 0, &out, &wait_ms));
    CHECK_EQ(out.count, 1);
    CHECK_EQ(out.items[0].count, 2);
    CHECK_STR(out.items[0].message, "second");
    digest_add(&d, &RULES, "high_failure_rate", "a", "again", 30 * MINUTE);
    CHECK(!digest_take(&d, &RULES, 30 * MINUTE, 0, &out, &wait_ms));
    digest_add(&d, &RULES, "high_failure_rate", "b", "another agent", 31 * MINUTE);
    CHECK(digest_take(&d, &RULES, 31 * MINUTE, 0, &out, &wait_ms));
    CHECK_EQ(out.count, 1);
    CHECK_EQ(out.left_out, 1);
    digest_add(&d, &RULES, "high_failure_rate", "a", "an hour later", 62 * MINUTE);
    CHECK(digest_take(&d, &RULES, 62 * MINUTE, 0, &out, &wait_ms));
}

TEST(what_has_no_room_is_counted)
{
    char agent[16];
    begin();
    for (unsigned i = 0; i < DIGEST_ITEMS + 5; i++) {
        (void)snprintf(agent, sizeof agent, "agent-%u", i);
        digest_add(&d, &RULES, "banned", agent, "x", 1000);
    }
    CHECK(digest_take(&d, &RULES, 1000, 0, &out, &wait_ms));
    CHECK_EQ(out.count, DIGEST_ITEMS);
    CHECK_EQ(out.left_out, 5);
}

TEST(quarantine_and_ban_find_room_where_others_wait)
{
    char agent[16];
    begin();
    for (unsigned i = 0; i < DIGEST_ITEMS; i++) {
        (void)snprintf(agent, sizeof agent, "agent-%u", i);
        digest_add(&d, &NIGHTS, "first_time", agent, "x", 1000);
    }
    digest_add(&d, &NIGHTS, "quarantined", "bad", "x", 1000);
    digest_add(&d, &NIGHTS, "first_time", "late", "x", 1000); /* and none for others */
    CHECK(digest_take(&d, &NIGHTS, 1000, 23 * 60, &out, &wait_ms));
    CHECK_EQ(out.count, 1);
    CHECK_STR(out.items[0].agent, "bad");
    CHECK_EQ(out.left_out, 2);
    CHECK_EQ(d.count, DIGEST_ITEMS - 1);
    CHECK_STR(d.items[DIGEST_ITEMS - 2].agent, "agent-22");
}

TEST(nights_are_quiet_but_for_quarantine_and_ban)
{
    begin();
    CHECK(digest_is_quiet(&NIGHTS, 22 * 60) && digest_is_quiet(&NIGHTS, 0) && digest_is_quiet(&NIGHTS, 7 * 60 - 1));
    CHECK(!digest_is_quiet(&NIGHTS, 7 * 60) && !digest_is_quiet(&NIGHTS, 12 * 60) && !digest_is_quiet(&RULES, 0));
    digest_add(&d, &NIGHTS, "first_time", "a", "one", 1000);
    CHECK(!digest_take(&d, &NIGHTS, 1000, 23 * 60, &out, &wait_ms));
    digest_add(&d, &NIGHTS, "quarantined", "a", "two", 2000);
    CHECK(digest_take(&d, &NIGHTS, 2000, 23 * 60, &out, &wait_ms));
    CHECK_EQ(out.count, 1);
    CHECK_STR(out.items[0].condition, "quarantined");
    CHECK(digest_take(&d, &NIGHTS, 2000 + MINUTE, 7 * 60, &out, &wait_ms));
    CHECK_STR(out.items[0].condition, "first_time");
}

static const char *cleaned(const char *text)
{
    static struct buf b;
    buf_done(&b);
    buf_init(&b, 8 * KIB);
    message_clean(text, &b);
    return b.data ? b.data : "";
}

TEST(what_is_not_seen_is_made_visible_and_nothing_is_a_mention_or_a_link)
{
    CHECK_STR(cleaned("plain text, ünï"), "plain text, ünï");
    CHECK_STR(cleaned("a\nb\x1b[1m\x7f"), "a\\x0ab\\x1b[1m\\x7f");
    CHECK_STR(cleaned("\xe2\x80\xae"
                      "abc\xe2\x81\xa6\xe2\x80\x8b"),
              "<U+202E>abc<U+2066><U+200B>");
    CHECK_STR(cleaned("\xf3\xa0\x81\xa1\xef\xb8\x8f\xc2\x85"), "<U+E0061><U+FE0F><U+0085>");
    CHECK_STR(cleaned("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");
    CHECK_STR(cleaned("@channel"), "@\xe2\x80\x8b"
                                   "channel");
    CHECK_STR(cleaned("https://evil"), "https:\xe2\x80\x8b//evil");
}

static const char *written(enum channel_kind kind, const char *agent, const char *message)
{
    static struct buf b;
    const struct letter letter = { "from@example.org", "to@example.org", "Sun, 22 Nov 2026 00:00:00 +0000", "1@h" };
    begin();
    digest_add(&d, &RULES, "banned", agent, message, 1);
    buf_done(&b);
    buf_init(&b, 64 * KIB);
    message_write(kind, &d, "host", &letter, &b);
    CHECK(!b.failed);
    return b.data;
}

TEST(the_forms_of_the_chats)
{
    const char *slack = written(CHANNEL_SLACK, "a", "<!channel> & *b*");
    CHECK(strstr(slack, "{\"type\":\"plain_text\",\"text\":\"banned: agent a: &lt;!channel&gt; &amp; *b*\","
                        "\"emoji\":false}"));
    CHECK(strstr(slack, "{\"text\":\"sandbox-agent on host: 1 alert\",\"mrkdwn\":false"));
    const char *teams = written(CHANNEL_TEAMS, "a", "[x](y) **b** <at>all</at>");
    CHECK(
        strstr(teams, "\"inlines\":[{\"type\":\"TextRun\",\"text\":\"banned: agent a: [x](y) **b** <at>all</at>\"}]"));
    CHECK(!strstr(teams, "\"TextBlock\"") && !strstr(teams, "entities"));
    const char *matrix = written(CHANNEL_MATRIX, "a", "<b>@room</b>");
    CHECK_STR(matrix, "{\"msgtype\":\"m.text\",\"body\":\"sandbox-agent on host: 1 alert\\nbanned: agent a: "
                      "<b>@\xe2\x80\x8broom</b>\\n\",\"m.mentions\":{}}");
}

TEST(an_e_mail_s_headers_are_ours_alone)
{
    const char *mail = written(CHANNEL_EMAIL, "a\r\nBcc: x@y", "\r\n.\r\nSubject: mine\r\n");
    const char *body = strstr(mail, "\r\n\r\n");
    CHECK(body && !strstr(mail, "Bcc") && !strstr(mail, "mine"));
    CHECK(strstr(mail, "Subject: sandbox-agent on host: 1 alert\r\n"));
    for (const char *line = body + 4; *line; line += strcspn(line, "\n") + 1)
        CHECK(strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") ==
                  strcspn(line, "\r") &&
              strcspn(line, "\r") <= 76);
}

TEST(only_channels_to_people_are_the_messenger_s)
{
    enum channel_kind kind;
    const char *rest;
    CHECK(people_parse("matrix:/x", &kind, &rest) && kind == CHANNEL_MATRIX);
    CHECK_STR(rest, "/x");
    CHECK(!people_parse("log:warn", &kind, &rest) && !people_parse("webhook", &kind, &rest));
}
