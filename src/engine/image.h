/* image.h - which image a run is made of: its reference, whether it may be pulled, and what of it must not be.
 */
#pragma once
#include "engine/api.h"
#include "plan/container.h"

struct image_ref {
    const char *registry;     /* «docker.io» where the reference names none; NULL: it is an id */
    const char *repository;   /* without registry; NULL: it is an id */
    const char *tag, *digest; /* NULL: none */
    const char *name;         /* normal form for a pull: never without tag or digest, which would mean all tags */
};
/* 0 or -EINVAL: no reference of an image. */
int image_parse(struct arena *a, const char *text, struct image_ref *ret);
/* docker.images.*: why ref may not be pulled, or NULL. */
const char *image_pull_refusal(struct arena *a, const struct container *c, const struct image_ref *ref);
/* Inspects it, after a pull where the policy says so; *ret_id: of what was looked at, so that what was checked is what
 * runs. */
int image_get(struct engine *e, const struct container *c, struct arena *a, const char **ret_id, struct error *err);
