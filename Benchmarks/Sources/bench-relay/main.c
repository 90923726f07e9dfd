// SPDX-License-Identifier: Apache-2.0

// The comparison for V04: a writer and a reader in place of the two apps, and relays that only pass bytes on. Every call blocks;
// 64 KiB at a time.
//
//   bench-relay write BYTES      zeros to standard output; then `began NANOSECONDS` on standard error
//   bench-relay read             standard input to its end; then `ended NANOSECONDS BYTES`
//   bench-relay send HOST PORT   standard input to a TCP connection
//   bench-relay take PORT        one TCP connection to standard output

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { chunk_bytes = 64 * 1024 };

static char chunk[chunk_bytes];

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void check(int ok, const char *what)
{
    if (ok) return;
    perror(what);
    exit(1);
}

static void write_all(int descriptor, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t some = write(descriptor, chunk + done, count - done);
        check(some > 0, "write");
        done += some;
    }
}

static size_t read_some(int descriptor)
{
    ssize_t some = read(descriptor, chunk, chunk_bytes);
    check(some >= 0, "read");
    return some;
}

static void pass_on(int from, int to)
{
    for (size_t some; (some = read_some(from)) > 0;) write_all(to, some);
    shutdown(to, SHUT_WR);
}

static struct sockaddr_in address(const char *host, const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    check(inet_pton(AF_INET, host, &address.sin_addr) == 1, "host");
    return address;
}

int main(int count, char **arguments)
{
    const char *verb = count > 1 ? arguments[1] : "";
    if (count == 3 && strcmp(verb, "write") == 0) {
        long long began = now(), left = atoll(arguments[2]);
        for (; left > 0; left -= chunk_bytes) write_all(STDOUT_FILENO, left < chunk_bytes ? left : chunk_bytes);
        shutdown(STDOUT_FILENO, SHUT_WR);
        fprintf(stderr, "began %lld\n", began);
    } else if (count == 2 && strcmp(verb, "read") == 0) {
        long long sum = 0;
        for (size_t some; (some = read_some(STDIN_FILENO)) > 0;) sum += some;
        printf("ended %lld %lld\n", now(), sum);
    } else if (count == 4 && strcmp(verb, "send") == 0) {
        struct sockaddr_in to = address(arguments[2], arguments[3]);
        int cable = socket(AF_INET, SOCK_STREAM, 0);
        check(connect(cable, (struct sockaddr *)&to, sizeof to) == 0, "connect");
        pass_on(STDIN_FILENO, cable);
    } else if (count == 3 && strcmp(verb, "take") == 0) {
        struct sockaddr_in from = address("0.0.0.0", arguments[2]);
        int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        check(bind(listener, (struct sockaddr *)&from, sizeof from) == 0 && listen(listener, 1) == 0, "listen");
        int cable = accept(listener, NULL, NULL);
        check(cable >= 0, "accept");
        pass_on(cable, STDOUT_FILENO);
    } else {
        return 64;
    }
    return 0;
}
