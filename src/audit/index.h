/* index.h - where to look in a file: two indexes beside it, of records of fixed size, one for each block of lines.
 *
 * <file>.idx, words: a record has the block's place, its span of time, and for each line that has an agent or a rule a
 * 32-bit hash of the word with the place of the line. <file>.run, ids of runs: a block is longer, and has each id's
 * hash once and no place, so a search for one id reads 2 bytes of index a line and then one block (ten million lines:
 * 20 to 40 MB). The writer appends a record when a block is full; search makes what is missing. An index is never
 * believed: a hit is read from the file and compared again, a record that does not fit (checksum, order, place) means
 * that the file is read instead. A process that can change the index can hide lines from a search, not from `audit
 * verify` (nor from search --no-index).
 */
#pragma once
#include "audit/line.h"
#include "audit/reader.h"

#define INDEX_LINES 256u /* of a block of words */
#define INDEX_IDS   (2 * INDEX_LINES)
#define RUN_LINES   (4 * INDEX_LINES) /* of a block of ids at most */

enum index_of { INDEX_OF_WORDS, INDEX_OF_RUNS, INDEX_COUNT };
extern const char *const index_endings[INDEX_COUNT]; /* of the files' names */

struct index_record {
    uint64_t offset, first_sequence; /* of the block in the file; of its first line */
    uint32_t bytes, lines, entries, version;
    uint64_t min_ms, max_ms;
    uint64_t file_id; /* index_file_id() */
    uint64_t check;
    union {
        struct {
            uint32_t hash[INDEX_LINES], place[INDEX_LINES]; /* place: from `offset` */
        };
        uint32_t id[INDEX_IDS]; /* of runs */
    };
};

/* What a word is hashed with, so that an agent and a rule of the same name are two. */
enum index_kind { INDEX_AGENT = 'a', INDEX_RULE = 'r', INDEX_RUN = 'e' };
uint32_t index_hash(enum index_kind kind, struct slice escaped);

/* Builds records from lines. */
struct index_builder {
    struct index_record r;
    enum index_of of;
    uint64_t until; /* where the next line has to begin */
};
void index_begin(struct index_builder *b, enum index_of of, uint64_t offset, uint64_t file_id);
/* Which file this is, whatever its name: from its first line. */
uint64_t index_file_id(int file);
/* False: the block is full without it; write the record, begin anew at the line's offset, and add it again. `l` is NULL
 * for bytes that are no line. */
bool index_add(struct index_builder *b, const struct raw_line *raw, const struct audit_line *l);
const struct index_record *index_finish(struct index_builder *b); /* NULL: nothing in it */

/* Whether it is whole, and begins where the one before it ended. */
bool index_is_valid(const struct index_record *r, enum index_of of, uint64_t file_id, uint64_t offset,
                    uint64_t file_size);

/* Reads the file up to `size`, from where the index `name` ends, and appends the blocks that are full; with
 * takes_all the last one as it is. -EFBIG: more than `most` bytes would have to be read. */
int index_extend_at(int dir, const char *name, enum index_of of, int file, uint64_t size, uint64_t most,
                    bool takes_all);
/* The writer's, lock held: every INDEX_LINES lines, those of runs every RUN_LINES. is_closed: all that is left. */
void index_extend_current(struct audit *a, bool is_closed);
