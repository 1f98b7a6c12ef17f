/* loopback.h - may a secret go to this URL in the clear? Only where it does not leave the machine. */
#pragma once
#include "base/base.h"

/* The URL's host, as libcurl will take it, is «localhost» or a loopback address: neither a name that begins like one
 * (127.example.org) nor one before an @. Any scheme. False for what is no URL. */
bool url_is_loopback(const char *url);
