// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CPacketSocket.h"

#include <errno.h>
#include <fcntl.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netpacket/packet.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

// From linux/if_packet.h, which cannot be included together with netpacket/packet.h.
struct packet_statistics {
    unsigned int packets;
    unsigned int drops;
};

static int open_here(const char *interface, int buffer)
{
    struct sockaddr_ll address = {
        .sll_family = AF_PACKET,
        .sll_protocol = htons(ETH_P_ALL),
        .sll_ifindex = (int)if_nametoindex(interface),
    };
    if (address.sll_ifindex == 0) return -errno;
    // Without a protocol until it is bound, so that it receives nothing from other interfaces.
    int result = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (result < 0) return -errno;
    if (setsockopt(result, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) != 0
        || bind(result, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(result);
        return -error;
    }
    return result;
}

static int connect_here(int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((unsigned short)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int result = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (result < 0) return -errno;
    if (connect(result, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(result);
        return -error;
    }
    return result;
}

// `interface`: NULL for a connection to the port `number`.
static int open_in(const char *space, const char *interface, int number)
{
    int home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    if (home < 0) return -errno;
    int there = open(space, O_RDONLY | O_CLOEXEC);
    int result = there < 0 ? -errno : 0;
    // A socket belongs to the namespace that created it, so the thread enters that namespace only briefly.
    if (result == 0 && setns(there, CLONE_NEWNET) != 0) result = -errno;
    if (result == 0) {
        result = interface ? open_here(interface, number) : connect_here(number);
        if (setns(home, CLONE_NEWNET) != 0) result = -errno;
    }
    if (there >= 0) close(there);
    close(home);
    return result;
}

int cpacket_open(const char *space, const char *interface, int buffer) { return open_in(space, interface, buffer); }

int cpacket_connect(const char *space, int port) { return space ? open_in(space, NULL, port) : connect_here(port); }

ssize_t cpacket_read(int socket, void *bytes, size_t size, int *is_leaving)
{
    struct sockaddr_ll from = {0};
    socklen_t length = sizeof from;
    ssize_t count = recvfrom(socket, bytes, size, MSG_TRUNC, (struct sockaddr *)&from, &length);
    if (count < 0) return errno == EAGAIN ? 0 : -errno;
    if ((size_t)count > size) return -EMSGSIZE;
    *is_leaving = from.sll_pkttype == PACKET_OUTGOING;
    return count;
}

int cpacket_lost(int socket)
{
    struct packet_statistics statistics = {0};
    socklen_t length = sizeof statistics;
    if (getsockopt(socket, SOL_PACKET, PACKET_STATISTICS, &statistics, &length) != 0) return -errno;
    return (int)statistics.drops;
}
