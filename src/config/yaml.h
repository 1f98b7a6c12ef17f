/* yaml.h - administrators' files, read strictly into a table of settings.
 *
 * The only place that knows libyaml, and linked only into sandbox-policy. What is accepted is the
 * plain core of YAML: one document of nested mappings, scalars and lists. Refused, each with file,
 * line and what was expected: unknown and duplicate keys, anchors, aliases, tags, directives, merge
 * keys, further documents, NUL and other control characters, invalid UTF-8.
 * Everything is bounded before libyaml sees it, so no input takes more than milliseconds.
 */
#pragma once
#include "config/setting.h"

#define YAML_MAX_BYTES  (256u * 1024u)
#define YAML_MAX_SCALAR 16384u
#define YAML_MAX_ITEMS  1024u

/* Lays the file's values over base, and marks the origin (source and line) of each key it gave.
 * base must own its strings. `path` is for messages. Empty text: nothing set. After a failure base is only
 * fit for settings_free(). */
int yaml_load(const char *path, const char *bytes, size_t size, struct settings s, void *base, struct origin *origins,
              uint8_t origin_source, struct error *err);
