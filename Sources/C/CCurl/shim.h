// SPDX-License-Identifier: Apache-2.0

// libcurl. Swift cannot call its variadic function for options, so there is one function here for each kind of option.

#ifndef C_CURL_H
#define C_CURL_H

#include <curl/curl.h>

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long number)
{
    return curl_easy_setopt(handle, option, number);
}

/// libcurl copies the text.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *text)
{
    return curl_easy_setopt(handle, option, text);
}

/// libcurl copies the bytes.
static inline CURLcode ccurl_set_bytes(CURL *handle, CURLoption option, const void *bytes, size_t count)
{
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return curl_easy_setopt(handle, option, &blob);
}

/// Must stay valid until the request is over.
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *list)
{
    return curl_easy_setopt(handle, option, list);
}

/// Must stay valid until the request is over.
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *pointer)
{
    return curl_easy_setopt(handle, option, pointer);
}

/// Receives header lines or a piece of the body. Returning less than the full size ends the transfer.
typedef size_t (*ccurl_take)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_take(CURL *handle, CURLoption option, ccurl_take take)
{
    return curl_easy_setopt(handle, option, take);
}

/// Receives all data sent and received, unchanged.
static inline CURLcode ccurl_set_watch(CURL *handle, curl_debug_callback watch)
{
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, watch);
}

/// Reports progress; a non-zero result ends the transfer.
static inline CURLcode ccurl_set_progress(CURL *handle, curl_xferinfo_callback progress)
{
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
}

static inline CURLcode ccurl_set_open(CURL *handle, curl_opensocket_callback open)
{
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
}

static inline long ccurl_number(CURL *handle, CURLINFO info)
{
    long number = 0;
    return curl_easy_getinfo(handle, info, &number) == CURLE_OK ? number : 0;
}

#endif
