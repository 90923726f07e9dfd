#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An adapter with one flaw, named after the rule that it breaks, and the command that drives its program, whose content are
signals. usage: adapter.py adapter FLAW | adapter.py VERB"""
import sys, time
from gi.repository import Gio, GLib

V, SYSTEM, OBJECT = GLib.Variant, "system:org.example.Reader", "/org/example/Adapter"
HANDOFF, PATH, PROGRAM = "org.handoff.Handoff1", "/org/handoff/Handoff1", "org.example.Reader"
XML = """<node><interface name='org.handoff.App1'>
  <method name='Save'><arg type='s' direction='in'/><arg type='a{sv}' direction='out'/></method>
  <method name='Unregistered'><arg type='a{sv}' direction='in'/></method></interface></node>"""
bus, loop = Gio.bus_get_sync(Gio.BusType.SESSION), GLib.MainLoop()


def drive(verb):
    for number in range(200 if verb == "flood" else 1):
        page = number if verb == "flood" else int(time.time() * 1000)
        bus.emit_signal(None, "/", PROGRAM, "Shown", V("(sx)", (verb, page)))
    bus.flush_sync()
    sys.exit(0)


class Adapter:
    page, shown, activity, registered, timer, last = None, None, None, False, 0, 0.0

    def call(self, method, signature, *arguments):
        try:
            return bus.call_sync(HANDOFF, PATH, HANDOFF, method, V(signature, arguments), None, 0, -1, None).unpack()
        except GLib.Error as error: print(error.message, file=sys.stderr)

    def appeared(self, *_):
        if flaw == "restart" and self.registered: return
        name = "system:another" if flaw == "register" else SYSTEM
        self.registered = bool(self.call("Register", "(soa{sv})", name, OBJECT, {"receives": V("b", False)}))
        self.shown = self.activity = None
        if flaw == "quiet": self.call("Publish", "(a{sv})", {"type": V("s", "org.example.reading")})
        self.changed()

    def changed_properties(self, _bus, _sender, _path, _interface, _signal, parameters):
        values = parameters.unpack()[1]
        if "Future" in values and flaw == "unknown": sys.exit(7)
        if SYSTEM not in values.get("Programs", [SYSTEM]) and flaw != "off": loop.quit()

    def show(self, _bus, _sender, _path, _interface, _signal, parameters):
        verb, page = parameters.unpack()
        if verb == flaw and verb in ("move", "private", "close", "kill"): return
        if flaw == "flood" and verb == "flood": self.call("Changed", "(s)", self.activity or "")
        self.page = None if verb in ("private", "close", "kill") else page
        self.changed()

    def changed(self):
        if not self.registered or self.timer or self.page == self.shown: return
        if self.page and time.monotonic() < self.last + 0.5:
            self.timer = GLib.timeout_add(500, self.rested)
            return
        self.shown, self.last = self.page, time.monotonic()
        if self.page:
            kind = {"kind" if flaw == "publish" else "type": V("s", "org.example.reading"), "needs-save": V("b", True)}
            self.activity = (self.call("Publish", "(a{sv})", {**kind, **self.state()}) or [None])[0]
        elif self.activity:
            self.call("Withdraw", "(s)", self.activity)
            self.activity = None

    def rested(self):
        self.timer = 0
        self.changed()

    def state(self): return {"user-info": V("a{sv}", {"page": V("x", self.shown or 0)})}

    def asked(self, _bus, _sender, _path, _interface, method, _parameters, invocation):
        if method == "Unregistered": self.registered = flaw == "unregistered"
        if method == "Save" and flaw == "save": return invocation.return_dbus_error("org.example.No", "no")
        invocation.return_value(V("(a{sv})", (self.state(),)) if method == "Save" else None)


flaw = sys.argv[2] if sys.argv[1] == "adapter" else ""
if sys.argv[1] != "adapter": drive(sys.argv[1])
bus.set_exit_on_close(flaw != "bus")
adapter = Adapter()
bus.register_object(OBJECT, Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], adapter.asked, None, None)
bus.signal_subscribe(None, PROGRAM, "Shown", None, None, 0, adapter.show)
bus.signal_subscribe(HANDOFF, "org.freedesktop.DBus.Properties", None, PATH, None, 0, adapter.changed_properties)
Gio.bus_watch_name_on_connection(bus, HANDOFF, Gio.BusNameWatcherFlags.NONE, adapter.appeared, None)
loop.run()
