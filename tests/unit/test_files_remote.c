/* What a worker inside a session's sandbox says: read strictly, since it runs beside the code. */
#include "test.h"

#include <fcntl.h>
#include <sys/socket.h>
#include "base/message.h"
#include "files/remote_pack.h"

static int ours, theirs;
static char buffer[REMOTE_MAX_SIZE];
static struct remote_message m;

static void open_sockets(void)
{
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    ours = pair[0];
    theirs = pair[1];
}

static void close_sockets(void)
{
    closep(&ours);
    closep(&theirs);
}

static int hear(const void *data, size_t size, const int *fd)
{
    CHECK(send_message(theirs, data, size, fd, fd ? 1 : 0) == 0);
    int e = remote_next(ours, 1000, buffer, &m);
    if (m.fd >= 0)
        closep(&m.fd);
    return e;
}

static struct wfile_stat plain = { .kind = WFILE_REGULAR, .mode = 0644, .size = 5, .modified_s = 1, .modified_ns = 2 };

static int hear_entry(const char *name, const char *target, const struct wfile_stat *st, size_t cut)
{
    const struct wfile_entry e = { .name = name, .target = target, .stat = *st };
    struct buf b;
    buf_init(&b, 2 * REMOTE_MAX_SIZE);
    (void)buf_addc(&b, REMOTE_ENTRY);
    remote_pack_entry(&b, &e);
    int r = hear(b.data, b.size - cut, NULL);
    buf_done(&b);
    return r;
}

TEST(remote_entries_are_names_below_and_numbers_in_their_ranges)
{
    struct wfile_stat bad = plain;
    open_sockets();
    CHECK_EQ(hear_entry("a/b", "", &plain, 0), 1);
    CHECK_STR(m.entry.name, "a/b");
    CHECK_EQ(m.entry.stat.size, 5);
    CHECK_EQ(hear_entry("/etc/passwd", "", &plain, 0), -EBADMSG);
    CHECK_EQ(hear_entry("", "", &plain, 0), -EBADMSG);
    CHECK_EQ(hear_entry(NULL, "", &plain, 0), -EBADMSG);
    CHECK_EQ(hear_entry("a", NULL, &plain, 0), -EBADMSG);
    CHECK_EQ(hear_entry("a", "", &plain, 1), -EBADMSG);
    bad.kind = (enum wfile_kind)77;
    CHECK_EQ(hear_entry("a", "", &bad, 0), -EBADMSG);
    bad = plain;
    bad.mode = 04755;
    CHECK_EQ(hear_entry("a", "", &bad, 0), -EBADMSG);
    bad = plain;
    bad.modified_ns = 1000000000;
    CHECK_EQ(hear_entry("a", "", &bad, 0), -EBADMSG);
    close_sockets();
}

static int hear_event(uint64_t change, uint64_t is_directory, const char *name, size_t cut)
{
    struct buf b;
    buf_init(&b, REMOTE_MAX_SIZE);
    (void)buf_addc(&b, REMOTE_EVENT);
    pack_u64(&b, change);
    pack_u64(&b, is_directory);
    pack_str(&b, name);
    int r = hear(b.data, b.size - cut, NULL);
    buf_done(&b);
    return r;
}

TEST(remote_events_are_of_known_kinds_and_name_what_lies_below)
{
    open_sockets();
    CHECK_EQ(hear_event(WFILE_RENAME, 1, "a/b", 0), 1);
    CHECK(m.event.change == WFILE_RENAME && m.event.is_directory);
    CHECK_STR(m.event.name, "a/b");
    CHECK_EQ(hear_event(WFILE_OVERFLOW, 0, "", 0), 1);
    CHECK_EQ(hear_event(WFILE_OVERFLOW, 0, "a", 0), -EBADMSG);
    CHECK_EQ(hear_event(WFILE_CREATE, 0, "", 0), -EBADMSG);
    CHECK_EQ(hear_event(WFILE_CREATE, 0, "/etc/passwd", 0), -EBADMSG);
    CHECK_EQ(hear_event(WFILE_CREATE, 0, NULL, 0), -EBADMSG);
    CHECK_EQ(hear_event(WFILE_CREATE, 2, "a", 0), -EBADMSG);
    CHECK_EQ(hear_event(WFILE_CHANGES, 0, "a", 0), -EBADMSG);
    CHECK_EQ(hear_event(WFILE_CREATE, 0, "a", 1), -EBADMSG);
    close_sockets();
}

static int hear_reply(int error, const int *fd)
{
    const struct remote_reply r = { .error = error, .stat = plain, .text = "t", .count = 3 };
    struct buf b;
    buf_init(&b, REMOTE_MAX_SIZE);
    (void)buf_addc(&b, REMOTE_REPLY);
    remote_pack_reply(&b, &r);
    int e = hear(b.data, b.size, fd);
    buf_done(&b);
    return e;
}

TEST(remote_descriptors_are_taken_of_regular_files_alone_and_where_one_is_due)
{
    open_sockets();
    cleanup(closep) int file = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    cleanup(closep) int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(file >= 0 && directory >= 0);
    CHECK_EQ(hear_reply(0, &file), 1);
    CHECK_EQ(hear_reply(0, NULL), 1);
    CHECK_EQ(m.reply.count, 3);
    CHECK_EQ(hear_reply(0, &directory), -EBADMSG);
    CHECK_EQ(hear_reply(0, &ours), -EBADMSG);
    CHECK_EQ(hear_reply(-ENOENT, &file), -EBADMSG);
    CHECK_EQ(hear_reply(-ENOENT, NULL), 1);
    CHECK_EQ(m.reply.error, -ENOENT);
    CHECK_EQ(hear_reply(-5000, NULL), -EBADMSG);
    CHECK_EQ(hear("dxyz", 4, &file), -EBADMSG);
    close_sockets();
}

TEST(remote_messages_of_no_form_and_the_workers_end_are_told_apart)
{
    open_sockets();
    CHECK_EQ(hear("dxyz", 4, NULL), 1);
    CHECK(m.kind == REMOTE_DATA && m.size == 3 && memcmp(m.data, "xyz", 3) == 0);
    CHECK_EQ(hear("d", 1, NULL), -EBADMSG);
    CHECK_EQ(hear("e", 1, NULL), -EBADMSG);
    CHECK_EQ(hear("?", 1, NULL), -EBADMSG);
    CHECK_EQ(hear("r", 1, NULL), -EBADMSG);
    CHECK_EQ(hear("n\1\2\3", 4, NULL), -EBADMSG);
    CHECK_EQ(remote_next(ours, 1, buffer, &m), 0);
    CHECK_EQ(hear("dx", 2, NULL), 1);
    CHECK_EQ(send_message(theirs, "dx", 2, NULL, 0), 0);
    CHECK_EQ(remote_wait(ours, buffer, &m), -EBADMSG); /* a reply was due */
    closep(&theirs);
    CHECK_EQ(remote_wait(ours, buffer, &m), -EPIPE);
    CHECK_EQ(remote_send_content(ours, "x", 1), 0); /* its reply says why, or that it is gone */
    close_sockets();
}

static int offer_room(uint64_t room, const int *fd, struct remote_writer *w)
{
    char message[1 + sizeof room] = { REMOTE_ROOM };
    memcpy(message + 1, &room, sizeof room);
    CHECK_EQ(send_message(theirs, message, sizeof message, fd, fd ? 1 : 0), 0);
    return w->most ? remote_writer_write(w, ours, buffer, "abc", 3) : remote_writer_begin(ours, 100000, buffer, w);
}

static int offer_first(uint64_t room, const int *fd)
{
    struct remote_writer w = { 0 };
    int e = offer_room(room, fd, &w);
    if (e == 0)
        remote_writer_done(&w);
    return e;
}

TEST(remote_room_is_written_to_only_where_it_costs_us_nothing)
{
    struct remote_writer w = { 0 };
    open_sockets();
    cleanup(closep) int file = open("/dev/shm", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    cleanup(closep) int readable = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    cleanup(closep) int appends = open("/dev/shm", O_TMPFILE | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    cleanup(closep) int elsewhere = open("/proc/self/comm", O_WRONLY | O_CLOEXEC);
    CHECK(file >= 0 && readable >= 0 && appends >= 0 && elsewhere >= 0);
    CHECK_EQ(fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 8192), 0);
    CHECK_EQ(fallocate(readable, FALLOC_FL_KEEP_SIZE, 0, 8192), 0);
    CHECK_EQ(fallocate(appends, FALLOC_FL_KEEP_SIZE, 0, 8192), 0);
    CHECK_EQ(offer_first(8192, &file), 0);
    CHECK_EQ(offer_first(16384, &file), -EBADMSG); /* not all of it is there */
    CHECK_EQ(offer_first(100001, &file), -EBADMSG);
    CHECK_EQ(offer_first(0, &file), -EBADMSG);
    CHECK_EQ(offer_first(8192, &readable), -EBADMSG);
    CHECK_EQ(offer_first(8192, &appends), -EBADMSG);
    CHECK_EQ(offer_first(1, &elsewhere), -EBADMSG);
    CHECK_EQ(offer_first(1, &ours), -EBADMSG);
    CHECK_EQ(offer_room(2, &file, &w), 0);
    CHECK_EQ(offer_room(8192, NULL, &w), 0);
    CHECK_EQ(w.at, 3);
    w.at = 8192;
    CHECK_EQ(offer_room(8192, NULL, &w), -EBADMSG); /* no more than before */
    CHECK_EQ(offer_room(8193, &file, &w), -EBADMSG);
    CHECK_EQ(offer_room(0, NULL, &w), 0); /* it has failed, and its reply says why */
    CHECK(w.is_over && w.at == 8192);
    CHECK_EQ(remote_writer_write(&w, ours, buffer, "abc", 3), 0);
    remote_writer_done(&w);
    close_sockets();
}

TEST(remote_requests_come_as_they_were_sent)
{
    struct remote_request q = { .op = REMOTE_MOVE, .path = "a", .to = "b", .mode = WFILE_MODE_KEEP, .replaces = 1 },
                          got;
    struct buf b;
    buf_init(&b, REMOTE_MAX_SIZE);
    remote_pack_request(&b, &q);
    struct unpack u = unpack_start(b.data, b.size);
    CHECK_EQ(remote_unpack_request(&u, &got), 0);
    CHECK(got.op == REMOTE_MOVE && str_eq(got.path, "a") && str_eq(got.to, "b") && got.replaces == 1);
    CHECK_EQ(got.mode, WFILE_MODE_KEEP);
    u = unpack_start(b.data, b.size - 1);
    CHECK_EQ(remote_unpack_request(&u, &got), -EBADMSG);
    q.op = 0;
    b.size = 0;
    remote_pack_request(&b, &q);
    u = unpack_start(b.data, b.size);
    CHECK_EQ(remote_unpack_request(&u, &got), -EBADMSG);
    buf_done(&b);
}
