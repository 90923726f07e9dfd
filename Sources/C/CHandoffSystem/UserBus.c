// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "UserBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

// From systemd/sd-bus.h, because apps are built without its headers.
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct {
    const char *name;
    const char *message;
    int needs_free;
} sd_bus_error;

static struct {
    int (*bus_new)(sd_bus **);
    int (*bus_set_address)(sd_bus *, const char *);
    int (*bus_set_bus_client)(sd_bus *, int);
    int (*bus_start)(sd_bus *);
    int (*bus_is_ready)(sd_bus *);
    int (*bus_process)(sd_bus *, sd_bus_message **);
    int (*bus_wait)(sd_bus *, uint64_t);
    sd_bus *(*bus_close_unref)(sd_bus *);
    int (*bus_message_new_method_call)(sd_bus *, sd_bus_message **, const char *, const char *, const char *, const char *);
    int (*bus_message_append)(sd_bus_message *, const char *, ...);
    sd_bus_message *(*bus_message_unref)(sd_bus_message *);
    int (*bus_call)(sd_bus *, sd_bus_message *, uint64_t, sd_bus_error *, sd_bus_message **);
    void (*bus_error_free)(sd_bus_error *);
} sd;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return;
#define FIND(name) \
    if (!(*(void **)&sd.name = dlsym(library, "sd_" #name))) return;
    FIND(bus_new)
    FIND(bus_set_address)
    FIND(bus_set_bus_client)
    FIND(bus_start)
    FIND(bus_is_ready)
    FIND(bus_process)
    FIND(bus_wait)
    FIND(bus_close_unref)
    FIND(bus_message_new_method_call)
    FIND(bus_message_append)
    FIND(bus_message_unref)
    FIND(bus_call)
    FIND(bus_error_free)
#undef FIND
    is_loaded = 1;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

chandoff_bus *chandoff_bus_open(const char *address, uint64_t microseconds)
{
    sd_bus *bus = NULL;
    uint64_t deadline = now() + microseconds;
    pthread_once(&once, load);
    if (!is_loaded || sd.bus_new(&bus) < 0) return NULL;
    int result = sd.bus_set_address(bus, address);
    if (result >= 0) result = sd.bus_set_bus_client(bus, 1);
    if (result >= 0) result = sd.bus_start(bus);
    // Otherwise libsystemd would wait for 25 seconds.
    while (result >= 0 && sd.bus_is_ready(bus) == 0) {
        result = sd.bus_process(bus, NULL);
        uint64_t time = now();
        if (result == 0) result = time < deadline ? sd.bus_wait(bus, deadline - time) : -ETIMEDOUT;
    }
    if (result >= 0) result = sd.bus_is_ready(bus);
    if (result > 0) return bus;
    sd.bus_close_unref(bus);
    return NULL;
}

void chandoff_bus_close(chandoff_bus *bus) { sd.bus_close_unref(bus); }

static int append(sd_bus_message *call, const char *url, int is_list, const char *token)
{
    int result = !url ? 0 : is_list ? sd.bus_message_append(call, "as", 1, url) : sd.bus_message_append(call, "ss", "", url);
    if (result < 0) return result;
    if (!token) return sd.bus_message_append(call, "a{sv}", 0);
    if (url && !is_list) return sd.bus_message_append(call, "a{sv}", 1, "activation_token", "s", token);
    return sd.bus_message_append(call, "a{sv}", 2, "activation-token", "s", token, "desktop-startup-id", "s", token);
}

int chandoff_bus_open_url(
    chandoff_bus *bus, const char *destination, const char *path, const char *interface, const char *member, const char *url,
    int is_list, const char *token, uint64_t microseconds, char *error, size_t size)
{
    sd_bus_message *call = NULL;
    sd_bus_error problem = {NULL, NULL, 0};
    int result = sd.bus_message_new_method_call(bus, &call, destination, path, interface, member);
    if (result >= 0) result = append(call, url, is_list, token);
    if (result >= 0) result = sd.bus_call(bus, call, microseconds, &problem, NULL);
    snprintf(error, size, "%s", problem.name ? problem.name : "");
    sd.bus_error_free(&problem);
    sd.bus_message_unref(call);
    return result < 0 ? result : 0;
}
