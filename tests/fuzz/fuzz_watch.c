/* Whatever the bytes: a line of a recording is read or refused, what was read is written again as the same event, and
 * the detectors take it; what they say is printable and ends. Each line of the input is an event of one stream. A first
 * byte of 'm' says that the rest is a message of the watch's socket. */
#include "watch/record.h"
#include "watch/watch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct profile profile;

static void feed(struct watch *w, const struct watch_event *e)
{
    struct watch_finding found[DETECTOR_COUNT];
    size_t n = watch_feed(w, e, found);
    assert(n <= DETECTOR_COUNT);
    for (size_t i = 0; i < n; i++)
        for (const char *p = found[i].evidence; *p; p++)
            assert(p < found[i].evidence + WATCH_EVIDENCE_MAX - 1 && *p >= 0x20 && *p < 0x7f);
}

/* What is written is read back, and written again as the same bytes. */
static void round_trip(const struct watch_event *e)
{
    static struct record again;
    struct buf first, second;
    struct error err = { 0 };
    buf_init(&first, RECORD_LINE_MAX);
    buf_init(&second, RECORD_LINE_MAX);
    assert(record_write(&first, e) == 0);
    assert(record_read(first.data, first.size - 1, &again, &err) == 0);
    assert(record_write(&second, &again.event) == 0);
    assert(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    buf_done(&first);
    buf_done(&second);
}

static void read_message(struct watch *w, const uint8_t *data, size_t size)
{
    struct watch_event e;
    if (size <= WATCH_MESSAGE_MAX && watch_event_unpack(data, size, &e) == 0)
        feed(w, &e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct record r;
    struct error err = { 0 };
    if (!profile.name)
        profile_defaults(&profile);
    struct watch *w = watch_new(&profile);
    assert(w);
    if (size && data[0] == 'm') {
        read_message(w, data + 1, size - 1);
        size = 0;
    }
    while (size) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t n = end ? (size_t)(end - data) : size;
        if (record_read((const char *)data, n, &r, &err) == 0) {
            round_trip(&r.event);
            feed(w, &r.event);
        } else {
            assert(err.code < 0 && err.text[0]);
        }
        n += end != NULL;
        data += n;
        size -= n;
    }
    (void)watch_free(w);
    return 0;
}
