/* pull.c - POST /images/create: the engine fetches an image and tells how far it is, one JSON object after the other.
 * That it failed is one of them («error»), when the status 200 has long been sent. */
#include <stdio.h>
#include "base/progress.h"
#include "engine/answer.h"
#include "engine/http.h"

#define OBJECT_MAX (256 * KIB) /* of one piece of news */

struct pull {
    struct buf line;
    char failure[ANSWER_TEXT_MAX]; /* "": none was told */
    struct progress progress;
};

static void tick(void *context)
{
    struct pull *p = context;
    (void)progress_look(&p->progress);
}

static void note_failure(struct pull *p, const json_t *news)
{
    const json_t *said = json_object_get(news, "error");
    if (!json_is_string(said))
        said = json_object_get(json_object_get(news, "errorDetail"), "message");
    if (json_is_string(said) && !p->failure[0])
        (void)answer_clean(json_string_value(said), json_string_length(said), p->failure, sizeof p->failure);
}

/* Docker ends an object with CR LF, Podman with LF; several in a line are taken too. */
static int read_line(struct pull *p)
{
    const char *at = p->line.data, *const end = at + p->line.size;
    json_error_t where;
    while (at < end) {
        if (strchr(" \t\r\n", *at)) {
            at++;
            continue;
        }
        json_t *news = json_loadb(at, (size_t)(end - at), JSON_DISABLE_EOF_CHECK, &where);
        if (!news)
            return -EBADMSG;
        note_failure(p, news);
        json_decref(news);
        at += where.position;
    }
    p->line.size = 0;
    return 0;
}

static int take(void *context, const char *data, size_t size)
{
    struct pull *p = context;
    while (size) {
        const char *end = memchr(data, '\n', size);
        const size_t n = end ? (size_t)(end - data) + 1 : size;
        int r = buf_add(&p->line, data, n);
        if (r == 0 && end)
            r = read_line(p);
        if (r < 0)
            return -EBADMSG;
        data += n;
        size -= n;
    }
    return 0;
}

/* A name alone would fetch every tag that the registry has. */
static bool has_tag_or_digest(const char *image)
{
    const char *last = strrchr(image, '/');
    return strpbrk(last ? last : image, ":@") != NULL;
}

static int judge(const struct engine *e, struct pull *p, const struct exchange *x, const char *image, struct error *err)
{
    char text[ANSWER_TEXT_MAX];
    if (e->status != 200)
        return exchange_fail(x, -EREMOTEIO, err, "pulling %.100s: %ld %s", image, e->status,
                             answer_failure(x->answer.data ? x->answer.data : "", x->answer.size, text));
    if (p->line.size && read_line(p) < 0)
        return exchange_fail(x, -EBADMSG, err, "its answer ends in the middle");
    return p->failure[0] ? exchange_fail(x, -EREMOTEIO, err, "pulling %.100s: %s", image, p->failure) : 0;
}

int engine_pull(struct engine *e, const char *image, uint64_t max_ms, struct error *err)
{
    struct arena a = { 0 };
    struct pull p = { 0 };
    const char *path = arena_printf(&a, "/images/create?fromImage=%s%s", engine_escape(&a, image),
                                    has_tag_or_digest(image) ? "" : "&tag=latest");
    struct exchange x = { .method = "POST",
                          .path = path,
                          .max_ms = max_ms,
                          .silence_ms = MIN_OF(e->answer_ms, max_ms),
                          .take = take,
                          .tick = e->is_shown ? tick : NULL,
                          .context = &p };
    progress_begin(&p.progress, arena_printf(&a, "pulling %s", image));
    buf_init(&p.line, OBJECT_MAX);
    int r = a.failed ? exchange_fail(&x, -ENOMEM, err, "no memory") : exchange_run(e, &x, err);
    if (r == 0)
        r = judge(e, &p, &x, image, err);
    progress_end(&p.progress);
    exchange_done(&x);
    buf_done(&p.line);
    arena_done(&a);
    return r;
}
