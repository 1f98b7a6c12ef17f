/* index.h - where to look in a file: <file>.idx beside it, one record of fixed size for each block of lines.
 *
 * A record has the block's place, its span of time, and for each line that has an agent or a rule a 32-bit hash of the
 * word with the place of the line. The writer appends a record when a block is full; search makes what is missing. It
 * is never believed: a hit is read from the file and compared again, a record that does not fit (checksum, order,
 * place) means that the file is read instead. A process that can change the index can hide lines from a search, not
 * from `audit verify` (nor from search --no-index).
 */
#pragma once
#include "audit/line.h"
#include "audit/reader.h"

#define INDEX_LINES 256u

struct index_record {
    uint64_t offset, first_sequence; /* of the block in the file; of its first line */
    uint32_t bytes, lines, entries, version;
    uint64_t min_ms, max_ms;
    uint64_t file_id; /* index_file_id() */
    uint64_t check;
    uint32_t hash[INDEX_LINES], place[INDEX_LINES]; /* place: from `offset` */
};

/* What a word is hashed with, so that an agent and a rule of the same name are two. */
enum index_kind { INDEX_AGENT = 'a', INDEX_RULE = 'r' };
uint32_t index_hash(enum index_kind kind, struct slice escaped);

/* Builds records from lines. */
struct index_builder {
    struct index_record r;
    uint64_t until; /* where the next line has to begin */
};
void index_begin(struct index_builder *b, uint64_t offset, uint64_t file_id);
/* Which file this is, whatever its name: from its first line. */
uint64_t index_file_id(int file);
/* False: the block is full without it; write the record, begin anew at the line's offset, and add it again. `l` is NULL
 * for bytes that are no line. */
bool index_add(struct index_builder *b, const struct raw_line *raw, const struct audit_line *l);
const struct index_record *index_finish(struct index_builder *b); /* NULL: nothing in it */

/* Whether it is whole, and begins where the one before it ended. */
bool index_is_valid(const struct index_record *r, uint64_t file_id, uint64_t offset, uint64_t file_size);

/* Reads the file from `offset` on and appends full blocks to the index. *ret_until: where the last full block ends. */
int index_extend(int file, int index, uint64_t offset, uint64_t size, uint64_t *ret_until);
/* The same by name, going on where the index ends, unless more than `most` bytes would have to be read (-EFBIG). */
int index_extend_at(int dir, const char *name, int file, uint64_t size, uint64_t most);
/* The writer's, lock held: every INDEX_LINES lines a record. */
void index_extend_current(struct audit *a);
