#include "config/language.h"

#include <strings.h>

bool language_by_name(const char *word, enum language *ret)
{
    static const struct {
        const char *name;
        enum language language;
    } names[] = { { "python", LANG_PYTHON }, { "py", LANG_PYTHON },       { "python3", LANG_PYTHON },
                  { "node", LANG_NODE },     { "javascript", LANG_NODE }, { "js", LANG_NODE },
                  { "nodejs", LANG_NODE },   { "bash", LANG_BASH },       { "sh", LANG_BASH },
                  { "shell", LANG_BASH },    { "go", LANG_GO },           { "golang", LANG_GO },
                  { "rust", LANG_RUST },     { "rs", LANG_RUST } };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcasecmp(word, names[i].name) == 0) {
            *ret = names[i].language;
            return true;
        }
    return false;
}
