/* The chain: what is written, what verify finds, and how the writer gets over crashes. */
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include "audit/chain.h"
#include "audit/key.h"
#include "audit/line.h"
#include "audit_place.h"

#define CHECK_TOLD(p, words)                                         \
    do {                                                             \
        if (!strstr((p)->told, words)) {                             \
            (void)fprintf(stderr, "# verify said: %s\n", (p)->told); \
            test_fail(__FILE__, __LINE__, "told " words);            \
        }                                                            \
    } while (0)
#define CHECK_GOOD(p)                                                \
    do {                                                             \
        struct verify_result r_ = place_verify(p);                   \
        if (r_.problems) {                                           \
            (void)fprintf(stderr, "# verify said: %s\n", (p)->told); \
            test_fail(__FILE__, __LINE__, "verify finds nothing");   \
        }                                                            \
    } while (0)

/* Where line n (from 1) begins. */
static char *line_at(char *text, unsigned n)
{
    while (--n)
        text = strchr(text, '\n') + 1;
    return text;
}

/* --- times ------------------------------------------------------------------------------------------- */

TEST(audit_times_are_written_and_read_as_rfc_3339)
{
    static const struct {
        const char *text;
        uint64_t ms;
    } good[] = { { "1970-01-01T00:00:00.000Z", 0 },
                 { "2026-11-21T04:35:04.721Z", 1795235704721 },
                 { "2026-11-21T05:35:04.721+01:00", 1795235704721 },
                 { "2026-11-21t04:35:04.7219z", 1795235704721 },
                 { "2024-02-29", 1709164800000 },
                 { "2026-11-21 04:35", 1795235700000 },
                 { "2000-02-29T23:59:60Z", 951868800000 },
                 { "9999-12-31T23:59:59.999Z", 253402300799999 } };
    static const char *const bad[] = { "",
                                       "2026",
                                       "2026-13-01",
                                       "2026-02-29",
                                       "2026-11-31",
                                       "1969-12-31",
                                       "2026-11-21T",
                                       "2026-11-21T24:00",
                                       "2026-11-21T04:35:04.Z",
                                       "2026-11-21T04:35:04Zx",
                                       "2026-11-21T04:35:04+1",
                                       "-026-11-21" };
    uint64_t ms;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        CHECK_EQ(audit_time_read(good[i].text, strlen(good[i].text), &ms), 0);
        CHECK_EQ(ms, good[i].ms);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(audit_time_read(bad[i], strlen(bad[i]), &ms), -EINVAL);
    for (uint64_t v = 1; v < 253402300800000; v = v * 3 + 7) { /* each way and back */
        char text[AUDIT_TIME_SIZE];
        audit_time_write(v, text);
        CHECK_EQ(audit_time_read(text, strlen(text), &ms), 0);
        CHECK_EQ(ms, v);
    }
}

/* --- what a line is ------------------------------------------------------------------------------------ */

TEST(audit_times_are_those_of_the_c_library_on_every_day)
{
    for (uint64_t seconds = 0; seconds < UINT64_C(253402300800); seconds += 86400 + seconds % 7919) {
        char is[AUDIT_TIME_SIZE], must_be[64];
        const time_t t = (time_t)seconds;
        struct tm tm;
        audit_time_write(seconds * 1000 + seconds % 1000, is);
        (void)snprintf(must_be, sizeof must_be, ".%03uZ", (unsigned)(seconds % 1000));
        CHECK_STR(is + 19, must_be);
        CHECK_EQ(strftime(must_be, sizeof must_be, "%Y-%m-%dT%H:%M:%S", gmtime_r(&t, &tm)), 19);
        is[19] = '\0';
        CHECK_STR(is, must_be);
    }
}

TEST(audit_lines_hash_as_documented_from_64_zeros_on)
{
    struct place p;
    size_t size;
    char hash[AUDIT_HASH_SIZE], previous[AUDIT_HASH_SIZE];
    place_init(&p);
    place_write(&p, 25);
    char *text = place_read(place_path(&p, "audit.jsonl"), &size), *line = text;
    uint64_t sequence = 0;
    memcpy(previous, chain_zero, sizeof previous);
    for (; line < text + size; line = strchr(line, '\n') + 1) {
        size_t n = (size_t)(strchr(line, '\n') - line), body;
        const char *found;
        struct audit_line l;
        CHECK(chain_split(line, n, &body, &found));
        CHECK_EQ(audit_line_read(line, n, &l), 0);
        CHECK_EQ(l.sequence, ++sequence);
        chain_hash(previous, line, body, hash);
        CHECK(memcmp(found, hash, 64) == 0);
        memcpy(previous, hash, sizeof previous);
        struct buf both; /* and by the plain hash of the text that docs/audit.md describes */
        buf_init(&both, 2 * AUDIT_LINE_MAX);
        CHECK_EQ(buf_add(&both, sequence == 1 ? chain_zero : line - 3 - 65, 64), 0);
        CHECK_EQ(buf_add(&both, line, body), 0);
        audit_hash(both.data, both.size, hash);
        CHECK(memcmp(found, hash, 64) == 0);
        buf_done(&both);
    }
    CHECK(sequence > 25);
    free(text);
    CHECK_GOOD(&p);
    place_done(&p);
}

TEST(audit_texts_from_outside_are_escaped_cut_and_still_one_line)
{
    struct place p;
    struct audit a;
    struct strlist reasons = { 0 };
    static char longer[60000], extra[7000];
    size_t size;
    place_init(&p);
    memset(longer, '\x01', sizeof longer - 1); /* six times as long when it is escaped */
    for (size_t i = 0; i < 9; i++)
        CHECK_EQ(strlist_addf(&reasons, "%.3000s", longer), 0);
    extra[0] = '"', extra[1] = 'x', extra[2] = '"', extra[3] = ':', extra[4] = '"';
    memset(extra + 5, 'y', 6800);
    extra[6805] = '"';
    CHECK_EQ(place_open(&p, &a), 0);
    const struct audit_event huge = { .action = longer,
                                      .category = longer,
                                      .type = longer,
                                      .outcome = longer,
                                      .kind = longer,
                                      .message = longer,
                                      .reason = longer,
                                      .execution_id = longer,
                                      .agent_id = longer,
                                      .level = longer,
                                      .language = longer,
                                      .user = longer,
                                      .code_hash = longer,
                                      .plan_hash = longer,
                                      .rule = longer,
                                      .has_exit = true,
                                      .exit_code = UINT32_MAX,
                                      .duration_us = UINT64_MAX,
                                      .cpu_us = UINT64_MAX,
                                      .peak_memory_bytes = UINT64_MAX,
                                      .risk_score = 100,
                                      .reasons = &reasons,
                                      .extra = extra };
    CHECK_EQ(audit_write(&a, &huge, &p.err), 0);
    extra[6000] = '"', extra[6001] = '\0'; /* as much as there may be */
    CHECK_EQ(audit_write(&a, &huge, &p.err), 0);
    const struct audit_event odd = { .action = "x", .agent_id = "a\"b\\c\nd\xff\xc3\xa9", .message = "\xe2\x80" };
    CHECK_EQ(audit_write(&a, &odd, &p.err), 0);
    audit_close(&a);
    char *text = place_read(place_path(&p, "audit.jsonl"), &size);
    CHECK(strstr(text, "\"extra_omitted_bytes\":6806"));
    CHECK(strstr(text, "\"reasons_omitted\":"));
    CHECK(strstr(text, "\"id\":\"a\\\"b\\\\c\\nd\xEF\xBF\xBD\xc3\xa9\""));
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        CHECK(end - line < AUDIT_LINE_MAX);
    free(text);
    strlist_done(&reasons);
    CHECK_GOOD(&p);
    place_done(&p);
}

TEST(audit_extra_that_is_no_json_is_refused_and_nothing_is_written)
{
    static const char *const bad[] = { "\"a\":1}", "\"a\"",   "\"a\":\"\n\"", "\"a\":1}}\n{\"b\":{\"c\":1",
                                       "}",        "\"a\":[", "\"a\":tru" };
    struct place p;
    struct audit a;
    place_init(&p);
    place_write(&p, 1);
    CHECK_EQ(place_open(&p, &a), 0);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        const struct audit_event e = { .action = "x", .extra = bad[i] };
        CHECK_EQ(audit_write(&a, &e, &p.err), -EBADMSG);
        CHECK_EQ(p.err.blame, BLAME_US);
    }
    const struct audit_event good = { .action = "x", .extra = "\"a\":{\"b\":[1,-2.5,null,true,{}],\"hash\":\"no\"}" };
    CHECK_EQ(audit_write(&a, &good, &p.err), 0);
    audit_close(&a);
    CHECK_EQ(place_verify(&p).last_sequence, 4); /* opened, signed, two of ours */
    CHECK_GOOD(&p);
    place_done(&p);
}

/* --- what verify finds --------------------------------------------------------------------------------- */

TEST(audit_verify_walks_all_files_of_a_rotated_audit)
{
    struct place p;
    place_init(&p);
    p.config.security.audit_max_size = 64 * KIB;
    place_write(&p, 400);
    struct verify_result r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    CHECK(r.files >= 3 && r.first_sequence == 1 && r.last_sequence > 430 && r.signatures > 40);
    CHECK(access(place_path(&p, "audit-000000000001.jsonl"), F_OK) == 0);
    CHECK_EQ(unlink(place_path(&p, "audit-000000000001.jsonl")), 0);
    r = place_verify(&p);
    CHECK_EQ(r.problems, 1);
    CHECK_TOLD(&p, "missing before this one: numbers 1 to");
    const struct verify_options archived = { .dir = p.log, .key_dir = p.state, .first = r.first_sequence };
    CHECK_EQ(audit_verify(&archived, place_hear, &p, &r, &p.err), 0);
    CHECK_EQ(r.problems, 0);
    place_done(&p);
}

TEST(audit_verify_names_the_changed_the_removed_the_moved_and_the_repeated_line)
{
    struct place p;
    size_t size;
    place_init(&p);
    place_write(&p, 30);
    const char *path = place_path(&p, "audit.jsonl");
    char *good = place_read(path, &size), *bad = malloc(2 * size), *line;
    CHECK(bad);

    memcpy(bad, good, size + 1);
    line = strstr(line_at(bad, 17), "low");
    memcpy(line, "LOW", 3);
    place_put(path, bad, size);
    CHECK_EQ(place_verify(&p).problems, 1);
    CHECK_TOLD(&p, "audit.jsonl:17: 17: was changed");

    char *at = line_at(good, 9), *next = line_at(good, 10), *after = line_at(good, 11);
    size_t first = (size_t)(next - at), second = (size_t)(after - next), head = (size_t)(at - good),
           rest = size - head - first - second;
    memcpy(bad, good, head);
    memcpy(bad + head, next, size - head - first);
    place_put(path, bad, size - first);
    CHECK(place_verify(&p).problems >= 1);
    CHECK_TOLD(&p, "audit.jsonl:9: 10: 1 line is missing before this one: number 9 to 9");

    memcpy(bad + head, next, second);
    memcpy(bad + head + second, at, first);
    memcpy(bad + head + second + first, after, rest);
    place_put(path, bad, size);
    CHECK(place_verify(&p).problems >= 2);
    CHECK_TOLD(&p, "audit.jsonl:10: 9: out of order: number 9 where 11 was due");

    memcpy(bad, good, head + first);
    memcpy(bad + head + first, at, size - head);
    place_put(path, bad, size + first);
    CHECK(place_verify(&p).problems >= 1);
    CHECK_TOLD(&p, "audit.jsonl:10: 9: out of order");

    place_put(path, good, size);
    CHECK_GOOD(&p);
    free(good);
    free(bad);
    place_done(&p);
}

TEST(audit_lines_cut_off_at_the_end_are_missed_by_the_head)
{
    struct place p;
    size_t size;
    place_init(&p);
    place_write(&p, 30);
    const char *path = place_path(&p, "audit.jsonl");
    char *text = place_read(path, &size);
    struct verify_result r = place_verify(&p);
    size_t keep = (size_t)(line_at(text, (unsigned)r.last_sequence - 2) - text);
    CHECK_EQ(truncate(path, (off_t)keep), 0);
    CHECK_EQ(place_verify(&p).problems, 1);
    CHECK_TOLD(&p, "3 lines are missing at the end");
    place_write(&p, 1); /* the next writer neither hides it nor stumbles over it */
    CHECK(place_verify(&p).problems >= 1);
    CHECK_TOLD(&p, "3 lines are missing before this one");
    CHECK_EQ(unlink(path), 0);
    CHECK(place_verify(&p).problems >= 1);
    CHECK_TOLD(&p, "the last line is 0");
    place_write(&p, 1);
    CHECK(place_verify(&p).problems >= 1);
    free(text);
    place_done(&p);
}

/* Somebody with write access to the file makes all later hashes fit. */
static char *rechained(char *text, size_t size)
{
    char previous[AUDIT_HASH_SIZE], *line = text;
    memcpy(previous, chain_zero, sizeof previous);
    for (; line < text + size; line = strchr(line, '\n') + 1) {
        size_t n = (size_t)(strchr(line, '\n') - line), body;
        const char *hash;
        CHECK(chain_split(line, n, &body, &hash));
        chain_hash(previous, line, body, previous);
        memcpy(line + (hash - line), previous, 64);
    }
    return text;
}

TEST(audit_written_anew_with_fitting_hashes_is_found_by_the_signature_and_by_the_head)
{
    struct place p;
    size_t size;
    place_init(&p);
    place_write(&p, 34);
    const char *path = place_path(&p, "audit.jsonl");
    char *text = place_read(path, &size);
    memcpy(strstr(line_at(text, 15), "low"), "LOW", 3);
    place_put(path, rechained(text, size), size);
    CHECK(place_verify(&p).problems >= 2);
    CHECK_TOLD(&p, "is of another line than the one before it"); /* the signature's own text has the old hash */
    CHECK_TOLD(&p, "the end of the audit was written anew");
    free(text);
    place_done(&p);
}

TEST(audit_signatures_of_a_key_that_is_not_ours_are_found)
{
    struct place p;
    char pub[100];
    size_t size;
    place_init(&p);
    place_write(&p, 12);
    (void)snprintf(pub, sizeof pub, "%s/audit.pub", p.state);
    char *text = place_read(pub, &size);
    text[5] = text[5] == '0' ? '1' : '0';
    place_put(pub, text, size);
    CHECK(place_verify(&p).problems >= 2);
    CHECK_TOLD(&p, "signed with the unknown key");
    CHECK_EQ(unlink(pub), 0);
    CHECK(place_verify(&p).problems >= 1);
    CHECK_TOLD(&p, "no public key is known");
    free(text);
    place_done(&p);
}

static uint64_t random_state = 88172645463325252u;
static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* One change to one file, of any of the kinds that verify promises to find. False: it happened to change nothing. */
static bool mutate(char *text, size_t *size, size_t max)
{
    size_t at = next_random() % *size, n, to;
    char *line = text + at, *end;
    switch (next_random() % 7) {
    case 0: /* a bit */
        text[at] = (char)(text[at] ^ 1 << next_random() % 8);
        return true;
    case 1: /* a byte */
        n = (unsigned char)text[at];
        text[at] = (char)next_random();
        return (unsigned char)text[at] != n;
    case 2: /* some bytes are missing */
        n = 1 + next_random() % MIN_OF(*size - at, (size_t)2000);
        memmove(text + at, text + at + n, *size - at - n);
        *size -= n;
        return true;
    case 3: /* the end is missing */
        *size = at;
        return true;
    case 4: /* some bytes twice */
        n = 1 + next_random() % MIN_OF(*size - at, max - *size);
        memmove(text + at + n, text + at, *size - at);
        *size += n;
        return true;
    default: /* a whole line goes, comes again, or is moved */
        while (line > text && line[-1] != '\n')
            line--;
        end = memchr(line, '\n', (size_t)(text + *size - line));
        if (!end)
            return false;
        n = (size_t)(end + 1 - line);
        char *copy = malloc(n);
        CHECK(copy);
        memcpy(copy, line, n);
        bool stays = next_random() % 2;
        at = (size_t)(line - text);
        if (!stays) {
            memmove(line, line + n, *size - at - n);
            *size -= n;
        }
        to = *size ? next_random() % *size : 0; /* to the beginning of some line */
        while (to && text[to - 1] != '\n')
            to--;
        if (to != at && (stays || next_random() % 2)) {
            memmove(text + to + n, text + to, *size - to);
            memcpy(text + to, copy, n);
            *size += n;
        } else if (stays) {
            free(copy);
            return false;
        }
        free(copy);
        return true;
    }
}

TEST(audit_random_mutations_are_always_found)
{
    struct place p;
    place_init(&p);
    p.config.security.audit_max_size = 64 * KIB;
    place_write(&p, 260);
    CHECK_GOOD(&p);
    CHECK(place_verify(&p).files >= 3);
    const char *const names[] = { place_path(&p, "audit-000000000001.jsonl"), place_path(&p, "audit.jsonl") };
    unsigned done = 0;
    for (unsigned i = 0; i < 600; i++) {
        size_t size, original;
        const char *path = names[i % 2];
        char *text = place_read(path, &size), *bad = malloc(2 * size + 1);
        CHECK(bad);
        original = size;
        memcpy(bad, text, size);
        if (mutate(bad, &size, 2 * original) && (size != original || memcmp(bad, text, size) != 0)) {
            place_put(path, bad, size);
            struct verify_result r = place_verify(&p);
            if (!r.problems) {
                (void)fprintf(stderr, "# mutation %u of %s was not found\n", i, path);
                place_put("/tmp/audit-mutation", bad, size);
            }
            CHECK(r.problems > 0);
            place_put(path, text, original);
            done++;
        }
        free(text);
        free(bad);
    }
    CHECK(done > 500);
    CHECK_GOOD(&p);
    place_done(&p);
}

/* --- crashes --------------------------------------------------------------------------------------------- */

TEST(audit_writer_killed_between_line_and_head_is_overtaken_silently)
{
    struct place p;
    size_t size;
    place_init(&p);
    place_write(&p, 5);
    char *old = place_read(place_head(&p), &size);
    place_write(&p, 3);
    place_put(place_head(&p), old, size);
    struct verify_result r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    CHECK_TOLD(&p, "note: the head is 3 lines behind");
    place_write(&p, 1);
    r = place_verify(&p);
    CHECK_EQ(r.problems + r.notes, 0);
    CHECK_EQ(r.last_sequence, 12); /* opened, signed, 9 of ours, signed */
    free(old);
    place_done(&p);
}

TEST(audit_line_cut_short_is_terminated_and_accounted_for)
{
    struct place p;
    struct verify_result r;
    place_init(&p);
    place_write(&p, 5);
    place_append(place_path(&p, "audit.jsonl"), "{\"@timestamp\":\"2026-11");
    CHECK_GOOD(&p); /* a writer killed in the middle: nothing is missing */
    CHECK_TOLD(&p, "note: 22 bytes of a line that was never finished");
    place_write(&p, 1);
    r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    CHECK_EQ(r.repairs, 1);
    CHECK_TOLD(&p, "24 bytes are no line of the audit; line 8 accounts for them");
    size_t size; /* and what was repaired can't be changed any more */
    char *text = place_read(place_path(&p, "audit.jsonl"), &size);
    memcpy(strstr(text, "\"2026-11 \n"), "\"2027-11", 8);
    place_put(place_path(&p, "audit.jsonl"), text, size);
    CHECK(place_verify(&p).problems >= 1);
    free(text);
    place_done(&p);
}

TEST(audit_lines_that_somebody_inserts_at_the_end_stay_and_are_told)
{
    struct place p;
    place_init(&p);
    place_write(&p, 5);
    place_append(place_path(&p, "audit.jsonl"), "{\"a\":1}\n{\"b\":2}\n");
    CHECK(place_verify(&p).problems >= 1);
    place_write(&p, 1);
    struct verify_result r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    CHECK_EQ(r.repairs, 1);
    place_done(&p);
}

TEST(audit_head_that_is_lost_is_taken_from_the_last_line_and_told)
{
    struct place p;
    size_t size;
    place_init(&p);
    place_write(&p, 5);
    CHECK_EQ(unlink(place_head(&p)), 0);
    CHECK(place_verify(&p).problems == 1);
    CHECK_TOLD(&p, "the head in the state directory is missing");
    place_write(&p, 1);
    CHECK_GOOD(&p);
    char *text = place_read(place_path(&p, "audit.jsonl"), &size);
    CHECK(strstr(text, "the head in the state directory was gone: line 7 of the file was taken for the last"));
    free(text);
    place_put(place_head(&p), "damaged", 7);
    place_write(&p, 1);
    CHECK_GOOD(&p);
    place_done(&p);
}

TEST(audit_rotation_that_was_interrupted_is_finished)
{
    struct place p;
    place_init(&p);
    place_write(&p, 5);
    CHECK_EQ(rename(place_path(&p, "audit.jsonl"), place_path(&p, "audit-000000000001.jsonl")), 0);
    CHECK_GOOD(&p);
    place_put(place_path(&p, "audit.jsonl"), "", 0); /* killed a moment later */
    CHECK_GOOD(&p);
    place_write(&p, 1);
    CHECK_GOOD(&p);
    CHECK_EQ(place_verify(&p).files, 2);
    place_put(place_path(&p, "audit.jsonl"), "", 0); /* the new file is there and has no line yet: its lines are gone */
    place_write(&p, 1);
    CHECK(place_verify(&p).problems >= 1);
    place_done(&p);
}

TEST(audit_file_that_was_restored_as_a_copy_goes_on)
{
    struct place p;
    size_t size;
    place_init(&p);
    place_write(&p, 5);
    const char *path = place_path(&p, "audit.jsonl"), *copy = place_path(&p, "copy");
    char *text = place_read(path, &size);
    place_put(copy, text, size);
    CHECK_EQ(rename(copy, path), 0); /* another inode, the same bytes */
    place_write(&p, 1);
    struct verify_result r = place_verify(&p);
    CHECK_EQ(r.problems + r.notes, 0);
    place_put(copy, "{}\n", 3); /* and one that is quite another file */
    CHECK_EQ(rename(copy, path), 0);
    place_write(&p, 1);
    CHECK(place_verify(&p).problems >= 1);
    free(text);
    place_done(&p);
}

TEST(audit_of_somewhere_else_put_in_its_place_does_not_make_it_forgotten)
{
    struct place p, other;
    size_t size;
    place_init(&p);
    place_init(&other);
    p.config.security.audit_max_size = 64 * KIB;
    place_write(&p, 20);
    place_write(&other, 40); /* longer, with a chain and signatures of its own */
    char *text = place_read(place_path(&other, "audit.jsonl"), &size);
    place_put(place_path(&p, "copy"), text, size);
    CHECK_EQ(rename(place_path(&p, "copy"), place_path(&p, "audit.jsonl")), 0);
    CHECK(place_verify(&p).problems >= 1);
    place_write(&p, 200); /* the writer tells, goes on, and rotates */
    CHECK(place_verify(&p).problems >= 1);
    CHECK(place_verify(&p).files >= 2);
    free(text);
    place_done(&p);
    place_done(&other);
}

TEST(audit_two_state_directories_for_one_log_keep_one_chain)
{
    struct place p;
    char other[80], mine[80];
    place_init(&p);
    p.config.security.audit_max_size = 64 * KIB;
    memcpy(mine, p.state, sizeof mine);
    (void)snprintf(other, sizeof other, "%s/other", p.top);
    for (unsigned i = 0; i < 8; i++) { /* with rotation by either */
        memcpy(p.state, i % 2 ? other : mine, sizeof p.state);
        place_write(&p, 40);
    }
    struct verify_options o = { .dir = p.log, .key_dir = p.state, .key_count = 2 };
    struct verify_result r;
    for (size_t i = 0; i < 2; i++) {
        int dir = open(i ? other : mine, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        CHECK(dir >= 0 && key_read_public(dir, o.keys[i]) == 0);
        (void)close(dir);
    }
    CHECK_EQ(audit_verify(&o, place_hear, &p, &r, &p.err), 0);
    if (r.problems)
        (void)fprintf(stderr, "# verify said: %s\n", p.told);
    CHECK_EQ(r.problems, 0);
    CHECK(r.files >= 3);
    place_done(&p);
}

/* 0: with room for so many bytes nothing is written that counts, twice, and it is said. */
static int write_into(struct place *p, rlim_t room)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct audit a;
        struct stat st;
        (void)signal(SIGXFSZ, SIG_IGN);
        if (place_open(p, &a) < 0 || fstat(a.fd, &st) < 0)
            _exit(1);
        const struct rlimit r = { (rlim_t)st.st_size + room, (rlim_t)st.st_size + room };
        const struct audit_event e = { .action = "x" };
        if (setrlimit(RLIMIT_FSIZE, &r) < 0 || audit_write(&a, &e, &p->err) == 0)
            _exit(2);
        int second = audit_write(&a, &e, &p->err); /* still full: refused again, and nothing gets worse */
        _exit(second < 0 && strstr(p->err.remedy, "make room") ? 0 : 3);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

TEST(audit_disk_full_refuses_and_the_next_writer_repairs)
{
    struct place p;
    place_init(&p);
    place_write(&p, 5);
    CHECK_EQ(write_into(&p, 100), 0);
    place_write(&p, 1);
    struct verify_result r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    CHECK_EQ(r.repairs, 1);
    place_done(&p);
}

/* A page's border, where the kernel stops a writer that is killed, may be right before the newline: ended with one, the
 * line would be there after all, and with the repair's number. */
TEST(audit_line_that_lacks_only_its_newline_stays_no_line)
{
    struct place p;
    struct stat st;
    size_t size;
    place_init(&p);
    place_write(&p, 5);
    char *head = place_read(place_head(&p), &size);
    place_write(&p, 1);
    place_put(place_head(&p), head, size);
    const char *path = place_path(&p, "audit.jsonl");
    CHECK_EQ(stat(path, &st), 0);
    CHECK_EQ(truncate(path, st.st_size - 1), 0);
    struct verify_result r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    place_write(&p, 2);
    r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    CHECK_EQ(r.repairs, 1);
    free(head);
    place_done(&p);
}

/* Nor one that is killed (audit_writers_killed_…): what was cut would look like a line that somebody put there. */
TEST(audit_repair_that_has_no_room_leaves_no_newline_behind)
{
    struct place p;
    place_init(&p);
    place_write(&p, 5);
    CHECK_EQ(write_into(&p, 100), 0);
    CHECK_EQ(write_into(&p, 1), 0);
    struct verify_result r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    CHECK_EQ(r.notes, 1);
    place_write(&p, 1);
    r = place_verify(&p);
    CHECK_EQ(r.problems, 0);
    CHECK_EQ(r.repairs, 1);
    place_done(&p);
}

TEST(audit_of_eight_processes_at_once_has_every_line_once)
{
    struct place p;
    int status;
    place_init(&p);
    p.config.security.audit_max_size = 64 * KIB; /* rotation among them */
    p.config.security.audit_sync = AUDIT_SYNC_GROUP;
    for (unsigned k = 0; k < 8; k++)
        if (fork() == 0) {
            place_write(&p, 100); /* longjmps on failure, to nowhere: a crash */
            _exit(0);
        }
    for (unsigned k = 0; k < 8; k++) {
        CHECK(wait(&status) > 0);
        CHECK_EQ(status, 0);
    }
    struct verify_result r = place_verify(&p);
    CHECK_EQ(r.problems + r.notes, 0);
    CHECK_EQ(r.last_sequence, r.lines);
    CHECK_EQ(r.lines - r.signatures - r.files, 800); /* each file has one line of its own */
    place_done(&p);
}

TEST(audit_writers_killed_at_any_moment_leave_a_chain_that_goes_on)
{
    struct place p;
    place_init(&p);
    p.config.security.audit_max_size = 64 * KIB;
    place_write(&p, 1);
    for (unsigned i = 0; i < 120; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            place_write(&p, 10000);
            _exit(0);
        }
        (void)usleep((useconds_t)(next_random() % 4000));
        (void)kill(pid, SIGKILL);
        CHECK_EQ(waitpid(pid, NULL, 0), pid);
        if (i % 10 == 0) {
            CHECK_GOOD(&p);
        }
    }
    place_write(&p, 1);
    CHECK_GOOD(&p);
    place_done(&p);
}

/* --- who may write ----------------------------------------------------------------------------------------- */

TEST(audit_that_others_could_have_written_is_refused)
{
    struct place p;
    struct audit a;
    place_init(&p);
    place_write(&p, 1);
    const char *path = place_path(&p, "audit.jsonl");
    CHECK_EQ(chmod(path, 0620), 0);
    CHECK_EQ(place_open(&p, &a), -EPERM);
    CHECK(strstr(p.err.text, "is not a file that only we can write") && p.err.remedy[0]);
    CHECK_EQ(chmod(path, 0600), 0);
    CHECK_EQ(rename(path, place_path(&p, "elsewhere")), 0);
    CHECK_EQ(symlink("elsewhere", path), 0);
    CHECK_EQ(place_open(&p, &a), -ELOOP);
    CHECK_EQ(unlink(path), 0);
    CHECK_EQ(link(place_path(&p, "elsewhere"), path), 0);
    CHECK_EQ(place_open(&p, &a), -EPERM);
    CHECK_EQ(unlink(place_path(&p, "elsewhere")), 0);
    CHECK_EQ(chmod(p.log, 0777), 0);
    CHECK_EQ(place_open(&p, &a), -EPERM);
    CHECK_EQ(chmod(p.log, 0755), 0);
    CHECK_EQ(place_open(&p, &a), 0);
    audit_close(&a);
    if (geteuid() == 0) {
        CHECK_EQ(chown(path, 12345, 12345), 0);
        CHECK_EQ(place_open(&p, &a), -EPERM);
    }
    place_done(&p);
}

TEST(audit_public_key_whose_writer_died_is_published_again)
{
    struct place p;
    place_init(&p);
    place_write(&p, 1);
    const char *path = arena_printf(&p.arena, "%s/audit.pub", p.state);
    CHECK(truncate(path, 7) == 0);
    place_write(&p, 20); /* signs on the way */
    struct stat st;
    CHECK(stat(path, &st) == 0);
    CHECK_EQ(st.st_size, 65);
    place_done(&p);
}

TEST(audit_private_key_that_others_may_read_is_refused)
{
    struct place p;
    struct audit a;
    char path[100];
    struct stat st;
    place_init(&p);
    place_write(&p, 1);
    (void)snprintf(path, sizeof path, "%s/audit.key", p.state);
    CHECK(stat(path, &st) == 0 && (st.st_mode & 07777) == 0600);
    CHECK_EQ(chmod(path, 0644), 0);
    p.config.security.audit_sign_every = 1;
    CHECK_EQ(place_open(&p, &a), 0);
    CHECK_EQ(audit_write(&a, &(struct audit_event){ .action = "x" }, &p.err), -EPERM);
    audit_close(&a);
    place_done(&p);
}

/* --- durability -------------------------------------------------------------------------------------------- */

TEST(audit_group_sync_forgets_no_child_that_a_slow_disk_holds)
{
    struct place p;
    struct audit a;
    place_init(&p);
    p.config.security.audit_sync = AUDIT_SYNC_GROUP;
    CHECK_EQ(place_open(&p, &a), 0);
    CHECK_EQ(audit_write(&a, &(struct audit_event){ .action = "x" }, &p.err), 0);
    const pid_t slow = a.sync_pid = fork(); /* in place of one that has released the lock and syncs */
    if (slow == 0)
        for (;;)
            (void)pause();
    CHECK(slow > 0 && audit_settle(&a));
    CHECK_EQ(a.sync_pid, slow);
    CHECK(!a.is_behind); /* the line is on the disk all the same */
    CHECK_EQ(kill(slow, SIGKILL), 0);
    CHECK_EQ(waitid(P_PID, (id_t)slow, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
    CHECK(!audit_settle(&a)); /* reaped */
    CHECK_EQ(waitpid(slow, NULL, (int)__WALL), -1);
    audit_close(&a);
    place_done(&p);
}

TEST(audit_group_sync_is_one_child_for_many_lines_and_it_goes_away)
{
    struct place p;
    struct audit a;
    int first;
    if (getenv("SANDBOX_TEST_EMULATED"))
        SKIP("the emulator does not make processes that share their memory");
    place_init(&p);
    p.config.security.audit_sync = AUDIT_SYNC_GROUP;
    while (waitpid(-1, NULL, (int)__WALL) > 0)
        ; /* of earlier tests */
    CHECK_EQ(place_open(&p, &a), 0);
    const struct audit_event e = { .action = "x" };
    CHECK_EQ(audit_write(&a, &e, &p.err), 0);
    CHECK(a.is_behind && a.sync_pid <= 0); /* nothing is started on the way of an answer */
    CHECK(audit_settle(&a));
    first = a.sync_pid;
    CHECK(first > 0);
    CHECK(!a.is_behind);
    CHECK_EQ(audit_write(&a, &e, &p.err), 0);
    (void)audit_settle(&a); /* the child sleeps, or has released the lock and is replaced: a busy machine */
    CHECK(!a.is_behind);
    int lock = open(place_path(&p, "audit.sync"), O_RDWR | O_CLOEXEC), tries = 0;
    while (flock(lock, LOCK_EX | LOCK_NB) < 0 && tries < 6000) {
        tries++;
        (void)usleep(10000);
    }
    CHECK(tries < 6000); /* released without our help */
    (void)close(lock);
    CHECK(waitpid(a.sync_pid, NULL, (int)__WALL) == a.sync_pid);
    a.sync_pid = 0;
    CHECK_EQ(waitpid(-1, NULL, WNOHANG | (int)__WALL), -1); /* nothing left behind */
    audit_close(&a);
    place_done(&p);
}
