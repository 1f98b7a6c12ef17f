/* setting_type.h - what the types of settings can do; between setting.c and setting_type.c only.
 *
 * One row of functions for each enum setting_type. `member` points into the struct that the table describes.
 */
#pragma once
#include "config/setting.h"

struct setting_ops {
    /* 0; -EINVAL: not of the form or out of range; other errors are faults */
    int (*parse)(const struct setting *s, void *member, const char *value);
    void (*print)(const struct setting *s, const void *member, struct buf *out);
    void (*accepts)(const struct setting *s, struct buf *out);
    void (*pack)(const struct setting *s, const void *member, struct buf *out);
    void (*unpack)(const struct setting *s, void *member, struct unpack *u);
    bool (*is_unset)(const struct setting *s, const void *member); /* NULL: always has a value */
    void (*clear)(void *member);                                   /* NULL: parsing replaces the value */
    bool takes_items;                                              /* each parse adds one */
};

/* setting_target.c: the text that a value of SET_TARGETS stands for («file=/x» is «/x»); an empty one adds nothing.
 * -EINVAL: it cannot be said. `ret` has room for TARGET_MAX bytes. */
#define TARGET_MAX 4200u
int target_normalize(const struct setting *s, const char *value, char ret[static TARGET_MAX]);

const struct setting_ops *setting_ops(const struct setting *s);
