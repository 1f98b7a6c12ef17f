#include "daemon/download.h"

#include <sys/stat.h>

#include "daemon/sessions.h"

struct download {
    int fd;
    uint64_t left;
    struct session_entry *session; /* or NULL */
};

static ssize_t next_part(void *context, char *to, size_t max)
{
    struct download *d = context;
    ssize_t n;
    if (!d->left)
        return -1;
    if (d->session && session_has_ended(d->session->live))
        return -2;
    do
        n = read(d->fd, to, (size_t)MIN_OF((uint64_t)max, d->left));
    while (n < 0 && errno == EINTR);
    if (n <= 0) /* its end has come early: the client is not to take it for whole */
        return -2;
    d->left -= (uint64_t)n;
    return n;
}

static void done(void *context)
{
    struct download *d = context;
    (void)close(d->fd);
    (void)session_entry_unref(d->session);
    free(d);
}

void download_headers(struct http_answer *a, const char *content_type)
{
    a->content_type = content_type;
    http_answer_header(a, "Content-Disposition", "attachment");
    http_answer_header(a, "Content-Security-Policy", "sandbox; default-src 'none'");
}

/* What there is behind where the descriptor stands. */
static uint64_t bytes_left(int fd)
{
    struct stat st;
    const off_t at = lseek(fd, 0, SEEK_CUR);
    return fstat(fd, &st) == 0 && at >= 0 && st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
}

bool download_answer(struct http_answer *a, int fd, uint64_t size)
{
    struct download *d = calloc(1, sizeof *d);
    if (!d) {
        (void)close(fd);
        return false;
    }
    *d = (struct download){ .fd = fd, .left = MIN_OF(size, bytes_left(fd)) };
    a->has_size = true;
    a->size = d->left;
    download_headers(a, "application/octet-stream");
    a->stream = next_part;
    a->done = done;
    a->context = d;
    return true;
}

void download_of_session(struct http_answer *a, struct session_entry *e)
{
    struct download *d = a->context;
    d->session = e;
}
