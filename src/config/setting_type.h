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

const struct setting_ops *setting_ops(const struct setting *s);
