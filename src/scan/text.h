/* text.h - what a text says before it is parsed, and how far that holds whatever comes behind it: what growth.h keeps.
 *
 * Each part begins with zeros, and is exact: going on from it is the same as beginning anew.
 */
#pragma once
#include "scan/filter.h"
#include "scan/resemble.h"

#define TEXT_MAX_ITEMS        256u /* patterns; those behind them are looked for anew */
#define TEXT_MAX_OBSERVATIONS 32u
#define TEXT_MAX_FOUND        3u /* in different lines: more findings a rule does not have */

struct text_state {
    uint32_t size; /* of the text that all of this is about */
    struct {       /* bytes, up to `at` */
        uint32_t at, depth, encoded;
        bool has_nul, has_invalid, is_deep, is_full; /* is_full: more was observed than is kept */
        uint8_t count;
        struct {
            const char *what;
            uint32_t byte;
        } seen[TEXT_MAX_OBSERVATIONS];
    } bytes;
    struct resembled_state pieces;
    struct filter_state filter;
    struct text_item {
        uint32_t at, found[TEXT_MAX_FOUND];
        uint8_t count;
    } items[TEXT_MAX_ITEMS];
};
