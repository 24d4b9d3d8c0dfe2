#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

// libcrypto's digests for Swift.
//
// The library is loaded with dlopen when the first digest is computed, instead of being linked.
// Linking costs 0.9 ms at the start of a process (measured: 0.4 ms for an empty program, 1.3 ms
// linked to libcrypto). A program that shows local images should not pay this cost.

#include <dlfcn.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>

/// The functions of a loaded libcrypto.
///
/// OpenSSL 3 has `fetch`; OpenSSL 1.1, which Debian 11 and Ubuntu 20.04 have, has only `named`.
typedef struct copenssl_library {
    EVP_MD *_Nullable (*_Nullable fetch)(
        OSSL_LIB_CTX *_Nullable context, const char *_Nonnull algorithm,
        const char *_Nullable properties);
    const EVP_MD *_Nullable (*_Nonnull named)(const char *_Nonnull algorithm);
    int (*_Nonnull digest)(
        const void *_Nullable data, size_t count, unsigned char *_Nonnull result,
        unsigned int *_Nullable size, const EVP_MD *_Nullable type, ENGINE *_Nullable engine);
} copenssl_library;

/// Loads the libcrypto with this name into `*library`, and keeps it loaded until the process ends;
/// returns false if it is not installed.
static inline bool copenssl_load(copenssl_library *_Nonnull library, const char *_Nonnull name) {
    void *image = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (image == NULL) return false;
    // POSIX allows storing a function's address in a void pointer; ISO C only allows copying its
    // bytes.
    void *fetch = dlsym(image, "EVP_MD_fetch");
    void *named = dlsym(image, "EVP_get_digestbyname");
    void *digest = dlsym(image, "EVP_Digest");
    if (named == NULL || digest == NULL) return false;
    __builtin_memcpy(&library->fetch, &fetch, sizeof fetch);
    __builtin_memcpy(&library->named, &named, sizeof named);
    __builtin_memcpy(&library->digest, &digest, sizeof digest);
    return true;
}

/// Returns an algorithm, or null if the library does not have it or does not allow it.
static inline const EVP_MD *_Nullable copenssl_algorithm(
    const copenssl_library *_Nonnull library, const char *_Nonnull name) {
    if (library->fetch != NULL) return library->fetch(NULL, name, NULL);
    return library->named(name);
}

#endif
