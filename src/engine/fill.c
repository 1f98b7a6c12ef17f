#include "engine/fill.h"

#include "engine/volume.h"

static json_t *filler_body(const char *volume, const char *image, const json_t *labels)
{
    return json_pack("{s:s, s:[s], s:s, s:b, s:o, s:{s:s, s:{s:s}, s:[{s:s, s:s, s:s, s:{s:b}}]}}", "Image", image, "Entrypoint",
                     CODE_DIR "/" ENTRY_NAME, "User", "65534:65534", "NetworkDisabled", 1, "Labels", json_deep_copy(labels), "HostConfig", "NetworkMode",
                     "none", "LogConfig", "Type", "none", "Mounts", "Type", "volume", "Source", volume, "Target", CODE_DIR, "VolumeOptions", "NoCopy", 1);
}

static int put(struct fill *f)
{
    static const long made[] = { 201, 0 };
    json_t *answer = NULL;
    int r = engine_call(&f->engine, "POST", "/containers/create", f->body, made, &answer, &f->err);
    const char *id = json_string_value(json_object_get(answer, "Id"));
    if (r == 0 && !id)
        r = err_set(&f->err, -EPROTO, BLAME_HOST, NULL, "engine: POST /containers/create: an answer without Id");
    if (id)
        f->filler = arena_copy(&f->arena, id);
    json_decref(answer);
    return r < 0 ? r : engine_put_archive(&f->engine, f->filler, CODE_DIR, f->tar.data, f->tar.size, &f->err);
}

static void *fill_main(void *context)
{
    struct fill *f = context;
    (void)put(f); /* what came of it is in f->err */
    (void)sem_post(&f->is_filled);
    if (f->filler && container_remove(&f->engine, &f->arena, f->filler, &f->unremoved) == 0)
        f->filler = NULL;
    return NULL;
}

int fill_start(struct fill *f, const struct engine *e, const char *volume, const char *image, const json_t *labels, struct buf *tar, struct error *err)
{
    f->tar = *tar;
    *tar = (struct buf){ 0 };
    if (!(f->body = filler_body(volume, image, labels)))
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    int r = engine_open(&f->engine, e->socket, e->answer_ms, err);
    if (r < 0)
        return r;
    (void)sem_init(&f->is_filled, 0, 0); /* fails for values too large only */
    r = -pthread_create(&f->thread, NULL, fill_main, f);
    f->is_running = r == 0;
    return r < 0 ? err_set(err, r, BLAME_HOST, NULL, "a thread to fill the volume: %s", strerror(-r)) : 0;
}

int fill_wait(struct fill *f, struct error *err)
{
    while (sem_wait(&f->is_filled) < 0)
        ; /* EINTR: a debugger */
    if (f->err.code)
        *err = f->err;
    return f->err.code;
}

void fill_finish(struct fill *f)
{
    if (f->is_running)
        (void)pthread_join(f->thread, NULL);
    f->is_running = false;
}

void fill_done(struct fill *f)
{
    fill_finish(f);
    engine_close(&f->engine);
    json_decref(f->body);
    buf_done(&f->tar);
    arena_done(&f->arena);
}
