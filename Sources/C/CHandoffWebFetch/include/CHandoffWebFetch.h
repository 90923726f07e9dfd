// SPDX-License-Identifier: Apache-2.0

// Linux and C library calls that are not available in Swift's Glibc module.

#ifndef C_HANDOFF_WEB_FETCH_H
#define C_HANDOFF_WEB_FETCH_H

/// Permanently drops rights that a program for one web request does not need. These are new privileges, child
/// processes, file writes, core dumps, and unusual amounts of memory, descriptors and processor time. With Landlock, it
/// also drops all file access except reading system files. The process ends after so many seconds, and with the thread
/// that started it. Restrictions that the system does not support are skipped: this is one of several layers of
/// defence.
void cwebfetch_confine(unsigned seconds);

/// Asks DNS servers for the IPv6 addresses of a name and writes up to `most` of them, 16 bytes each. Returns their
/// number, or -1 if no server answered within four seconds (longer only if resolv.conf requests TCP). `port`: a server
/// on 127.0.0.1 for tests; 0: the system's servers.
int cwebfetch_look_up(const char *name, unsigned short port, unsigned char *addresses, int most);

#endif
