/* setting.c - one setting by its row, whole structs by their table. What a type can do is in setting_type.c. */
#include "config/setting_type.h"

#include "base/parse.h"

#include <stdio.h>

static void *member_of(const struct setting *s, void *base)
{
    return (char *)base + s->offset;
}
static const void *const_member_of(const struct setting *s, const void *base)
{
    return (const char *)base + s->offset;
}

const struct setting *setting_find(struct settings s, const char *key)
{
    for (size_t i = 0; i < s.count; i++)
        if (str_eq(s.table[i].key, key))
            return &s.table[i];
    return NULL;
}

/* What a message may show of a value: short, and nothing that steers a terminal. */
static void show_value(const char *value, char out[static 64])
{
    size_t n = 0;
    for (; value[n] && n < 48; n++)
        out[n] = value[n] == RECORD_SEPARATOR                         ? ' '
                 : (unsigned char)value[n] < 0x20 || value[n] == 0x7f ? '?'
                                                                      : value[n];
    (void)snprintf(out + n, 64 - n, "%s", value[n] ? "..." : "");
}

int setting_parse(const struct setting *s, void *base, const char *value, struct error *err)
{
    int r = setting_ops(s)->parse(s, member_of(s, base), value);
    if (r == 0)
        return 0;
    if (r == -E2BIG)
        return err_set(err, r, BLAME_CALLER, NULL, "%s: the list is longer than %u bytes", s->key, STRLIST_MAX_BYTES);
    if (r != -EINVAL)
        return err_set(err, r, BLAME_US, NULL, "%s: out of memory", s->key);
    char shown[64];
    struct buf accepts;
    buf_init(&accepts, 1024);
    show_value(value, shown);
    setting_accepts(s, &accepts);
    (void)err_set(err, r, BLAME_CALLER, NULL, "%s: '%s' is not accepted; expected %s", s->key, shown,
                  accepts.data ? accepts.data : "something else");
    buf_done(&accepts);
    return r;
}

void setting_clear(const struct setting *s, void *base)
{
    if (setting_ops(s)->clear)
        setting_ops(s)->clear(member_of(s, base));
}

bool setting_is_unset(const struct setting *s, const void *base)
{
    return !s->preset && setting_ops(s)->is_unset && setting_ops(s)->is_unset(s, const_member_of(s, base));
}

void setting_print(const struct setting *s, const void *base, struct buf *out)
{
    if (setting_is_unset(s, base))
        (void)buf_adds(out, "null");
    else
        setting_ops(s)->print(s, const_member_of(s, base), out);
}

void setting_accepts(const struct setting *s, struct buf *out)
{
    setting_ops(s)->accepts(s, out);
}

/* ---- «did you mean» ---- */

struct candidates {
    char text[64][SETTING_KEY_MAX];
    const char *words[64];
    size_t count;
};

static void candidate_add(struct candidates *c, const char *key, size_t length)
{
    if (c->count == ARRAY_LEN(c->words) || length >= SETTING_KEY_MAX)
        return;
    char *text = c->text[c->count];
    memcpy(text, key, length);
    text[length] = '\0';
    for (size_t i = 0; i < c->count; i++)
        if (str_eq(c->words[i], text))
            return;
    c->words[c->count++] = text;
}

/* Sections and keys that stand beside `key`. */
static void candidates_beside(struct candidates *c, struct settings s, const char *key)
{
    const char *dot = strrchr(key, '.');
    size_t prefix = dot ? (size_t)(dot - key) + 1 : 0;
    for (size_t i = 0; i < s.count; i++) {
        const char *known = s.table[i].key;
        if (strncmp(known, key, prefix) == 0)
            candidate_add(c, known, prefix + strcspn(known + prefix, "."));
    }
}
/* Keys that would be the same one in another section. */
static void candidates_by_last_word(struct candidates *c, struct settings s, const char *key)
{
    const char *dot = strrchr(key, '.');
    const char *word = dot ? dot + 1 : key;
    for (size_t i = 0; i < s.count; i++) {
        const char *last = strrchr(s.table[i].key, '.');
        if (last && str_eq(last + 1, word))
            candidate_add(c, s.table[i].key, strlen(s.table[i].key));
    }
}

/* How much of a is alike is judged on the last word: all siblings share the rest. */
static const char *nearest_beside(const struct candidates *c, const char *key)
{
    const char *dot = strrchr(key, '.');
    size_t prefix = dot ? (size_t)(dot - key) + 1 : 0;
    const char *words[ARRAY_LEN(c->words)];
    for (size_t i = 0; i < c->count; i++)
        words[i] = c->words[i] + prefix;
    const char *near = nearest_word(key + prefix, words, c->count);
    for (size_t i = 0; !near && i < c->count && strlen(key + prefix) >= 3; i++)
        if (str_starts(words[i], key + prefix)) /* «low» for low_risk: far by letters, near by mind */
            near = words[i];
    return near ? near - prefix : NULL;
}

bool setting_nearest(struct settings s, const char *key, char ret_key[static SETTING_KEY_MAX])
{
    struct candidates *c = calloc(1, sizeof *c);
    if (!c)
        return false;
    candidates_beside(c, s, key);
    const char *near = nearest_beside(c, key);
    if (!near) {
        c->count = 0;
        candidates_by_last_word(c, s, key);
        near = c->count ? c->words[0] : NULL;
    }
    if (near)
        (void)snprintf(ret_key, SETTING_KEY_MAX, "%s", near);
    free(c);
    return near != NULL;
}

/* ---- whole tables ---- */

static void preset_items(const struct setting *s, void *base)
{
    char item[SETTING_KEY_MAX * 2];
    for (const char *p = s->preset; *p;) {
        size_t n = strcspn(p, " ");
        assert(n > 0 && n < sizeof item); /* presets are ours: one space between items */
        memcpy(item, p, n);
        item[n] = '\0';
        int r = setting_parse(s, base, item, NULL);
        assert(r == 0); /* a default that is not there would silently widen a profile */
        p += n;
        if (*p)
            p++;
    }
}

void settings_preset(struct settings s, void *base)
{
    for (size_t i = 0; i < s.count; i++) {
        const struct setting *t = &s.table[i];
        if (!t->preset) {
            if (t->type == SET_ENUM)
                *(uint8_t *)member_of(t, base) = SETTING_UNSET_ENUM;
        } else if (setting_ops(t)->takes_items) {
            preset_items(t, base);
        } else {
            int r = setting_parse(t, base, t->preset, NULL);
            assert(r == 0);
        }
    }
}

/* Prints the sections that `key` opens and `previous` had not, and returns the last word's depth. */
static int print_sections(const char *previous, const char *key, struct buf *out)
{
    int depth = 0;
    bool is_same = true;
    const char *dot;
    for (const char *word = key; (dot = strchr(word, '.')); word = dot + 1) {
        size_t n = (size_t)(dot - key) + 1;
        is_same = is_same && previous && strncmp(previous, key, n) == 0;
        if (!is_same)
            (void)buf_addf(out, "%*s%.*s:\n", depth * 2, "", (int)(dot - word), word);
        depth++;
    }
    return depth;
}

void settings_print(struct settings s, const void *base, settings_note *note, void *ctx, struct buf *out)
{
    for (size_t i = 0; i < s.count; i++) {
        const struct setting *t = &s.table[i];
        int depth = print_sections(i ? s.table[i - 1].key : NULL, t->key, out);
        const char *dot = strrchr(t->key, '.');
        (void)buf_addf(out, "%*s%s: ", depth * 2, "", dot ? dot + 1 : t->key);
        setting_print(t, base, out);
        if (note) {
            (void)buf_adds(out, "  # ");
            note(ctx, i, out);
        }
        (void)buf_addc(out, '\n');
    }
}

void settings_pack(struct settings s, const void *base, struct buf *out)
{
    for (size_t i = 0; i < s.count; i++)
        setting_ops(&s.table[i])->pack(&s.table[i], const_member_of(&s.table[i], base), out);
}

void settings_unpack(struct settings s, void *base, struct unpack *u)
{
    for (size_t i = 0; i < s.count && !u->failed; i++)
        setting_ops(&s.table[i])->unpack(&s.table[i], member_of(&s.table[i], base), u);
}

void settings_free(struct settings s, void *base)
{
    for (size_t i = 0; i < s.count; i++)
        setting_clear(&s.table[i], base);
}
