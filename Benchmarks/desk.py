# SPDX-License-Identifier: Apache-2.0
"""Two devices of one account on this machine, one of them with its own session bus: the set-up of `Benchmarks/desktop`."""

import json, os, secrets, signal, socket, struct, subprocess, sys, tempfile, threading, time

from gi.repository import Gio, GLib

PATIENCE = 20  # seconds, for what takes a fraction of one
TYPE = "org.example.bench"

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"""

# A notification server that shows nothing, and a tray with a host.
SERVED = {
    "/org/freedesktop/Notifications": ("org.freedesktop.Notifications", """<node>
<interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
<arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
</interface></node>"""),
    "/StatusNotifierWatcher": ("org.kde.StatusNotifierWatcher", """<node>
<interface name="org.kde.StatusNotifierWatcher">
<method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
<property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
</interface></node>"""),
}


class Desk:
    """The devices `laptop` and `desktop`, which are joined; `handoff-bus` runs for the desktop. `screen`: programs have one."""

    def __init__(self, binaries, screen=False):
        self.screen, self.environment = screen, {}
        self.binaries = os.path.abspath(binaries)
        self.folder = tempfile.TemporaryDirectory(prefix="handoff-bench-")
        self.programs = []
        self.laptop, self.desktop = (os.path.join(self.folder.name, name) for name in ("laptop", "desktop"))
        self.address = f"unix:path={self.folder.name}/bus"

    def __enter__(self):
        if self.screen:
            read, write = os.pipe()
            self.programs.append(subprocess.Popen(
                ["Xvfb", "-displayfd", str(write), "-screen", "0", "1000x720x24", "-nolisten", "tcp"], pass_fds=[write],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            os.close(write)
            self.environment["DISPLAY"] = ":" + os.read(read, 20).decode().strip()
        for root in (self.laptop, self.desktop):
            self.start(self.program("handoffd"), "--root", root, "--name", os.path.basename(root), "--listen", "127.0.0.1:0",
                       "--beacons", "false")
            until(lambda: connects(os.path.join(root, "run", "daemon.sock")), "a daemon")
        self.cli(self.laptop, "account", "create")
        invite = json.loads(self.cli(self.laptop, "account", "invite", "--yes", "--no-wait", "--json"))
        self.cli(self.desktop, "account", "join", "--address", invite["addresses"][0], typed=invite["code"] + "\n")
        until(lambda: json.loads(self.cli(self.desktop, "status", "--json"))["devicesConnected"] == 1, "a session")
        with open(os.path.join(self.folder.name, "bus.conf"), "w") as file:
            file.write(BUS.format(self.folder.name))
        self.start("dbus-daemon", f"--config-file={self.folder.name}/bus.conf", "--nofork")
        until(lambda: connects(os.path.join(self.folder.name, "bus")), "a bus")
        self.shell = Shell(self.address)
        self.bus = connect(self.address)
        self.bridge = self.start(self.program("handoff-bus"), "--root", self.desktop)
        until(lambda: owner(self.bus, "org.handoff.Handoff1"), "org.handoff.Handoff1")
        return self

    def __exit__(self, *_):
        for program in reversed(self.programs):
            program.send_signal(signal.SIGTERM)
        for program in self.programs:
            program.wait(PATIENCE)
        self.folder.cleanup()

    def program(self, name):
        return os.path.join(self.binaries, name)

    def start(self, *command):
        log = open(os.path.join(self.folder.name, f"{len(self.programs)}.log"), "wb")
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.folder.name, "DBUS_SESSION_BUS_ADDRESS": self.address,
                       **self.environment}
        self.programs.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment))
        return self.programs[-1]

    def cli(self, root, *arguments, typed=None):
        return subprocess.run([self.program("handoff"), *arguments, "--root", root], check=True, capture_output=True, text=True,
                              input=typed).stdout

    def call(self, name, path, interface, method, arguments):
        return self.bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, -1, None).unpack()


class Shell:
    """The desktop's side: says when it was asked for each notification, and who has an icon."""

    def __init__(self, address):
        self.called, self.items, self.condition, self.last = {}, [], threading.Condition(), 0
        context, ready = GLib.MainContext.new(), threading.Event()

        def serve():
            context.push_thread_default()
            bus = connect(address)
            for path, (name, description) in SERVED.items():
                interface = Gio.DBusNodeInfo.new_for_xml(description).interfaces[0]
                bus.register_object(path, interface, self.call, lambda *_: GLib.Variant("b", True), None)
                bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                              GLib.Variant("(su)", (name, 0)), None, 0, -1, None)
            ready.set()
            while True:
                context.iteration(True)

        threading.Thread(target=serve, daemon=True).start()
        ready.wait(PATIENCE)

    def call(self, bus, sender, path, interface, method, arguments, invocation):
        now = time.monotonic_ns()
        with self.condition:
            if method == "Notify":
                values = arguments.unpack()
                self.last = values[1] or self.last + 1
                invocation.return_value(GLib.Variant("(u)", (self.last,)))
                self.called[values[3]] = now
            elif method == "GetCapabilities":
                invocation.return_value(GLib.Variant("(as)", (["actions", "body", "body-markup"],)))
            elif method == "GetServerInformation":
                invocation.return_value(GLib.Variant("(ssss)", ("bench", "bench", "1", "1.2")))
            else:
                invocation.return_value(None)
                if method == "RegisterStatusNotifierItem":
                    self.items.append(sender)
            self.condition.notify_all()

    def wait(self, condition, what):
        """For what is true of this shell."""
        with self.condition:
            if not self.condition.wait_for(condition, PATIENCE):
                sys.exit(f"{what}: not within {PATIENCE} seconds")


class Script:
    """A script on a daemon's socket, with as much of protobuf as that needs."""

    def __init__(self, root):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(root, "run", "daemon.sock"))
        self.request = 0
        # hello (10) { min_version 1, max_version 1, role CONTROL, name "bench" }
        self.ask(10, bytes([0x08, 1, 0x10, 1, 0x18, 2]) + field(5, b"bench"))

    def publish(self, title):
        # publish (20) { activity, activity_type, title, has_web_page true }
        self.ask(20, field(1, secrets.token_bytes(16)) + field(2, TYPE.encode()) + field(3, title.encode()) + b"\x28\x01")

    def ask(self, kind, body):
        self.request += 1
        frame = b"\x08" + varint(self.request) + field(kind, body)
        self.socket.sendall(struct.pack(">I", len(frame)) + frame)
        answer = self.read(struct.unpack(">I", self.read(4))[0])
        # answer (2) = the request, then not failure (12).
        head = b"\x10" + varint(self.request)
        assert answer.startswith(head) and answer[len(head):][:1] != b"\x62", answer

    def read(self, count):
        data = b""
        while len(data) < count:
            data += self.socket.recv(count - len(data)) or sys.exit("the daemon closed the connection")
        return data


def varint(number):
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes(data) + bytes([number])


def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


def connect(address):
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


def owner(bus, name):
    return bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
                         GLib.Variant("(s)", (name,)), None, 0, -1, None).unpack()[0]


def connects(path):
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def until(condition, what, pause=0.02):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"{what}: not within {PATIENCE} seconds")
        time.sleep(pause)


def row(what, samples, goal="", digits=3):
    """Samples: nanoseconds."""
    ordered = sorted(samples)
    at = lambda share: ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1e6
    print(f"| {what} | {at(0.5):.{digits}f} ms | {at(0.99):.{digits}f} ms | {len(ordered)} | {goal} |", flush=True)


def resident(program):
    """MiB."""
    with open(f"/proc/{program.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) / 1024


def wakes(program):
    """How often its threads have waited."""
    folder = f"/proc/{program.pid}/task"
    return sum(int(line.split()[1]) for thread in os.listdir(folder) for line in open(f"{folder}/{thread}/status")
               if line.startswith("voluntary_ctxt_switches"))


def flood(address, name, path, interface, method, count, size):
    """So many calls with so many bytes each, whose answers nobody takes; prints a line when they are out."""
    bus, words = connect(address), GLib.Variant("(as)", (["x" * size],))
    for _ in range(count):
        call = Gio.DBusMessage.new_method_call(name, path, interface, method)
        call.set_body(words)
        bus.send_message(call, Gio.DBusSendMessageFlags.NONE)
        bus.flush_sync(None)
    print("out", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    flood(*sys.argv[1:6], *map(int, sys.argv[6:]))
