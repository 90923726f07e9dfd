// SPDX-License-Identifier: Apache-2.0

// The floor of V01: the same path without any work on it. 200 bytes go from one process over a Unix socket to a second, over
// TLS 1.3 to a third on the other device, and over a Unix socket to a fourth; every call blocks.
//
//   bench-floor receive PORT CERTIFICATE KEY TOKEN     prints `ready`; at the end `seen NUMBER NANOSECONDS` for each
//   bench-floor send HOST PORT TOKEN COUNT REST BURST  at the end `sent NUMBER NANOSECONDS` for each
//
// Each burst begins after a pause of REST milliseconds. Within a burst, the next message is sent when the last process has written
// a byte to the pipe TOKEN, so that messages neither wait nor overlap.
//
// OpenSSL is loaded at run time, so that the build needs none of its headers.

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { message_bytes = 200, most_messages = 100000, pem = 1 };

static int64_t times[most_messages];

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void check(int ok, const char *what)
{
    if (!ok) fail(what);
}

static struct {
    void *(*client)(void), *(*server)(void);
    void *(*context)(const void *), *(*connection)(void *);
    int (*certificate)(void *, const char *, int), (*key)(void *, const char *, int);
    int (*descriptor)(void *, int), (*connect)(void *), (*accept)(void *);
    int (*read)(void *, void *, int), (*write)(void *, const void *, int);
} tls;

static void load_tls(void)
{
    void *library = dlopen("libssl.so.3", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "bench-floor: %s\n", dlerror());
        exit(1);
    }
    struct {
        void *field;
        const char *name;
    } symbols[] = {
        {&tls.client, "TLS_client_method"}, {&tls.server, "TLS_server_method"}, {&tls.context, "SSL_CTX_new"},
        {&tls.connection, "SSL_new"}, {&tls.certificate, "SSL_CTX_use_certificate_file"},
        {&tls.key, "SSL_CTX_use_PrivateKey_file"}, {&tls.descriptor, "SSL_set_fd"}, {&tls.connect, "SSL_connect"},
        {&tls.accept, "SSL_accept"}, {&tls.read, "SSL_read"}, {&tls.write, "SSL_write"},
    };
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        void *symbol = dlsym(library, symbols[index].name);
        check(symbol != NULL, symbols[index].name);
        memcpy(symbols[index].field, &symbol, sizeof symbol);
    }
}

static int on_cable(int descriptor)
{
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return descriptor;
}

// All of one message; false at the end.
static int take(int descriptor, char *message)
{
    return recv(descriptor, message, message_bytes, MSG_WAITALL) == message_bytes;
}

static void give(int descriptor, const char *message)
{
    check(write(descriptor, message, message_bytes) == message_bytes, "write");
}

// The end of a pair of Unix sockets whose other end `body` has in a process of its own, which goes with this one.
static int with_process(void (*body)(int end, void *argument), void *argument)
{
    int ends[2];
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    pid_t process = fork();
    check(process >= 0, "fork");
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        body(ends[1], argument);
        exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static void watch(int end, void *argument)
{
    int token = *(int *)argument, count = 0;
    char message[message_bytes];
    while (count < most_messages && take(end, message)) {
        times[count++] = now();
        check(write(token, "", 1) == 1, "token");
    }
    for (int index = 0; index < count; index++) printf("seen %d %lld\n", index, (long long)times[index]);
}

static void receive(char *port, char *certificate, char *key, int token)
{
    void *context = tls.context(tls.server());
    check(tls.certificate(context, certificate, pem) == 1 && tls.key(context, key, pem) == 1, "certificate");
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    check(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0, "listen");
    printf("ready\n");
    fflush(stdout);
    int watcher = with_process(watch, &token);
    void *connection = tls.connection(context);
    tls.descriptor(connection, on_cable(accept(listener, NULL, NULL)));
    check(tls.accept(connection) == 1, "handshake");
    char message[message_bytes];
    while (tls.read(connection, message, sizeof message) == sizeof message) give(watcher, message);
    close(watcher);
    wait(NULL);
}

static void relay(int end, void *connection)
{
    char message[message_bytes];
    while (take(end, message)) check(tls.write(connection, message, sizeof message) == sizeof message, "send");
}

static void send_all(char *host, char *port, int token, int count, int rest, int burst)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    inet_pton(AF_INET, host, &address.sin_addr);
    int cable = on_cable(socket(AF_INET, SOCK_STREAM, 0));
    check(connect(cable, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    void *connection = tls.connection(tls.context(tls.client()));
    tls.descriptor(connection, cable);
    check(tls.connect(connection) == 1, "handshake");
    int relaying = with_process(relay, connection);
    close(cable);
    char message[message_bytes] = {0}, byte;
    for (int index = 0; index < count; index++) {
        if (index % burst == 0) usleep(rest * 1000);
        times[index] = now();
        give(relaying, message);
        check(read(token, &byte, 1) == 1, "token");
    }
    for (int index = 0; index < count; index++) printf("sent %d %lld\n", index, (long long)times[index]);
}

int main(int count, char **arguments)
{
    load_tls();
    if (count == 6 && strcmp(arguments[1], "receive") == 0) {
        receive(arguments[2], arguments[3], arguments[4], atoi(arguments[5]));
    } else if (count == 8 && strcmp(arguments[1], "send") == 0 && atoi(arguments[5]) <= most_messages) {
        send_all(
            arguments[2], arguments[3], atoi(arguments[4]), atoi(arguments[5]), atoi(arguments[6]), atoi(arguments[7]));
    } else {
        return 64;
    }
    return 0;
}
