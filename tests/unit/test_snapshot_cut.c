#include "daemon/snapshot_cut.h"
#include "test.h"

#define SIZE (4 * MIB)

/* The same at each start. */
static void fill(uint8_t *to, size_t size)
{
    uint64_t state = 88172645463325252u; /* xorshift64 */
    for (size_t i = 0; i < size; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        to[i] = (uint8_t)state;
    }
}

/* Marks where chunks of data end, fed in pieces of this size. -> how many */
static size_t cut(const uint8_t *data, size_t size, size_t piece, bool *ends)
{
    struct cutter c = { 0 };
    size_t count = 0, begin = 0;
    for (size_t at = 0; at < size;) {
        bool is_end;
        const size_t n = cutter_take(&c, data + at, MIN_OF(piece, size - at), &is_end);
        CHECK(n > 0);
        at += n;
        if (is_end) {
            CHECK(at - begin >= CHUNK_MIN && at - begin <= CHUNK_MAX);
            begin = at;
            ends[at - 1] = true;
            count++;
        }
    }
    return count;
}

TEST(a_stream_is_cut_by_its_content_wherever_a_stretch_begins)
{
    static uint8_t data[SIZE];
    static bool ends[SIZE], later[SIZE], others[SIZE];
    size_t same = 0;
    fill(data, SIZE);
    const size_t count = cut(data, SIZE, SIZE, ends), behind = cut(data + 1001, SIZE - 1001, SIZE, later);
    CHECK(count > SIZE / (128 * KIB) && count < SIZE / (32 * KIB));
    for (size_t i = 1001; i < SIZE; i++)
        same += ends[i] && later[i - 1001];
    CHECK(same + 3 > count && same + 3 > behind); /* all but the first ones */
    CHECK_EQ(cut(data, SIZE, 777, others), count);
    CHECK(memcmp(ends, others, sizeof ends) == 0); /* whatever pieces it comes in */
}

TEST(what_never_says_where_to_cut_is_cut_all_the_same)
{
    static uint8_t zeros[SIZE];
    static bool ends[SIZE];
    CHECK(cut(zeros, SIZE, 4096, ends) >= SIZE / CHUNK_MAX);
}
