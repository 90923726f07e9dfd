// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "SealedBytes.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

// From openssl/evp.h, because apps are built without its headers.
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct engine_st ENGINE;
enum { EVP_CTRL_AEAD_GET_TAG = 0x10, EVP_CTRL_AEAD_SET_TAG = 0x11 };

static struct {
    EVP_CIPHER_CTX *(*CIPHER_CTX_new)(void);
    void (*CIPHER_CTX_free)(EVP_CIPHER_CTX *);
    int (*CIPHER_CTX_ctrl)(EVP_CIPHER_CTX *, int, int, void *);
    const EVP_CIPHER *(*aes_256_gcm)(void);
    int (*CipherInit_ex)(
        EVP_CIPHER_CTX *, const EVP_CIPHER *, ENGINE *, const unsigned char *, const unsigned char *, int);
    int (*CipherUpdate)(EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int);
    int (*CipherFinal_ex)(EVP_CIPHER_CTX *, unsigned char *, int *);
} evp;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return;
#define FIND(name) \
    if (!(*(void **)&evp.name = dlsym(library, "EVP_" #name))) return;
    FIND(CIPHER_CTX_new)
    FIND(CIPHER_CTX_free)
    FIND(CIPHER_CTX_ctrl)
    FIND(aes_256_gcm)
    FIND(CipherInit_ex)
    FIND(CipherUpdate)
    FIND(CipherFinal_ex)
#undef FIND
    is_loaded = 1;
}

/// A nonce of 12 bytes is libcrypto's default.
static int run(
    int encrypts, const uint8_t *key, const uint8_t *nonce, const uint8_t *associated, size_t associated_count,
    const uint8_t *from, size_t count, uint8_t *to, uint8_t *tag)
{
    int written = 0;
    uint8_t rest[16];
    if (associated_count > INT_MAX || count > INT_MAX) return CHANDOFF_SEAL_FAILED;
    pthread_once(&once, load);
    if (!is_loaded) return CHANDOFF_SEAL_MISSING;
    EVP_CIPHER_CTX *context = evp.CIPHER_CTX_new();
    if (!context) return CHANDOFF_SEAL_FAILED;
    int done = evp.CipherInit_ex(context, evp.aes_256_gcm(), NULL, key, nonce, encrypts) == 1;
    if (done && !encrypts) done = evp.CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CHANDOFF_TAG_SIZE, tag) == 1;
    if (done && associated_count)
        done = evp.CipherUpdate(context, NULL, &written, associated, (int)associated_count) == 1;
    if (done && count) done = evp.CipherUpdate(context, to, &written, from, (int)count) == 1;
    // GCM produces no more output here; this checks the tag.
    if (done) done = evp.CipherFinal_ex(context, rest, &written) == 1;
    if (done && encrypts) done = evp.CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CHANDOFF_TAG_SIZE, tag) == 1;
    evp.CIPHER_CTX_free(context);
    return done ? CHANDOFF_SEAL_DONE : CHANDOFF_SEAL_FAILED;
}

int chandoff_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *associated, size_t associated_count, const uint8_t *text,
    size_t count, uint8_t *sealed)
{
    return run(1, key, nonce, associated, associated_count, text, count, sealed, sealed + count);
}

int chandoff_unseal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *associated, size_t associated_count, const uint8_t *sealed,
    size_t count, uint8_t *text)
{
    uint8_t tag[CHANDOFF_TAG_SIZE];
    for (int i = 0; i < CHANDOFF_TAG_SIZE; i++) tag[i] = sealed[count + i];
    return run(0, key, nonce, associated, associated_count, sealed, count, text, tag);
}
