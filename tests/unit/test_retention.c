/* test_retention.c - which files go, by age and by size, and which never do. */
#include "test.h"

#include "base/retention.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#define NOW  UINT64_C(1800000000000)
#define HOUR UINT64_C(3600000)
#define DAY  (24 * HOUR)

static struct retention table; /* too large for a stack */

TEST(what_is_too_old_goes_whatever_its_size)
{
    retention_init(&table, NOW);
    retention_add(&table, NOW - 40 * DAY, 1);
    CHECK_EQ(retention_before(&table, 0, 30 * DAY), NOW - 30 * DAY);
    CHECK_EQ(retention_before(&table, 1000, 30 * DAY), NOW - 30 * DAY);
    CHECK_EQ(retention_before(&table, 0, UINT64_MAX), 0);
}

TEST(of_what_is_too_much_the_oldest_goes)
{
    static const uint64_t ages[] = { 0, 10, 900, 5000, HOUR, 3 * HOUR, DAY, 29 * DAY };
    for (size_t keep = 1; keep < ARRAY_LEN(ages); keep++) {
        retention_init(&table, NOW);
        for (size_t i = 0; i < ARRAY_LEN(ages); i++)
            retention_add(&table, NOW - ages[i], 100);
        uint64_t before = retention_before(&table, keep * 100, 30 * DAY);
        for (size_t i = 0; i < ARRAY_LEN(ages); i++)
            CHECK_EQ(NOW - ages[i] >= before, i < keep);
    }
}

/* Whatever the ages: what is left is within the bound, and nothing goes that is younger than what stays by more than a
 * step. */
TEST(what_stays_is_within_the_bound_for_any_ages)
{
    uint64_t seed = 88172645463325252u, at[200];
    for (unsigned round = 0; round < 200; round++) {
        retention_init(&table, NOW);
        for (size_t i = 0; i < ARRAY_LEN(at); i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            at[i] = NOW - seed % (UINT64_C(1) << (seed >> 58 & 31));
            retention_add(&table, at[i], 10);
        }
        uint64_t most = (round + 1) * 10, before = retention_before(&table, most, 30 * DAY), left = 0;
        for (size_t i = 0; i < ARRAY_LEN(at); i++)
            left += at[i] >= before ? 10 : 0;
        CHECK(left <= most);
    }
}

TEST(run_logs_are_known_by_their_whole_name)
{
    static const char *const ours[] = {
        "low-risk_a_20260110_022734.log",
        "high-risk_a_b_20260110_022734.log",
        "medium-risk_x_20260110_022734-exec-0123456789abcdef01234567.log",
        "medium-risk_x_20260110_022734-sess-0123456789abcdef01234567.log",
        "medium-risk_x_20260110_022734-job-0123456789abcdef01234567.log",
    };
    static const char *const others[] = {
        "audit.jsonl",
        "audit-00000001.jsonl",
        "alerts.log",
        "agixt-sandbox.log",
        "low-risk_20260110_022734.txt",
        "low-risk_a_20260110_02273.log",
        "notes.log",
        "my_20260110_022734.log",
        "low-risk_a_20260110_022734.log.gz",
        ".",
        "low-risk_a_20260110-022734.log",
        "medium-risk_x_20260110_022734-exec-01234.log",
        "_20260110_022734.log",
    };
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        CHECK(retention_is_run_log(ours[i], NULL));
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        CHECK(!retention_is_run_log(others[i], NULL));
    CHECK(retention_is_run_log("my_agent_20260110_022734.log", "my"));
    CHECK(!retention_is_run_log("mine_agent_20260110_022734.log", "my"));
    CHECK(!retention_is_run_log("low-risk_agent_20260110_022734.log", "my"));
    CHECK(retention_is_policy("0123456789abcdef.policy", NULL) && !retention_is_policy("0123456789abcdef", NULL));
    CHECK(retention_is_entry("0123456789abcdef", NULL) && !retention_is_entry(".tmp.0123456789abcdef", NULL));
}

static void make(int dir, const char *name, size_t size, uint64_t at_ms)
{
    const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = (time_t)(at_ms / 1000) } };
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    CHECK(fd >= 0 && ftruncate(fd, (off_t)size) == 0 && futimens(fd, times) == 0);
    (void)close(fd);
}

TEST(the_oldest_files_are_removed_and_nothing_else)
{
    char place[] = "/tmp/sandbox-retention.XXXXXX";
    CHECK(mkdtemp(place) != NULL);
    int dir = open(place, O_RDONLY | O_DIRECTORY);
    make(dir, "low-risk_a_20260101_000000.log", 100000, NOW - 9 * DAY);
    make(dir, "low-risk_a_20260102_000000.log", 100000, NOW - 8 * DAY);
    make(dir, "low-risk_a_20260103_000000.log", 100000, NOW - 7 * DAY);
    make(dir, "low-risk_b_20260101_000000.log", 100000, NOW - 9 * DAY); /* is being written */
    make(dir, "audit.jsonl", 100000, NOW - 90 * DAY);
    make(dir, "their.log", 100000, NOW - 90 * DAY);
    CHECK_EQ(symlinkat("audit.jsonl", dir, "low-risk_a_20250101_000000.log"), 0);
    int held = openat(dir, "low-risk_b_20260101_000000.log", O_WRONLY);
    CHECK_EQ(flock(held, LOCK_SH), 0);
    retention_init(&table, NOW);
    retention_scan(&table, dir, retention_is_run_log, NULL);
    CHECK_EQ(table.files, 4);
    CHECK_EQ(table.total_bytes, 400000);
    retention_remove(&table, dir, retention_is_run_log, NULL, retention_before(&table, 250000, 30 * DAY));
    CHECK_EQ(table.removed_files, 1); /* of three that are old, the one in use stays: its turn comes */
    CHECK_EQ(faccessat(dir, "low-risk_a_20260101_000000.log", F_OK, 0), -1);
    static const char *const left[] = { "low-risk_a_20260102_000000.log",
                                        "low-risk_a_20260103_000000.log",
                                        "low-risk_b_20260101_000000.log",
                                        "audit.jsonl",
                                        "their.log",
                                        "low-risk_a_20250101_000000.log" };
    for (size_t i = 0; i < ARRAY_LEN(left); i++) {
        CHECK_EQ(faccessat(dir, left[i], F_OK, AT_SYMLINK_NOFOLLOW), 0);
        CHECK_EQ(unlinkat(dir, left[i], 0), 0);
    }
    (void)close(held);
    (void)close(dir);
    CHECK_EQ(rmdir(place), 0);
}
