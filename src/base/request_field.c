#include "base/request_field.h"

#include <stdarg.h>
#include <stdio.h>

const char *request_word(const struct request_words *words, enum request_field f)
{
    static const struct request_words plain = { { "language", "code", "file", "standard input", "environment", "volume",
                                                  "agent id", "risk level", "backend", "signature", "timeout", "memory",
                                                  "cpu", NULL, "working directory", "packages" } };
    return (words ? words : &plain)->name[f];
}

int field_refuse(const struct request_words *words, struct error *err, int code, enum blame blame, enum request_field f,
                 const char *value, const char *fmt, ...)
{
    char why[sizeof err->text];
    const char *word = request_word(words, f);
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    /* a long value must not push out what is wrong with it */
    (void)err_set(err, code, blame, NULL, "%s%s%.160s%s: %s", word, value ? " " : "", value ? value : "",
                  value && strlen(value) > 160 ? "..." : "", why);
    err_field(err, word);
    return code;
}

int request_blame(const struct request_words *words, struct error *err, enum request_field f)
{
    const char *word = request_word(words, f);
    (void)err_wrap(err, "%s", word);
    err_field(err, word);
    return err->code;
}
