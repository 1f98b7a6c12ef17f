/* setting_json.h - the values of a struct of settings as one JSON object, and where each was said.
 *
 *   {"values":{"resources":{"memory":268435456,…},…},"origins":{"resources.memory":"default",…}}
 *
 * Sizes in bytes, times in seconds, CPU in cores; what is not set is null.
 */
#pragma once
#include "config/setting.h"

/* origin: adds the text of where setting i comes from. */
void settings_json(struct settings s, const void *base, settings_note *origin, void *ctx, struct buf *out);
