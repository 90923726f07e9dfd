// SPDX-License-Identifier: Apache-2.0

// libcrypto's CMS, X.509 and PKCS #8. Its lists are macros, which Swift cannot import, so the functions below wrap
// them.

#ifndef C_OPENSSL_H
#define C_OPENSSL_H

#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

static inline int copenssl_certificate_count(const STACK_OF(X509) *list) { return sk_X509_num(list); }

static inline X509 *copenssl_certificate(const STACK_OF(X509) *list, int index) { return sk_X509_value(list, index); }

static inline STACK_OF(X509) *copenssl_certificates_new(void) { return sk_X509_new_null(); }

/// Retains the certificate. Returns the new count, or 0.
static inline int copenssl_certificates_add(STACK_OF(X509) *list, X509 *certificate)
{
    if (X509_up_ref(certificate) != 1) return 0;
    int count = sk_X509_push(list, certificate);
    if (count <= 0) X509_free(certificate);
    return count > 0 ? count : 0;
}

/// Also releases the certificates.
static inline void copenssl_certificates_free(STACK_OF(X509) *list) { sk_X509_pop_free(list, X509_free); }

static inline int copenssl_signer_count(CMS_ContentInfo *message)
{
    return sk_CMS_SignerInfo_num(CMS_get0_SignerInfos(message));
}

static inline CMS_SignerInfo *copenssl_signer(CMS_ContentInfo *message, int index)
{
    return sk_CMS_SignerInfo_value(CMS_get0_SignerInfos(message), index);
}

#endif
