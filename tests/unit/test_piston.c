/* Versions as Piston's clients ask for them. */
#include "front/piston.h"

#include "test.h"

TEST(piston_a_version_is_one_of_those_that_are_asked_for)
{
    static const char *const in[] = { "3.11.2", "3",        "3.x",     "3.11",  "3.11.x", "*",        "",
                                      "x",      "v3.11.2",  "=3.11.2", "^3.1",  "~3.11",  "~3.11.0",  ">=3",
                                      "> 3.10", ">=3.8 <4", "<=3.11",  "<3.12", "2 || 3", "1||>=3.11" };
    static const char *const out[] = { "3.11.1",     "4",       "2.x",         "^3.12",  "^2.9",
                                       "~3.10",      "~3.11.3", ">3.11",       ">3",     "<3.11",
                                       "<3",         "2 || 4",  ">=3.8 <3.11", "<=3.10", "three",
                                       "3.11.2-rc1", "3;",      "^",           ">= <4",  "99999999999999999999" };
    for (size_t i = 0; i < ARRAY_LEN(in); i++)
        CHECK(piston_version_is("3.11.2", in[i]));
    for (size_t i = 0; i < ARRAY_LEN(out); i++)
        CHECK(!piston_version_is("3.11.2", out[i]));
}

TEST(piston_a_caret_holds_the_first_number_that_is_not_zero)
{
    CHECK(piston_version_is("0.3.9", "^0.3.1"));
    CHECK(!piston_version_is("0.4.0", "^0.3.1"));
    CHECK(piston_version_is("0.0.3", "^0.0.3"));
    CHECK(!piston_version_is("0.0.4", "^0.0.3"));
    CHECK(piston_version_is("1.19", "~1.19.0"));
}
