#include "scan/grammar.h"

/* the grammars' only interface; they have no header */
#ifdef HAVE_GRAMMAR_python
const TSLanguage *tree_sitter_python(void);
#else
#define tree_sitter_python NULL
#endif
#ifdef HAVE_GRAMMAR_javascript
const TSLanguage *tree_sitter_javascript(void);
#else
#define tree_sitter_javascript NULL
#endif
#ifdef HAVE_GRAMMAR_bash
const TSLanguage *tree_sitter_bash(void);
#else
#define tree_sitter_bash NULL
#endif
#ifdef HAVE_GRAMMAR_go
const TSLanguage *tree_sitter_go(void);
#else
#define tree_sitter_go NULL
#endif
#ifdef HAVE_GRAMMAR_rust
const TSLanguage *tree_sitter_rust(void);
#else
#define tree_sitter_rust NULL
#endif

static const struct grammar grammars[LANG_COUNT] = {
    [LANG_PYTHON] = { "python", tree_sitter_python, resolve_python },
    [LANG_NODE] = { "node", tree_sitter_javascript, resolve_node },
    [LANG_BASH] = { "bash", tree_sitter_bash, resolve_bash },
    [LANG_GO] = { "go", tree_sitter_go, resolve_go },
    [LANG_RUST] = { "rust", tree_sitter_rust, resolve_rust },
};

const struct grammar *grammar_of(enum language language)
{
    return language < LANG_COUNT ? &grammars[language] : NULL;
}

bool grammar_find(const char *name, enum language *ret)
{
    for (unsigned i = 0; i < LANG_COUNT; i++)
        if (str_eq(grammars[i].name, name)) {
            *ret = (enum language)i;
            return true;
        }
    return false;
}
