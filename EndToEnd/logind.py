# SPDX-License-Identifier: Apache-2.0
"""python-dbusmock's logind, which also says on stdout when a lock is taken and released."""

import os

import dbus
from gi.repository import GLib
from dbusmock.templates.logind import *  # noqa: F401,F403
from dbusmock.templates.logind import MAIN_IFACE


@dbus.service.method(MAIN_IFACE, in_signature="ssss", out_signature="h")
def Inhibit(_, what, who, why, mode):
    reading, writing = os.pipe()
    print("lock taken:", what, mode, flush=True)

    def released(fd, _condition):
        os.close(fd)
        print("lock released", flush=True)
        return False

    GLib.unix_fd_add_full(GLib.PRIORITY_HIGH, reading, GLib.IO_HUP, released)
    lock = dbus.types.UnixFd(writing)
    os.close(writing)
    return lock
