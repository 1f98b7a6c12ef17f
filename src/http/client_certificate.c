/* What a client has shown of itself by TLS. libmicrohttpd asks for a certificate and believes none. */
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include "http/server.h"

#define NO_WILDCARDS GNUTLS_VERIFY_DO_NOT_ALLOW_WILDCARDS /* one for all names would be of every client */

static gnutls_session_t session_of(const struct http_request *q)
{
    const union MHD_ConnectionInfo *info = q->is_tls ? MHD_get_connection_info(q->connection->mhd,
                                                                               MHD_CONNECTION_INFO_GNUTLS_SESSION)
                                                     : NULL;
    return info ? info->tls_session : NULL;
}

static bool is_good(gnutls_session_t tls)
{
    gnutls_typed_vdata_st wanted = { .type = GNUTLS_DT_KEY_PURPOSE_OID,
                                     .data = (unsigned char *)(uintptr_t)GNUTLS_KP_TLS_WWW_CLIENT };
    unsigned status = 0;
    return gnutls_certificate_verify_peers(tls, &wanted, 1, &status) == 0 && status == 0;
}

bool http_client_is(const struct http_request *q, const char *name)
{
    gnutls_session_t tls = session_of(q);
    unsigned count = 0;
    const gnutls_datum_t *shown = tls && gnutls_certificate_type_get2(tls, GNUTLS_CTYPE_PEERS) == GNUTLS_CRT_X509
                                      ? gnutls_certificate_get_peers(tls, &count)
                                      : NULL;
    gnutls_x509_crt_t certificate;
    if (!shown || !count || !is_good(tls) || gnutls_x509_crt_init(&certificate) < 0)
        return false;
    const bool is_it = gnutls_x509_crt_import(certificate, &shown[0], GNUTLS_X509_FMT_DER) == 0 &&
                       gnutls_x509_crt_check_hostname2(certificate, name, NO_WILDCARDS) != 0;
    gnutls_x509_crt_deinit(certificate);
    return is_it;
}
