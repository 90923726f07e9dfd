// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "Descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

int chandoff_send_descriptor(int socket, const void *bytes, size_t count, int descriptor)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));

    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

int chandoff_receive_descriptor(int socket, void *buffer, size_t size, chandoff_datagram *datagram)
{
    // Room for two: if there are more, the kernel closes the rest and reports it.
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
    ssize_t count;
    do {
        count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -1;

    datagram->count = (size_t)count;
    datagram->is_whole = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
    datagram->process = 0;
    datagram->user = (uid_t)-1;
    datagram->descriptor = -1;
    int descriptors = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len >= CMSG_LEN(sizeof(struct ucred))) {
            struct ucred sender;
            memcpy(&sender, CMSG_DATA(header), sizeof sender);
            datagram->process = sender.pid;
            datagram->user = sender.uid;
        } else if (header->cmsg_type == SCM_RIGHTS) {
            size_t here = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t i = 0; i < here; i++) {
                int descriptor;
                memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
                if (descriptors++ == 0) datagram->descriptor = descriptor;
                else close(descriptor);
            }
        }
    }
    if (datagram->descriptor >= 0 && (descriptors > 1 || !datagram->is_whole)) {
        close(datagram->descriptor);
        datagram->descriptor = -1;
    }
    return 0;
}

int chandoff_reads_file_or_folder(int descriptor)
{
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || (flags & O_PATH) != 0 || (flags & O_ACCMODE) != O_RDONLY) return 0;
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &status) != 0) return 0;
    return S_ISREG(status.stx_mode) || S_ISDIR(status.stx_mode);
}

int chandoff_linked_file(int folder, const char *link, uint64_t *device, uint64_t *inode, int *is_file)
{
    struct statx status;
    // An unreachable FUSE or network server does not answer for attributes, but these are cached and never change.
    int flags = AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;
    if (statx(folder, link, flags, STATX_INO | STATX_TYPE, &status) != 0) return -1;
    *device = makedev(status.stx_dev_major, status.stx_dev_minor);
    *inode = status.stx_ino;
    *is_file = S_ISREG(status.stx_mode);
    return 0;
}
