#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

// libcurl for Swift: typed functions instead of its variadic functions, and accessors for the union
// in CURLMsg.
//
// The library is loaded with dlopen instead of being linked. Because of the thirty libraries that
// it depends on, linking costs 6 ms at the start of a process (measured: 0.8 ms for an empty
// program, 6.9 ms linked to libcurl). A program that prints its help or reads its cache should not
// pay this cost.
//
// All functions follow libcurl's own rules for threads, and this header keeps no state.

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>

/// The functions of a loaded libcurl.
typedef struct ccurl_library {
    CURLcode (*_Nonnull global_init)(long flags);
    CURL *_Nullable (*_Nonnull easy_init)(void);
    void (*_Nonnull easy_cleanup)(CURL *_Nonnull easy);
    CURLcode (*_Nonnull easy_setopt)(CURL *_Nonnull easy, CURLoption option, ...);
    CURLcode (*_Nonnull easy_getinfo)(CURL *_Nonnull easy, CURLINFO info, ...);
    CURLM *_Nullable (*_Nonnull multi_init)(void);
    CURLMcode (*_Nonnull multi_cleanup)(CURLM *_Nonnull multi);
    CURLMcode (*_Nonnull multi_setopt)(CURLM *_Nonnull multi, CURLMoption option, ...);
    CURLMcode (*_Nonnull multi_add_handle)(CURLM *_Nonnull multi, CURL *_Nonnull easy);
    CURLMcode (*_Nonnull multi_remove_handle)(CURLM *_Nonnull multi, CURL *_Nonnull easy);
    CURLMcode (*_Nonnull multi_perform)(CURLM *_Nonnull multi, int *_Nonnull running);
    CURLMcode (*_Nonnull multi_poll)(
        CURLM *_Nonnull multi, struct curl_waitfd *_Nullable extra, unsigned int extra_count,
        int timeout_ms, int *_Nullable ready);
    CURLMsg *_Nullable (*_Nonnull multi_info_read)(CURLM *_Nonnull multi, int *_Nonnull left);
    struct curl_slist *_Nullable (*_Nonnull slist_append)(
        struct curl_slist *_Nullable list, const char *_Nonnull text);
    void (*_Nonnull slist_free_all)(struct curl_slist *_Nullable list);
    CURLU *_Nullable (*_Nonnull url)(void);
    void (*_Nonnull url_cleanup)(CURLU *_Nonnull url);
    CURLUcode (*_Nonnull url_set)(
        CURLU *_Nonnull url, CURLUPart part, const char *_Nullable text, unsigned int flags);
    CURLUcode (*_Nonnull url_get)(
        const CURLU *_Nonnull url, CURLUPart part, char *_Nullable *_Nonnull text,
        unsigned int flags);
    void (*_Nonnull free)(void *_Nullable text);
    time_t (*_Nonnull getdate)(const char *_Nonnull text, const time_t *_Nullable unused);
} ccurl_library;

/// Loads libcurl, and stores its functions in `*library`. libcurl stays loaded until the process
/// ends. Returns false if libcurl is not installed or is too old.
static inline bool ccurl_load(ccurl_library *_Nonnull library) {
    void *image = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (image == NULL) image = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (image == NULL) return false;
    // POSIX allows storing a function's address in a void pointer; ISO C only allows copying its
    // bytes.
#define CCURL_FIND(name)                                              \
    do {                                                              \
        void *symbol = dlsym(image, "curl_" #name);                   \
        if (symbol == NULL) return false;                             \
        __builtin_memcpy(&library->name, &symbol, sizeof symbol);     \
    } while (0)
    CCURL_FIND(global_init);
    CCURL_FIND(easy_init);
    CCURL_FIND(easy_cleanup);
    CCURL_FIND(easy_setopt);
    CCURL_FIND(easy_getinfo);
    CCURL_FIND(multi_init);
    CCURL_FIND(multi_cleanup);
    CCURL_FIND(multi_setopt);
    CCURL_FIND(multi_add_handle);
    CCURL_FIND(multi_remove_handle);
    CCURL_FIND(multi_perform);
    CCURL_FIND(multi_poll);
    CCURL_FIND(multi_info_read);
    CCURL_FIND(slist_append);
    CCURL_FIND(slist_free_all);
    CCURL_FIND(url);
    CCURL_FIND(url_cleanup);
    CCURL_FIND(url_set);
    CCURL_FIND(url_get);
    CCURL_FIND(free);
    CCURL_FIND(getdate);
#undef CCURL_FIND
    return true;
}

/// The type of libcurl's callback for a piece of a response's header or body; the callback returns
/// the number of bytes that it accepts.
typedef size_t (*ccurl_data_function)(
    char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

/// Sets an option that takes a long.
static inline CURLcode ccurl_set_long(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy, CURLoption option, long value) {
    return library->easy_setopt(easy, option, value);
}

/// Sets an option that takes a string, which libcurl copies; NULL restores the default.
static inline CURLcode ccurl_set_string(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy, CURLoption option,
    const char *_Nullable value) {
    return library->easy_setopt(easy, option, value);
}

/// Sets an option that takes a size.
static inline CURLcode ccurl_set_size(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy, CURLoption option,
    curl_off_t value) {
    return library->easy_setopt(easy, option, value);
}

/// Sets an option that takes a pointer, which the caller must keep valid while the handle uses it.
static inline CURLcode ccurl_set_pointer(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy, CURLoption option,
    void *_Nullable value) {
    return library->easy_setopt(easy, option, value);
}

/// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_function(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy, CURLoption option,
    ccurl_data_function _Nonnull value) {
    return library->easy_setopt(easy, option, value);
}

/// Sets CURLOPT_OPENSOCKETFUNCTION.
static inline CURLcode ccurl_set_open_socket(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy,
    curl_opensocket_callback _Nonnull value) {
    return library->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// Sets CURLOPT_PREREQFUNCTION.
static inline CURLcode ccurl_set_before_request(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy,
    curl_prereq_callback _Nonnull value) {
    return library->easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

/// Sets CURLOPT_XFERINFOFUNCTION.
static inline CURLcode ccurl_set_progress(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy,
    curl_xferinfo_callback _Nonnull value) {
    return library->easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}

/// Writes the bytes of an IP address, in network order, to `bytes`, which has room for 16 bytes.
/// Returns the number of bytes, or 0 if the address is neither IPv4 nor IPv6.
static inline int ccurl_address_bytes(
    const struct curl_sockaddr *_Nonnull address, unsigned char *_Nonnull bytes) {
    // libcurl's field is declared too short for IPv6; `addrlen` has the true length.
    const void *raw = &address->addr;
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        __builtin_memcpy(bytes, &((const struct sockaddr_in *)raw)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        __builtin_memcpy(bytes, &((const struct sockaddr_in6 *)raw)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

/// Opens the socket that libcurl requests. Programs that this process starts do not inherit it.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *_Nonnull address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Constants whose types differ between versions of libcurl: all of them are enumerations up to
// 8.13, some are longs since 8.14, and more since 8.16. Swift always sees the same type.

/// HTTP Basic and Digest, the authentication methods that do not tie a login to a connection.
static const long ccurl_login_methods = (long)(CURLAUTH_BASIC | CURLAUTH_DIGEST);
static const long ccurl_netrc_ignored = (long)CURL_NETRC_IGNORED;
static const long ccurl_netrc_optional = (long)CURL_NETRC_OPTIONAL;
static const long ccurl_tls_1_2 = (long)CURL_SSLVERSION_TLSv1_2;
static const long ccurl_http_1_1 = (long)CURL_HTTP_VERSION_1_1;
static const long ccurl_http_2_over_tls = (long)CURL_HTTP_VERSION_2TLS;
static const long ccurl_multiplex = (long)CURLPIPE_MULTIPLEX;
static const long ccurl_global_all = (long)CURL_GLOBAL_ALL;
static const unsigned int ccurl_url_parsing =
    (unsigned int)(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE);
static const unsigned int ccurl_url_default_port = (unsigned int)CURLU_DEFAULT_PORT;
static const short ccurl_wait_readable = (short)CURL_WAIT_POLLIN;
static const int ccurl_may_request = (int)CURL_PREREQFUNC_OK;
static const int ccurl_may_not_request = (int)CURL_PREREQFUNC_ABORT;

/// Sets an option of a multi handle that takes a long.
static inline CURLMcode ccurl_multi_set_long(
    const ccurl_library *_Nonnull library, CURLM *_Nonnull multi, CURLMoption option, long value) {
    return library->multi_setopt(multi, option, value);
}

/// Returns an info value that is a long; 0 if there is no value.
static inline long ccurl_get_long(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy, CURLINFO info) {
    long value = 0;
    library->easy_getinfo(easy, info, &value);
    return value;
}

/// Returns an info value that is a string owned by libcurl; NULL if there is no value, or if this
/// version of libcurl does not know the info.
static inline const char *_Nullable ccurl_get_string(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy, CURLINFO info) {
    char *value = NULL;
    library->easy_getinfo(easy, info, &value);
    return value;
}

/// Returns the socket of a transfer's connection; CURL_SOCKET_BAD if the transfer has no
/// connection.
static inline curl_socket_t ccurl_get_socket(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy) {
    curl_socket_t value = CURL_SOCKET_BAD;
    library->easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value);
    return value;
}

/// Returns the pointer that was set with CURLOPT_PRIVATE.
static inline void *_Nullable ccurl_get_private(
    const ccurl_library *_Nonnull library, CURL *_Nonnull easy) {
    char *value = NULL;
    library->easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}

/// Whether a message reports the end of a transfer. libcurl defines no other kind of message.
static inline bool ccurl_message_is_done(const CURLMsg *_Nonnull message) {
    return message->msg == CURLMSG_DONE;
}

/// Returns the result of the transfer whose end a message reports.
static inline CURLcode ccurl_message_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}

#endif
