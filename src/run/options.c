#include "run/options.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/parse.h"
#include "config/language.h"

void options_done(struct options *o)
{
    strlist_done(&o->env);
    strlist_done(&o->wrap.writable);
    strlist_done(&o->wrap.read_only);
    strlist_done(&o->wrap.hidden);
    strlist_done(&o->missing);
    strlist_done(&o->guards);
    strlist_done(&o->allow);
    strlist_done(&o->deny);
    strlist_done(&o->command);
    strlist_done(&o->file_words);
    for (size_t i = 0; i < ARRAY_LEN(o->owned); i++)
        free(o->owned[i]);
    memset(o->owned, 0, sizeof o->owned);
    o->volume_count = 0;
}

int options_language(struct options *o, const char *word, struct error *err)
{
    o->has_language = language_by_name(word, &o->language);
    if (o->has_language)
        return 0;
    (void)field_refuse(o->words, err, -EINVAL, BLAME_CALLER, REQUEST_LANGUAGE, word, "accepted are " LANGUAGE_ACCEPTED);
    return err_remedy(err, LANGUAGE_ALIASES);
}

int options_level(struct options *o, const char *word, struct error *err)
{
    int level = risk_level_find(word);
    if (level < 0)
        return field_refuse(o->words, err, -EINVAL, BLAME_CALLER, REQUEST_RISK_LEVEL, word,
                            "accepted are low, medium and high");
    o->has_level = true;
    o->risk_level = (enum risk_level)level;
    return 0;
}

/* --- limits --------------------------------------------------------------------------------------- */

enum request_field limit_field(enum limit_kind k)
{
    static const enum request_field fields[LIMIT_KINDS] = { REQUEST_TIMEOUT, REQUEST_MEMORY, REQUEST_CPU };
    return fields[k];
}

const char *limit_key(enum limit_kind k)
{
    static const char *const keys[LIMIT_KINDS] = { "resources.timeout", "resources.memory", "resources.cpu" };
    return keys[k];
}

uint64_t limit_of(const struct profile *p, enum limit_kind k)
{
    return k == LIMIT_OF_TIMEOUT ? p->resources.timeout : k == LIMIT_OF_MEMORY ? p->resources.memory : p->resources.cpu;
}

void limit_set(struct profile *p, enum limit_kind k, uint64_t value)
{
    if (k == LIMIT_OF_TIMEOUT)
        p->resources.timeout = value;
    else if (k == LIMIT_OF_MEMORY)
        p->resources.memory = value;
    else
        p->resources.cpu = (uint32_t)value; /* setting_parse() has bounded it */
}

struct limit_text limit_text(enum limit_kind k, uint64_t value)
{
    struct limit_text t;
    char small[32];
    if (k == LIMIT_OF_MEMORY)
        (void)format_size(value, t.text);
    else if (k == LIMIT_OF_CPU)
        (void)format_milli((uint32_t)value, t.text);
    else
        (void)snprintf(t.text, sizeof t.text, "%.28s s",
                       format_milli((uint32_t)MIN_OF(value, (uint64_t)UINT32_MAX), small));
    return t;
}

int options_limit(struct options *o, enum limit_kind k, const char *text, struct error *err)
{
    struct profile scratch = { 0 };
    struct error why = { 0 };
    int index = profile_find_key(limit_key(k));
    assert(index >= 0); /* our own literals */
    const struct setting *s = &profile_settings.table[index];
    if (setting_parse(s, &scratch, text, &why) < 0) {
        cleanup(buf_done) struct buf accepts;
        buf_init(&accepts, 512);
        setting_accepts(s, &accepts);
        return field_refuse(o->words, err, -EINVAL, BLAME_CALLER, limit_field(k), text, "accepted is %s",
                            accepts.data ? accepts.data : "another value");
    }
    o->limits[k] = (struct limit_asked){ .is_set = true, .value = limit_of(&scratch, k) };
    return 0;
}
