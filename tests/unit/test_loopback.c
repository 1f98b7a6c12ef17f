/* Where a secret may go in the clear. */
#include "daemon/loopback.h"
#include "test.h"

TEST(url_is_loopback_by_its_host_and_by_nothing_that_looks_like_it)
{
    static const char *const ours[] = { "http://127.0.0.1:8080/api", "http://127.1.2.3/", "http://localhost",
                                        "http://localhost:80/x",     "http://[::1]:80/x", "smtp://127.0.0.1:25",
                                        "http://user:pw@localhost/" };
    static const char *const others[] = { "http://127.example.org/",
                                          "http://localhost:80@example.org/",
                                          "http://localhost.example.org/",
                                          "http://127.0.0.1@example.org/",
                                          "http://10.0.0.1/",
                                          "http://[2001:db8::1]/",
                                          "http://0.0.0.0/",
                                          "",
                                          "x" };
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        CHECK(url_is_loopback(ours[i]));
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        CHECK(!url_is_loopback(others[i]));
}
