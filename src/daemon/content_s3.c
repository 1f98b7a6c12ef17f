/* content_s3.c - a bucket of S3, or of what speaks its language, as the place for contents: four requests (PUT, GET,
 * HEAD, DELETE of an object) and one list (ListObjectsV2), signed by libcurl (CURLOPT_AWS_SIGV4).
 *
 * Keys, prefix and bucket have only bytes that no URL quotes (content_key_is_good(), config_check()), so the path is in
 * the signature as it is sent; a list's parameters are quoted here, and in their order, since libcurl signs them as
 * they are. The body's hash is signed, too. Credentials are read for each request, so that a new pair needs no restart.
 *
 * What may pass (no connection, 429, 5xx) is tried three times, if no byte of an answer was used yet; mirror.c tries
 * for longer. A read that breaks off in the middle is an error.
 */
#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "audit/digest.h"
#include "audit/hmac.h"
#include "base/clock.h"
#include "base/secret_file.h"
#include "config/config.h"
#include "daemon/content.h"
#include "daemon/loopback.h"

#define TRIES         3u
#define FIRST_WAIT_MS 200u
#define CONNECT_MS    5000L
#define SLOW_BYTES    100L      /* a second, */
#define SLOW_S        20L       /* for so long: given up */
#define LEAST_RATE    10240u    /* bytes a second over all of an answer that takes longer than the patience below */
#define HANDLES       8u        /* that keep their connections */
#define ANSWER_MAX    (4 * MIB) /* of a list: 1000 keys */
#define URL_MAX       2048u
#define PAIR_MAX      512u

uint32_t content_s3_patience_ms = 60000;

struct s3_place {
    char base[1024]; /* URL of the bucket, with the prefix, without a slash at its end */
    char bucket[1024];
    char prefix[300];                  /* «a/b/», or "" */
    char sign[128];                    /* aws:amz:REGION:s3 */
    const char *credentials, *ca_file; /* the configuration's */
    pthread_mutex_t lock;
    CURL *idle[HANDLES];
    unsigned idle_count;
    _Atomic bool is_stopped;
};

/* --- one request ---------------------------------------------------------------------------------------------- */

struct request {
    const char *method, *url;
    /* put */
    const char *head, *data;
    size_t head_size;
    uint64_t size, at;
    int fd; /* -1: data */
    /* get */
    int (*take)(void *context, const void *data, size_t size);
    void *context;
    bool was_taken;
    int take_error;
    /* the answer of a list, or of an error */
    struct buf text;
    long status;
    char why[CURL_ERROR_SIZE];
    CURL *handle;
    struct s3_place *place;
    uint64_t begun_ms;
    bool was_slow;
};

static size_t give(char *to, size_t size, size_t n, void *context)
{
    struct request *r = context;
    const size_t max = size * n, of_head = r->at < r->head_size ? MIN_OF(max, r->head_size - (size_t)r->at) : 0;
    if (of_head) {
        memcpy(to, r->head + r->at, of_head);
        r->at += of_head;
        return of_head;
    }
    const uint64_t at = r->at - r->head_size, left = r->size - at;
    const size_t want = (size_t)MIN_OF((uint64_t)max, left);
    ssize_t got = (ssize_t)want;
    if (r->fd >= 0)
        got = pread(r->fd, to, want, (off_t)at);
    else
        memcpy(to, r->data + at, want);
    if (got < 0 || (want && !got)) /* it has become shorter */
        return CURL_READFUNC_ABORT;
    r->at += (uint64_t)got;
    return (size_t)got;
}

static int rewind_source(void *context, curl_off_t offset, int origin)
{
    struct request *r = context;
    if (origin != SEEK_SET || offset < 0)
        return CURL_SEEKFUNC_FAIL;
    r->at = (uint64_t)offset;
    return CURL_SEEKFUNC_OK;
}

static size_t take(char *data, size_t size, size_t n, void *context)
{
    struct request *r = context;
    long status = 0;
    (void)curl_easy_getinfo(r->handle, CURLINFO_RESPONSE_CODE, &status);
    if (!r->take || status != 200)
        return buf_add(&r->text, data, size * n) < 0 ? 0 : size * n;
    r->was_taken = true;
    r->take_error = r->take(r->context, data, size * n);
    return r->take_error < 0 ? 0 : size * n;
}

/* libcurl's own limit is of a moment. Who keeps just above it would hold a thread, and what waits for it, for ever. */
static int is_over(void *context, curl_off_t all_taken, curl_off_t taken, curl_off_t all_given, curl_off_t given)
{
    struct request *r = context;
    const uint64_t ms = clock_ms() - r->begun_ms, bytes = (uint64_t)taken + (uint64_t)given;
    (void)all_taken, (void)all_given;
    /* an answer's head counts as nothing: it comes at once */
    r->was_slow = ms > content_s3_patience_ms && bytes * 1000 / LEAST_RATE < ms;
    return r->place->is_stopped || r->was_slow;
}

/* Of the whole body, as it is signed. */
static int hash_body(const struct request *r, char ret[static DIGEST_HEX_SIZE])
{
    struct digest d;
    uint8_t bytes[DIGEST_SIZE];
    char piece[16384];
    sha256_begin(&d);
    sha256_add(&d, r->head ? r->head : "", r->head_size);
    for (uint64_t at = 0; at < r->size;) {
        ssize_t n = (ssize_t)MIN_OF(r->size - at, (uint64_t)sizeof piece);
        if (r->fd >= 0 && (n = pread(r->fd, piece, (size_t)n, (off_t)at)) <= 0)
            return n < 0 ? -errno : -EIO;
        sha256_add(&d, r->fd >= 0 ? piece : r->data + at, (size_t)n);
        at += (uint64_t)n;
    }
    sha256_end(&d, bytes);
    sha256_hex(bytes, ret);
    return 0;
}

#define SET(name, value) (curl_easy_setopt(c, CURLOPT_##name, value) == CURLE_OK)

static bool set_up(struct request *r, const char *pair, const struct curl_slist *headers)
{
    const struct s3_place *p = r->place;
    CURL *c = r->handle;
    const bool is_put = str_eq(r->method, "PUT");
    return SET(URL, r->url) && SET(NOSIGNAL, 1L) && SET(PROXY, "") && SET(NETRC, (long)CURL_NETRC_IGNORED) &&
           SET(FOLLOWLOCATION, 0L) && SET(PROTOCOLS_STR, str_starts(p->base, "https://") ? "https" : "http") &&
           SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) && SET(SSL_VERIFYPEER, 1L) && SET(SSL_VERIFYHOST, 2L) &&
           (!p->ca_file || (SET(CAINFO, p->ca_file) && SET(CAPATH, NULL))) && SET(CONNECTTIMEOUT_MS, CONNECT_MS) &&
           SET(LOW_SPEED_LIMIT, SLOW_BYTES) && SET(LOW_SPEED_TIME, SLOW_S) && SET(NOPROGRESS, 0L) &&
           SET(XFERINFOFUNCTION, is_over) && SET(XFERINFODATA, r) && SET(WRITEFUNCTION, take) && SET(WRITEDATA, r) &&
           SET(ERRORBUFFER, r->why) && SET(AWS_SIGV4, p->sign) && SET(USERPWD, pair) && SET(HTTPHEADER, headers) &&
           SET(NOBODY, str_eq(r->method, "HEAD") ? 1L : 0L) && (is_put || SET(CUSTOMREQUEST, r->method)) &&
           (!is_put ||
            (SET(UPLOAD, 1L) && SET(READFUNCTION, give) && SET(READDATA, r) && SET(SEEKFUNCTION, rewind_source) &&
             SET(SEEKDATA, r) && SET(INFILESIZE_LARGE, (curl_off_t)(r->head_size + r->size))));
}

static CURL *borrow(struct s3_place *p)
{
    (void)pthread_mutex_lock(&p->lock);
    CURL *c = p->idle_count ? p->idle[--p->idle_count] : NULL;
    (void)pthread_mutex_unlock(&p->lock);
    return c ? c : curl_easy_init();
}

static void give_back(struct s3_place *p, CURL *c)
{
    if (!c)
        return;
    curl_easy_reset(c); /* the credentials go, connections stay */
    (void)pthread_mutex_lock(&p->lock);
    const bool is_kept = p->idle_count < HANDLES;
    if (is_kept)
        p->idle[p->idle_count++] = c;
    (void)pthread_mutex_unlock(&p->lock);
    if (!is_kept)
        curl_easy_cleanup(c);
}

/* Two lines of the file as «ACCESS:SECRET». */
static int read_pair(const struct s3_place *p, char ret[static PAIR_MAX], struct error *err)
{
    char text[PAIR_MAX], *at = text;
    int e = secret_file_read("content.credentials_file", p->credentials, text, sizeof text, err);
    const char *access = e == 0 ? secret_file_line(&at) : NULL, *secret = access ? secret_file_line(&at) : NULL;
    if (e == 0 && (!secret || strchr(access, ':') || secret_file_line(&at)))
        e = err_set(err, -EINVAL, BLAME_HOST, "CONTENT",
                    "content.credentials_file: expected two lines, the access key and the secret key");
    if (e == 0)
        (void)snprintf(ret, PAIR_MAX, "%s:%s", access, secret);
    secret_wipe(text, sizeof text);
    err->blame = BLAME_HOST; /* it may be mended while we run */
    return e;
}

/* Once: libcurl's word. */
static int ask_once(struct request *r, const char *pair, CURLcode *ret)
{
    char header[32 + DIGEST_HEX_SIZE] = "x-amz-content-sha256: ";
    const int e = hash_body(r, header + strlen(header));
    struct curl_slist *headers = e < 0 ? NULL : curl_slist_append(NULL, header);
    r->at = 0;
    r->begun_ms = clock_ms();
    r->was_slow = false;
    r->status = 0;
    r->why[0] = '\0';
    buf_done(&r->text);
    buf_init(&r->text, ANSWER_MAX);
    r->handle = headers ? borrow(r->place) : NULL;
    *ret = CURLE_OUT_OF_MEMORY;
    if (r->handle && set_up(r, pair, headers)) {
        *ret = curl_easy_perform(r->handle);
        (void)curl_easy_getinfo(r->handle, CURLINFO_RESPONSE_CODE, &r->status);
    }
    give_back(r->place, r->handle);
    curl_slist_free_all(headers);
    return e;
}

static bool may_pass(const struct request *r, CURLcode c)
{
    return !r->was_taken && !r->place->is_stopped &&
           (c != CURLE_OK ? c != CURLE_PEER_FAILED_VERIFICATION && c != CURLE_OUT_OF_MEMORY
                          : r->status >= 500 || r->status == 429 || r->status == 408);
}

/* <Code>SlowDown</Code>: what it says, in letters. */
static void read_code(const struct buf *text, char ret[static 64])
{
    const char *code = text->size ? strstr(text->data, "<Code>") : NULL;
    const size_t n = code ? strspn(code + 6, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
    (void)snprintf(ret, 64, "%.*s", (int)MIN_OF(n, (size_t)63), code ? code + 6 : "");
}

static int judge(struct request *r, CURLcode c, const char *key, struct error *err)
{
    char code[64];
    if (r->take_error < 0)
        return err_set(err, r->take_error, BLAME_HOST, "CONTENT", "%s: %s", key, strerror(-r->take_error));
    if (c != CURLE_OK)
        return err_set(err, -EHOSTUNREACH, BLAME_HOST, "CONTENT", "%s %s: %.200s", r->method, key,
                       r->was_slow ? "less than 10 KiB a second"
                       : r->why[0] ? r->why
                                   : curl_easy_strerror(c));
    if (r->status == 200 || r->status == 204)
        return 0;
    read_code(&r->text, code);
    /* HEAD has no body. Any other 404 may be a proxy's, or of what is no bucket: no object is missing for that */
    if (r->status == 404 && (str_eq(r->method, "HEAD") || str_eq(code, "NoSuchKey")))
        return err_set(err, -ENOENT, BLAME_HOST, "CONTENT", "there is no %s in content.place", key);
    (void)err_set(err, -EIO, str_eq(code, "EntityTooLarge") ? BLAME_US : BLAME_HOST, "CONTENT",
                  "%s %s: content.endpoint answers %ld%s%s", r->method, key, r->status, code[0] ? " " : "", code);
    return err_remedy(err, "see content.place, content.endpoint, content.region and content.credentials_file");
}

static int ask(struct request *r, const char *key, struct error *err)
{
    char pair[PAIR_MAX];
    CURLcode c = CURLE_OK;
    int e = read_pair(r->place, pair, err);
    uint64_t wait_ms = FIRST_WAIT_MS;
    for (unsigned i = 0; e == 0; i++, wait_ms *= 2) {
        const struct timespec t = { .tv_sec = (time_t)(wait_ms / 1000), .tv_nsec = (long)(wait_ms % 1000) * 1000000 };
        e = ask_once(r, pair, &c);
        if (e < 0)
            (void)err_set(err, e, BLAME_HOST, "CONTENT", "%s: %s", key, strerror(-e));
        if (e < 0 || i + 1 == TRIES || !may_pass(r, c))
            break;
        (void)nanosleep(&t, NULL);
    }
    secret_wipe(pair, sizeof pair);
    return e < 0 ? e : judge(r, c, key, err);
}

/* --- objects -------------------------------------------------------------------------------------------------- */

struct object {
    char url[URL_MAX];
    struct request request;
};

static struct request *of_key(struct object *o, struct s3_place *p, const char *method, const char *key)
{
    (void)snprintf(o->url, sizeof o->url, "%s/%s", p->base, key);
    o->request = (struct request){ .method = method, .url = o->url, .fd = -1, .place = p };
    return &o->request;
}

static int put(void *self, const char *key, const char *head, size_t head_size, const void *data, int fd, uint64_t size,
               struct error *err)
{
    struct object o = { 0 };
    struct request *r = of_key(&o, self, "PUT", key);
    r->head = head;
    r->head_size = head_size;
    r->data = data;
    r->fd = fd;
    r->size = size;
    const int e = ask(r, key, err);
    buf_done(&r->text);
    return e;
}

static int get(void *self, const char *key, int (*take_piece)(void *context, const void *data, size_t size),
               void *context, struct error *err)
{
    struct object o = { 0 };
    struct request *r = of_key(&o, self, "GET", key);
    r->take = take_piece;
    r->context = context;
    const int e = ask(r, key, err);
    buf_done(&r->text);
    return e;
}

static int has(void *self, const char *key, struct error *err)
{
    struct object o = { 0 };
    struct request *r = of_key(&o, self, "HEAD", key);
    const int e = ask(r, key, err);
    buf_done(&r->text);
    return e == -ENOENT ? 0 : e < 0 ? e : 1;
}

static int remove_key(void *self, const char *key, struct error *err)
{
    struct object o = { 0 };
    struct request *r = of_key(&o, self, "DELETE", key);
    const int e = ask(r, key, err);
    buf_done(&r->text);
    return e == -ENOENT ? 0 : e;
}

/* --- lists ---------------------------------------------------------------------------------------------------- */

static void quote(struct buf *b, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";
    for (const char *p = text; *p; p++)
        (void)buf_addf(b, strchr(plain, *p) ? "%c" : "%%%02X", (unsigned char)*p);
}

/* What stands between <name> and the next «<», from *at on, which goes behind it. NULL: no more. */
static const char *element(const char **at, const char *name, size_t *ret_size)
{
    char open[64];
    const int n = snprintf(open, sizeof open, "<%s>", name);
    const char *begin = strstr(*at, open);
    if (!begin)
        return NULL;
    begin += n;
    *ret_size = strcspn(begin, "<");
    *at = begin + *ret_size;
    return begin;
}

/* Keys that are none of ours are left alone. False: each() has enough. */
static bool take_keys(const struct s3_place *p, const char *text, bool (*each)(void *context, const char *key),
                      void *context)
{
    const size_t own = strlen(p->prefix);
    size_t size;
    for (const char *at = text, *key; (key = element(&at, "Key", &size));) {
        char copy[CONTENT_KEY_MAX + 1];
        if (size <= own || size - own > CONTENT_KEY_MAX || strncmp(key, p->prefix, own) != 0)
            continue;
        (void)snprintf(copy, sizeof copy, "%.*s", (int)(size - own), key + own);
        if (content_key_is_good(copy) && !each(context, copy))
            return false;
    }
    return true;
}

/* «a=…&b=…» in the order of names, as it is signed. */
static void list_url(const struct s3_place *p, const char *prefix, const char *token, struct buf *ret)
{
    buf_init(ret, 8 * KIB);
    (void)buf_addf(ret, "%s/?", p->bucket);
    if (token[0])
        (void)buf_adds(ret, "continuation-token="), quote(ret, token), (void)buf_addc(ret, '&');
    (void)buf_adds(ret, "list-type=2&max-keys=1000&prefix=");
    quote(ret, p->prefix);
    quote(ret, prefix);
}

static int each_key(void *self, const char *prefix, bool (*each)(void *context, const char *key), void *context,
                    struct error *err)
{
    struct s3_place *p = self;
    char token[2048] = "";
    bool goes_on = true;
    int e = 0;
    while (e == 0 && goes_on) {
        struct buf url;
        size_t size = 0;
        list_url(p, prefix, token, &url);
        struct request r = { .method = "GET", .url = url.data, .fd = -1, .place = p };
        e = url.failed ? err_set(err, -ENOMEM, BLAME_HOST, "CONTENT", "list %s", prefix) : ask(&r, prefix, err);
        if (e == -ENOENT) /* a bucket's list is always there */
            err->code = e = -EIO;
        const char *text = r.text.data ? r.text.data : "", *at = text;
        if (e == 0 && (!strstr(text, "<ListBucketResult") || !strstr(text, "</ListBucketResult>")))
            e = err_set(err, -EBADMSG, BLAME_HOST, "CONTENT", "list %s: what content.endpoint answers is no whole list",
                        prefix);
        goes_on = e == 0 && take_keys(p, text, each, context);
        const char *next = goes_on ? element(&at, "NextContinuationToken", &size) : NULL;
        const bool is_cut = goes_on && strstr(text, "<IsTruncated>true<"); /* what is not named would count as gone */
        goes_on = next && size && size < sizeof token && !(strlen(token) == size && strncmp(token, next, size) == 0);
        if (goes_on)
            (void)snprintf(token, sizeof token, "%.*s", (int)size, next);
        else if ((next || is_cut) && e == 0)
            e = err_set(err, -EBADMSG, BLAME_HOST, "CONTENT", "list %s: the list cannot be followed", prefix);
        buf_done(&r.text);
        buf_done(&url);
    }
    return e;
}

/* --- life ----------------------------------------------------------------------------------------------------- */

static void stop(void *self)
{
    struct s3_place *p = self;
    p->is_stopped = true;
}

static void close_place(void *self)
{
    struct s3_place *p = self;
    while (p->idle_count)
        curl_easy_cleanup(p->idle[--p->idle_count]);
    (void)pthread_mutex_destroy(&p->lock);
    free(p);
}

static void make_urls(struct s3_place *p, const struct config *c)
{
    const char *bucket = c->content.place + strlen("s3://"), *rest = strchrnul(bucket, '/');
    const char *host = strstr(c->content.endpoint, "://") + 3;
    const int name = (int)(rest - bucket), scheme = (int)(host - c->content.endpoint);
    if (c->content.addressing == CONTENT_BY_HOST)
        (void)snprintf(p->bucket, sizeof p->bucket, "%.*s%.*s.%s", scheme, c->content.endpoint, name, bucket, host);
    else
        (void)snprintf(p->bucket, sizeof p->bucket, "%s/%.*s", c->content.endpoint, name, bucket);
    while (*rest == '/')
        rest++;
    (void)snprintf(p->prefix, sizeof p->prefix, "%s%s", rest, *rest && rest[strlen(rest) - 1] != '/' ? "/" : "");
    (void)snprintf(p->base, sizeof p->base, "%s/%s", p->bucket, p->prefix);
    p->base[strlen(p->base) - 1] = '\0';
    (void)snprintf(p->sign, sizeof p->sign, "aws:amz:%s:s3", c->content.region);
}

/* The secret key is in this process now and then, also where libcurl has put it. */
static void forbid_cores(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_CORE, &r) == 0) {
        r.rlim_cur = 0;
        (void)setrlimit(RLIMIT_CORE, &r);
    }
}

static bool is_enough(void *context, const char *key)
{
    (void)context, (void)key;
    return false;
}

/* A bucket that is away may come. One that is not there, or is closed to us, is a mistake to be told at once. */
static int try_bucket(struct s3_place *p, struct error *err)
{
    struct error why = { 0 };
    const int e = each_key(p, "artifacts/", is_enough, NULL, &why);
    if (e == -EHOSTUNREACH || (e == -EIO && strstr(why.text, "answers 5")))
        return 0;
    if (e < 0)
        *err = why;
    return e;
}

int content_s3_open(const struct config *c, const struct content_place **ret, void **ret_self, struct error *err)
{
    static const struct content_place place = { put, get, has, remove_key, each_key, stop, close_place };
    if (!str_starts(c->content.endpoint, "https://") && !url_is_loopback(c->content.endpoint)) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, "CONTENT", "content.endpoint: %.100s is not this machine's loopback",
                      c->content.endpoint);
        return err_remedy(err, "use https://");
    }
    struct s3_place *p = calloc(1, sizeof *p);
    if (!p || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(p);
        return err_set(err, -ENOMEM, BLAME_HOST, "CONTENT", "libcurl does not start");
    }
    (void)pthread_mutex_init(&p->lock, NULL);
    p->credentials = c->content.credentials_file;
    p->ca_file = c->content.ca_file;
    make_urls(p, c);
    forbid_cores();
    const int e = try_bucket(p, err);
    if (e < 0) {
        close_place(p);
        return e;
    }
    *ret = &place;
    *ret_self = p;
    return 0;
}
