/* setting_target.c - the items of SET_TARGETS: where something is written or sent to.
 *
 * An item is one text, such as stderr, /var/log/x.log or command:/usr/local/bin/tell. Configurations that were written
 * for AGiXT say the same with mappings:
 *
 *   - file: /var/log/x.log                 /var/log/x.log
 *   - stdout: true                         stdout (false: nothing)
 *   - type: log, level: warn               log:warn
 *   - type: command, path: /bin/tell       command:/bin/tell
 *
 * A mapping arrives as a record («k=v US k=v»), as for SET_RECORDS. The text is what is kept and printed.
 */
#include "config/setting_type.h"

#include "base/parse.h"

#include <stdio.h>

static bool is_mapping(const struct setting *s, const char *value)
{
    for (size_t i = 0; s->choices[i]; i++)
        if (str_starts(value, s->choices[i]) && value[strlen(s->choices[i])] == '=')
            return true;
    return false;
}

/* Only keys that this setting knows, each once. */
static bool has_known_keys(const struct setting *s, const char *record)
{
    uint32_t seen = 0;
    for (const char *part = record; *part;) {
        size_t length = strcspn(part, (char[]){ RECORD_SEPARATOR, '\0' });
        size_t i = 0;
        while (s->choices[i] &&
               (strncmp(part, s->choices[i], strlen(s->choices[i])) != 0 || part[strlen(s->choices[i])] != '='))
            i++;
        if (!s->choices[i] || (seen & UINT32_C(1) << i))
            return false;
        seen |= UINT32_C(1) << i;
        part += length + (part[length] != '\0');
    }
    return true;
}

/* Value of «key=», copied; false: not there, or longer than any path. */
static bool get(const char *record, const char *key, char out[static TARGET_MAX / 2])
{
    size_t length;
    const char *value = record_find(record, key, &length);
    if (!value || length >= TARGET_MAX / 2)
        return false;
    memcpy(out, value, length);
    out[length] = '\0';
    return true;
}

static bool has(const char *record, const char *key)
{
    size_t length;
    return record_find(record, key, &length) != NULL;
}

/* {type: T}, with the path of a command or file, or the level of a log. */
static int from_type(const char *record, char ret[static TARGET_MAX])
{
    char type[TARGET_MAX / 2], value[TARGET_MAX / 2];
    if (!get(record, "type", type))
        return -EINVAL;
    const char *separator = "", *last = "";
    if (get(record, "path", value)) {
        if (str_eq(type, "file")) {
            (void)snprintf(ret, TARGET_MAX, "%s", value);
            return 0;
        }
        separator = ":", last = value;
    } else if (get(record, "level", value)) {
        separator = ":", last = value;
    }
    (void)snprintf(ret, TARGET_MAX, "%s%s%s", type, separator, last);
    return 0;
}

/* {stdout: true}: a stream by its name. */
static int from_stream(const char *record, const char *name, char ret[static TARGET_MAX])
{
    char value[TARGET_MAX / 2];
    bool is_on;
    if (strchr(record, RECORD_SEPARATOR) || !get(record, name, value) || parse_bool(value, &is_on) < 0)
        return -EINVAL;
    (void)snprintf(ret, TARGET_MAX, "%s", is_on ? name : "");
    return 0;
}

int target_normalize(const struct setting *s, const char *value, char ret[static TARGET_MAX])
{
    if (!is_mapping(s, value)) {
        int n = snprintf(ret, TARGET_MAX, "%s", value);
        return n > 0 && n < (int)TARGET_MAX ? 0 : -EINVAL;
    }
    if (!has_known_keys(s, value))
        return -EINVAL;
    if (has(value, "file")) {
        if (strchr(value, RECORD_SEPARATOR) || !get(value, "file", ret))
            return -EINVAL;
        return ret[0] == '/' ? 0 : -EINVAL;
    }
    if (has(value, "stdout"))
        return from_stream(value, "stdout", ret);
    return has(value, "stderr") ? from_stream(value, "stderr", ret) : from_type(value, ret);
}
