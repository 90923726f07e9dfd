// SPDX-License-Identifier: Apache-2.0

// Calls of Linux and of its C library that Swift's Glibc module does not show.

#ifndef C_HANDOFF_WEB_FETCH_H
#define C_HANDOFF_WEB_FETCH_H

/// Gives up for good what a program that asks one web site has no need of: more rights, through a program that has them;
/// processes of its own; files that grow; a core dump; more memory, descriptors and processor time than an answer takes;
/// and, where the kernel has Landlock, every file but the system's own, and of those all but reading them. Ends this
/// process after so many seconds, and with the thread that started it.
/// What the system refuses to take is kept: it is one wall of several.
void cwebfetch_confine(unsigned seconds);

/// Asks name servers, by DNS alone, for the IPv6 addresses of a name and writes up to `most` of them, 16 bytes each. Returns
/// their count, -1 if no server answered: after four seconds at the latest, unless resolv.conf asks for TCP. `port`: of a
/// server on 127.0.0.1, for tests; 0: the system's servers are asked.
int cwebfetch_look_up(const char *name, unsigned short port, unsigned char *addresses, int most);

#endif
