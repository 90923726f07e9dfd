#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A note that goes on where its writer goes: an app for Handoff in Python, over D-Bus. docs/dbus.md explains it.
usage: notes.py [APP-ID], "" for a script. write TITLE: TEXT | edit TEXT | attach FILE | withdraw | list | continue ID
"""
import os, socket, sys, threading, time
from gi.repository import Gio, GLib

NAME, PATH, BUS = "org.handoff.Participant1", "/org/handoff/Participant1", "org.freedesktop.DBus"
CONTROL = "org.handoff.Handoff1", "/org/handoff/Handoff1"  # not for programs in a sandbox
APP, TYPE, OBJECT = "com.example.pynotes", "com.example.pynotes.writing", "/com/example/pynotes"
# The calls that this app receives, with their arguments and, after >, their results.
METHODS = """Save s,>a{sv} WillContinue s,s,s Continue s,a{sv},aa{sv} DidFail s,s,a{sv} WasContinued s,s
    StreamOpened s,s,h StreamEnded s,t,a{sv} Unregistered a{sv}""".split()
V, YES = GLib.Variant, GLib.Variant("b", True)
def say(*words): print(*words, flush=True)
def argument(type): return f"<arg type='{type.strip('>')}' direction='{'out' if type[0] == '>' else 'in'}'/>"

class Notes:
    title, text, attachment, activity = "", "", b"", None
    meant, told = {}, threading.Condition()  # of each stream: how many bytes the other side means to send

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        methods = [f"<method name='{name}'>{''.join(map(argument, types.split(',')))}</method>"
                   for name, types in zip(METHODS[::2], METHODS[1::2])]
        xml = f"<node><interface name='org.handoff.App1'>{''.join(methods)}</interface></node>"
        self.bus.register_object(OBJECT, Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], self.asked, None, None)
        self.bus.signal_subscribe(CONTROL[0], None, None, None, None, Gio.DBusSignalFlags.NONE, self.heard)
        self.bus.call_sync(BUS, "/org/freedesktop/DBus", BUS, "RequestName", V("(su)", (APP, 4)), None, 0, -1, None)
        Gio.bus_watch_name_on_connection(self.bus, NAME, Gio.BusNameWatcherFlags.AUTO_START, self.appeared, None)

    def appeared(self, *_):  # again after an upgrade of Handoff
        token = os.environ.pop("HANDOFF_LAUNCH_TOKEN", "")  # where the daemon has started this program
        options = {"name": V("s", "Python Notes"), "launch-token": V("s", token)}
        say("registered", *self.call("Register", "(soa{sv})", (sys.argv + [APP])[1], OBJECT, options))
        if self.activity: self.publish()
    def call(self, method, signature, *arguments, on=(NAME, PATH)):
        return self.bus.call_sync(*on, on[0], method, V(signature, arguments), None, 0, -1, None).unpack()

    def asked(self, bus, sender, path, interface, method, parameters, invocation):
        files = invocation.get_message().get_unix_fd_list()
        invocation.return_value(getattr(self, method)(*parameters.unpack(), files))

    def heard(self, bus, sender, path, interface, signal, parameters):
        if interface == "org.handoff.Continuation1": say(signal.lower(), *parameters.unpack())

    def publish(self):
        note = {"type": V("s", TYPE), "title": V("s", self.title), "supports-streams": YES, "needs-save": YES}
        (self.activity,) = self.call("Publish", "(a{sv})", note)

    def Save(self, activity, files):
        say("saving")
        note = {"text": V("s", self.text), "written": V("(sv)", ("date", V("d", time.time() - 978307200)))}
        return V("(a{sv})", ({"user-info": V("a{sv}", note)},))

    def WillContinue(self, continuation, type, device, files): say("coming from", device)
    def DidFail(self, continuation, type, details, files): say("failed", details["code"])
    def WasContinued(self, activity, device, files): say("went to", device)
    def Unregistered(self, details, files): say("unregistered", details["code"])
    def Continue(self, continuation, properties, documents, files):
        self.title, self.text = properties.get("title", ""), properties["user-info"]["text"]
        say("continued", self.title, self.text, properties["user-info"]["written"][0])
        threading.Thread(target=self.fetch, args=(continuation,)).start()
        self.publish()  # it is worked on here now

    # Streams are sockets, with bytes both ways. The end of a direction is announced, then shut down.
    def fetch(self, continuation):
        (stream, index), files = self.bus.call_with_unix_fd_list_sync(
            NAME, PATH, NAME, "OpenStream", V("(s)", (continuation,)), None, 0, -1, None, None)
        self.talk(stream, files.get(index), f"thanks for {self.title}".encode())

    def StreamOpened(self, activity, stream, index, files):
        threading.Thread(target=self.talk, args=(stream, files.get(index), self.attachment)).start()

    def StreamEnded(self, stream, size, details, files):
        with self.told: self.meant[stream] = None if details else size; self.told.notify_all()

    def talk(self, stream, file, mine):
        with socket.socket(fileno=file) as connection, connection.makefile("rb") as reader:
            connection.sendall(mine)
            self.call("EndStream", "(st)", stream, len(mine))
            connection.shutdown(socket.SHUT_WR)
            theirs = reader.read()
        with self.told: self.told.wait_for(lambda: stream in self.meant, 10)
        say("stream", "whole" if self.meant.get(stream) == len(theirs) else "cut", len(theirs))

    def typed(self, line):
        verb, _, rest = line.rstrip("\n").partition(" ")
        if verb == "write": self.title, _, self.text = rest.partition(": "); self.publish()
        if verb == "edit": self.text = rest; self.call("Changed", "(s)", self.activity)
        if verb == "attach": self.attachment = open(rest, "rb").read()
        if verb == "withdraw": self.call("Withdraw", "(s)", self.activity)
        if verb == "list":
            for it in self.call("ListActivities", "(a{sv})", {}, on=CONTROL)[0]:
                say(it["id"], it.get("title"), it["device-name"])
        if verb == "continue": self.call("Continue", "(ssa{sv})", rest, "", {}, on=CONTROL)

notes = Notes()
threading.Thread(target=lambda: [GLib.idle_add(notes.typed, line) for line in sys.stdin], daemon=True).start()
GLib.MainLoop().run()
