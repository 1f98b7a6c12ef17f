/* bash_write.c - what is written where: each write is a flow «file-write» with the target, the text (holes for what is
 * not known), «>» or «>>», where the text comes from («network», «decoded», ""), and for a copy («copy») its source. So
 * a rule can ask what a program puts into a file of the system, and not only whether it does. tee writes its operands,
 * install and cp what /dev/stdin has, dd its of=; what crontab and chpasswd are given has their names for a target. */
#include "scan/bash.h"
#include "scan/embedded.h"

#define GROUP_DEPTH 6
#define TEXT_MAX    4096u
#define KEPT_MAX    65536u /* of one text: a line behind a long one is seen as well */

static uint32_t byte_of(const struct sh *s, uint32_t node)
{
    return s->fixed_byte == SH_NOWHERE ? ir_at(s->e, node)->start : s->fixed_byte;
}

/* NULs are left out, and what was kept before is not copied. */
static const char *copy(struct sh *s, const char *text, size_t n)
{
    for (uint32_t i = 0; i < SH_MAX_WRITTEN; i++)
        if (s->s->written[i].text == text)
            return text;
    n = MIN_OF(n, KEPT_MAX);
    char *out = arena_zero(s->s->c->arena, n + 1);
    size_t used = 0;
    for (size_t i = 0; out && i < n; i++)
        if (text[i])
            out[used++] = text[i];
    return out;
}

/* What the program has put into a file so far, holes and all; the last few files. */
static const char *text_of(const struct sh *s, const struct tv *path)
{
    for (uint32_t i = 0; path->text && i < SH_MAX_WRITTEN; i++) {
        const struct sh_written *w = &s->s->written[i];
        if (w->path && strlen(w->path) == path->count && memcmp(w->path, path->text, path->count) == 0)
            return w->text;
    }
    return NULL;
}

static void remember(struct sh *s, const char *path, const char *text, bool is_more)
{
    const struct tv v = { .text = path, .count = (uint32_t)strlen(path) };
    const char *before = is_more && v.text ? text_of(s, &v) : NULL;
    if (before && strlen(before) < TEXT_MAX / 2) {
        char both[TEXT_MAX];
        (void)snprintf(both, sizeof both, "%s\n%s", before, text);
        struct tv joined = sh_make(s, both, strlen(both), 0); /* what a program makes us keep is bounded */
        text = joined.text ? copy(s, joined.text, joined.count) : text;
    }
    struct sh_written *to = &s->s->written[s->s->written_count++ % SH_MAX_WRITTEN];
    for (uint32_t i = 0; i < SH_MAX_WRITTEN; i++)
        if (s->s->written[i].path && str_eq(s->s->written[i].path, path))
            to = &s->s->written[i];
    *to = (struct sh_written){ .path = path, .text = text };
}

static void tell_write(struct sh *s, uint32_t node, const struct tv *target, const struct tv *v, bool is_more,
                       const char *from)
{
    const char *origin = v->taint & SH_NETWORK ? "network" : v->taint & SH_DECODED ? "decoded" : "";
    if (!target->text || !target->count || (target->count == 9 && memcmp(target->text, "/dev/null", 9) == 0))
        return;
    struct fact f = { .kind = FACT_FLOW,
                      .name = "file-write",
                      .arg_count = from ? 5 : 4,
                      .args = { copy(s, target->text, target->count), v->text ? copy(s, v->text, v->count) : SH_HOLE,
                                from      ? "copy"
                                : is_more ? ">>"
                                          : ">",
                                origin, from } };
    if (!f.args[0] || !f.args[1])
        return;
    sh_tell(s, node, &f);
    remember(s, f.args[0], f.args[1], is_more);
}

/* --- redirections ------------------------------------------------------------------------------------------ */

struct output {
    char text[TEXT_MAX];
    size_t used;
    uint32_t taint;
    bool has_text;
};

static void put(struct output *o, const char *text, size_t n)
{
    n = MIN_OF(n, sizeof o->text - 1 - o->used);
    memcpy(o->text + o->used, text, n);
    o->used += n;
    if (o->used && o->used < sizeof o->text - 1 && o->text[o->used - 1] != '\n')
        o->text[o->used++] = '\n';
}

static bool is_group(const struct sh *s, uint32_t node)
{
    uint8_t kind = sh_kind(s, node);
    return kind == B_SUBSHELL || kind == B_COMPOUND || kind == B_LIST;
}

uint32_t sh_last_of(const struct sh *s, uint32_t list)
{
    uint32_t last = list;
    SH_PARTS(c, s, list)
    last = c;
    return last;
}

/* What the commands of a group print, one after the other. */
static void gather_output(const struct sh *s, uint32_t node, struct output *o, int depth)
{
    const struct tv *v = &s->at[node].value;
    if (!is_group(s, node) || v->text || depth == 0) {
        o->taint |= v->taint;
        o->has_text |= v->text != NULL;
        put(o, v->text ? v->text : SH_HOLE, v->text ? v->count : strlen(SH_HOLE));
        return;
    }
    SH_PARTS(c, s, node)
    gather_output(s, c, o, depth - 1);
}

static struct tv output_of(struct sh *s, uint32_t node)
{
    struct output o = { .used = 0 };
    gather_output(s, node, &o, GROUP_DEPTH);
    return o.has_text ? sh_make(s, o.text, o.used, o.taint) : (struct tv){ .taint = o.taint };
}

static struct tv with_newline(struct sh *s, const struct tv *v)
{
    char text[TEXT_MAX];
    if (!v->text || !v->count || v->text[v->count - 1] == '\n' || v->count + 1 > sizeof text)
        return *v;
    memcpy(text, v->text, v->count);
    text[v->count] = '\n';
    return sh_make(s, text, v->count + 1, v->taint);
}

/* > x, behind a command or behind the word that begins a here-document. */
static void write_files(struct sh *s, uint32_t node, uint32_t at, const struct tv *v, bool is_known)
{
    SH_PARTS(c, s, node)
    {
        uint32_t to = sh_kind(s, c) == B_FILE_REDIRECT ? ir_part(s->e, c, ROLE_RIGHT) : 0;
        const char *t = s->e->c->text + ir_at(s->e, c)->start;
        uint32_t n = ir_at(s->e, c)->end - ir_at(s->e, c)->start, i = n && t[0] == '&';
        i += n && t[0] == '1';
        if (!to || !s->at[to].value.text || i >= n || t[i] != '>')
            continue;
        bool is_more = i + 1 < n && t[i + 1] == '>';
        tell_write(s, at, &s->at[to].value, v, is_more, NULL);
        if (is_known) {
            struct tv line = is_more ? with_newline(s, v) : *v; /* what echo prints has an end of its line */
            embedded_file(s->s->c, s->at[to].value.text, s->at[to].value.count, line.text, line.count, byte_of(s, at),
                          is_more);
        }
    }
}

void sh_write_redirected(struct sh *s, uint32_t statement, uint32_t body, const struct tv *printed)
{
    struct tv v = { .text = "" };
    if (body && sh_kind(s, body) == B_LIST)
        v = output_of(s, sh_last_of(s, body)); /* a || b > x: the grammar takes both */
    else if (body)
        v = is_group(s, body) ? output_of(s, body) : *printed;
    write_files(s, statement, !body ? statement : body, &v, true);
}

static void write_to(struct sh *s, uint32_t at, const struct tv *to, const struct tv *v, bool is_more)
{
    tell_write(s, at, to, v, is_more, NULL);
    embedded_file(s->s->c, to->text, to->count, v->text, v->count, byte_of(s, at), is_more);
}

static void write_operands(struct sh *s, const struct sh_command *k, uint32_t at, const struct tv *v)
{
    bool is_more = false;
    for (uint32_t i = 1; i < k->count; i++) {
        const struct tv *to = &k->words[i];
        if (sh_is(to, "-a") || sh_is(to, "--append"))
            is_more = true;
        else if (to->text && to->count && to->text[0] != '-')
            write_to(s, at, to, v, is_more);
    }
}

static bool is_fed(const struct sh_command *k)
{
    if (!str_eq(k->name, "crontab") && !str_eq(k->name, "chpasswd"))
        return false;
    for (uint32_t i = 1; i < k->count; i++)
        if (sh_is(&k->words[i], "-l") || sh_is(&k->words[i], "-r") || sh_is(&k->words[i], "-e"))
            return false;
    return true;
}

/* install /dev/stdin FILE, cp /dev/stdin FILE, dd of=FILE: the file that gets the standard input. */
static bool fed_operand(const struct sh_command *k, struct tv *ret)
{
    const bool is_copy = str_eq(k->name, "cp") || str_eq(k->name, "install");
    bool has_target = is_copy && k->count > 2 && sh_is(&k->words[k->count - 2], "/dev/stdin");
    if (has_target)
        *ret = k->words[k->count - 1];
    for (uint32_t i = 1; str_eq(k->name, "dd") && i < k->count; i++) {
        const struct tv *w = &k->words[i];
        if (!w->text || w->count <= 3 || memcmp(w->text, "if=", 3) == 0)
            return false;
        if (memcmp(w->text, "of=", 3) == 0) {
            *ret = (struct tv){ .text = w->text + 3, .count = w->count - 3 };
            has_target = true;
        }
    }
    return has_target && ret->text && ret->count;
}

static void write_own(struct sh *s, const struct sh_command *k, uint32_t at, const struct tv *v)
{
    struct tv name = { .text = k->name, .count = (uint32_t)strlen(k->name) };
    tell_write(s, at, &name, v, false, NULL);
}

/* cat <<E > x, tee x <<E, base64 -d <<E > x */
void sh_write_heredoc(struct sh *s, uint32_t statement, uint32_t redirect, uint32_t text,
                      const struct sh_command *writer, struct tv v)
{
    static const struct tv nothing;
    struct tv to;
    const bool has_operand = fed_operand(writer, &to);
    bool is_known = has_operand || sh_is_decoder(writer) || str_eq(writer->name, "cat") || str_eq(writer->name, "tee");
    if (sh_is_decoder(writer))
        v = sh_decode(s, &v, str_eq(writer->name, "xxd"));
    write_files(s, statement, text, is_known ? &v : &nothing, is_known);
    write_files(s, redirect, text, is_known ? &v : &nothing, is_known);
    if (str_eq(writer->name, "tee"))
        write_operands(s, writer, text, &v);
    else if (is_fed(writer))
        write_own(s, writer, text, &v);
    else if (has_operand)
        write_to(s, text, &to, &v, false);
}

/* --- commands that write -------------------------------------------------------------------------------------- */

/* cp a b: b gets what the program has put into a, as far as it did. */
static void write_copy(struct sh *s, const struct sh_command *k)
{
    uint32_t last = k->count - 1;
    const struct tv *from = &k->words[last > 1 ? last - 1 : 0];
    if (last < 2 || !from->text || !from->count || from->text[0] == '-')
        return;
    struct tv v = { .taint = from->taint & (SH_NETWORK | SH_DECODED) };
    v.text = text_of(s, from);
    v.count = v.text ? (uint32_t)strlen(v.text) : 0;
    tell_write(s, k->node, &k->words[last], &v, false, copy(s, from->text, from->count));
}

static void write_table(struct sh *s, const struct sh_command *k)
{
    const struct tv *file = k->count > 1 ? &k->words[k->count - 1] : NULL;
    struct tv v = { 0 };
    if (!file || !file->text || !file->count || file->text[0] == '-')
        return;
    v.text = text_of(s, file);
    v.count = v.text ? (uint32_t)strlen(v.text) : 0;
    write_own(s, k, k->node, &v);
}

void sh_write_command(struct sh *s, const struct sh_command *k, uint32_t input)
{
    bool is_tee = str_eq(k->name, "tee");
    struct tv to;
    if (input && fed_operand(k, &to)) {
        struct tv v = output_of(s, input);
        write_to(s, k->node, &to, &v, false);
        return;
    }
    if (str_eq(k->name, "cp") || str_eq(k->name, "mv") || str_eq(k->name, "install") || str_eq(k->name, "ln"))
        write_copy(s, k);
    if (!is_tee && !is_fed(k))
        return;
    if (!input) {
        if (!is_tee)
            write_table(s, k);
        return;
    }
    struct tv v = output_of(s, input);
    if (is_tee)
        write_operands(s, k, k->node, &v);
    else
        write_own(s, k, k->node, &v);
}
