// SPDX-License-Identifier: Apache-2.0

#ifndef C_HANDOFF_SEALED_BYTES_H
#define C_HANDOFF_SEALED_BYTES_H

#include <stddef.h>
#include <stdint.h>

/// AES-256-GCM with the system's libcrypto, which is loaded at the first call, so that apps neither build nor link
/// cryptography.

#define CHANDOFF_KEY_SIZE 32
#define CHANDOFF_NONCE_SIZE 12
#define CHANDOFF_TAG_SIZE 16

enum {
    CHANDOFF_SEAL_DONE = 0,
    /// libcrypto is not installed.
    CHANDOFF_SEAL_MISSING = 1,
    /// The sealed bytes are not authentic, or libcrypto failed.
    CHANDOFF_SEAL_FAILED = 2,
};

/// Encrypts `count` bytes of `text`. `sealed` also has room for the tag, which follows them. The `associated` bytes are
/// only authenticated.
int chandoff_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *associated, size_t associated_count, const uint8_t *text,
    size_t count, uint8_t *sealed);

/// Decrypts `count` bytes and checks the tag that follows them. The `count` bytes in `text` are only valid if the
/// result is CHANDOFF_SEAL_DONE.
int chandoff_unseal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *associated, size_t associated_count, const uint8_t *sealed,
    size_t count, uint8_t *text);

#endif
