/* How many processes a session's sandbox may have beside its jobs', and what its launcher says of that:
 * src/session/room.c. */
#include "test.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/wait.h"
#include "session/internal.h"

/* One that is open; the other end of its connection is *ret_launcher. */
static struct session *session_that_is_open(int *ret_launcher)
{
    struct session *s = calloc(1, sizeof *s);
    int pair[2];
    CHECK(s != NULL);
    (void)pthread_mutex_init(&s->lock, NULL);
    wait_init(&s->changed);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    s->launcher.sock = pair[0];
    *ret_launcher = pair[1];
    s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->was_opened = true;
    s->room = 1;
    s->plan.shape.room_max = STEWARD_PROCESSES;
    return s;
}

static void session_is_over(struct session *s, int launcher)
{
    (void)close(launcher);
    (void)close(s->launcher.sock);
    (void)close(s->wake);
    (void)pthread_cond_destroy(&s->changed);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

/* The mark that the launcher is asked with; 0: it is not asked. */
static uint64_t asked_mark(struct session *s, int launcher)
{
    uint64_t words[4];
    session_room_tell(s);
    const ssize_t n = recv(launcher, words, sizeof words, MSG_DONTWAIT);
    CHECK(n < 0 || (n == (ssize_t)sizeof words && words[0] == MESSAGE_ROOM));
    return n < 0 ? 0 : words[3];
}

TEST(a_checkpoint_waits_until_the_launcher_has_raised_the_limit)
{
    struct error err = { 0 };
    int launcher = -1;
    struct session *s = session_that_is_open(&launcher);
    session_add_checkpoint(s, true);
    CHECK_EQ(asked_mark(s, launcher), 1);
    CHECK_EQ(asked_mark(s, launcher), 0);
    session_room_is_set(s, 1, 0);
    CHECK_EQ(session_wait_checkpoint(s, &err), 0);
    session_is_over(s, launcher);
}

TEST(a_checkpoint_fails_where_the_launcher_could_not_raise_the_limit)
{
    struct error err = { 0 };
    int launcher = -1;
    struct session *s = session_that_is_open(&launcher);
    session_add_checkpoint(s, true);
    CHECK_EQ(asked_mark(s, launcher), 1);
    session_room_is_set(s, 1, EIO);
    CHECK_EQ(asked_mark(s, launcher), 0); /* not at once again */
    CHECK_EQ(session_wait_checkpoint(s, &err), -EIO);
    CHECK(err.blame == BLAME_HOST && strstr(err.text, strerror(EIO)) != NULL);
    session_drop_checkpoint(s, true);
    session_add_checkpoint(s, true); /* the next one asks anew */
    CHECK_EQ(asked_mark(s, launcher), 1);
    session_room_is_set(s, 1, 0);
    err = (struct error){ 0 };
    CHECK_EQ(session_wait_checkpoint(s, &err), 0);
    session_is_over(s, launcher);
}

static void *pauses(void *session)
{
    struct error err = { 0 };
    return (void *)(intptr_t)session_pause(session, true, &err);
}

/* Another client's request is answered before this one has looked. */
TEST(a_pause_that_was_answered_is_done_also_where_another_request_has_undone_it)
{
    uint64_t words[3];
    pthread_t thread;
    void *result;
    int launcher = -1;
    struct session *s = session_that_is_open(&launcher);
    s->is_ready = true;
    CHECK(pthread_create(&thread, NULL, pauses, s) == 0);
    CHECK(recv(launcher, words, sizeof words, 0) == (ssize_t)sizeof words && words[0] == MESSAGE_PAUSE);
    (void)pthread_mutex_lock(&s->lock);
    s->pause_answers += 2; /* paused, and resumed */
    s->is_asked = false;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
    CHECK(pthread_join(thread, &result) == 0);
    CHECK_EQ((intptr_t)result, 0);
    session_is_over(s, launcher);
}
