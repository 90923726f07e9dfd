#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Offers the music that Rhythmbox plays: an adapter for Handoff, over D-Bus alone. docs/adapters.md explains it.
usage: rhythmbox.py | rhythmbox.py --open TARGET [SECONDS] [true|false], to continue music in Rhythmbox"""
import os, subprocess, sys, time
from urllib.parse import unquote_to_bytes, urlsplit
from gi.repository import Gio, GLib

V, TYPE, PROPERTIES = GLib.Variant, "org.handoff.program.media", "org.freedesktop.DBus.Properties"
PROGRAM, SYSTEM = "org.gnome.Rhythmbox3", "system:org.gnome.Rhythmbox3"
HANDOFF = "org.handoff.Handoff1", "/org/handoff/Handoff1", "org.handoff.Handoff1"
PLAYER = "org.mpris.MediaPlayer2.rhythmbox", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"
OBJECT = "/org/handoff/Adapter"
XML = """<node><interface name='org.handoff.App1'>
  <method name='Save'><arg type='s' direction='in'/><arg type='a{sv}' direction='out'/></method>
  <method name='WasContinued'><arg type='s' direction='in'/><arg type='s' direction='in'/></method>
  <method name='Unregistered'><arg type='a{sv}' direction='in'/></method></interface></node>"""
SPACING, HOME = 0.5, os.fsencode(os.path.expanduser("~"))  # seconds between two messages; the home folder
loop, bus = GLib.MainLoop(), Gio.bus_get_sync(Gio.BusType.SESSION)  # this process ends with the bus

def call(on, method, signature="()", *arguments, wait=5000):
    try:
        flags = Gio.DBusCallFlags.NO_AUTO_START
        return bus.call_sync(*on, method, V(signature, arguments), None, flags, wait, None).unpack()
    except GLib.Error as error: print(error.message, file=sys.stderr)  # of a program that has left, perhaps

def get(on, name): return (call((*on[:2], PROPERTIES), "Get", "(ss)", on[2], name, wait=1000) or [None])[0]

def source(url):  # the keys of a state that name what is played; None for what other devices cannot open
    place = urlsplit(url)
    if place.scheme in ("http", "https") and not place.username: return {"uri": V("s", url)}
    path = unquote_to_bytes(place.path)
    if place.scheme != "file" or not path.startswith(HOME + b"/") or not os.path.isfile(path): return None
    return {"home-path": V("ay", os.path.relpath(path, HOME)), "size": V("x", os.stat(path).st_size)}

class Adapter:
    playing, registered, shown, activity, timer, last = {}, False, None, None, 0, 0.0

    def handoff_appeared(self, *_):
        if SYSTEM not in (get(HANDOFF, "Programs") or []): return loop.quit()
        options = {"receives": V("b", False)}  # Handoff starts `--open` itself
        self.registered, self.shown = bool(call(HANDOFF, "Register", "(soa{sv})", SYSTEM, OBJECT, options)), None
        self.changed()

    def handoff_left(self, *_): self.registered, self.activity = False, None
    def handoff_changed(self, *signal):
        if SYSTEM not in signal[5].unpack()[1].get("Programs", [SYSTEM]): loop.quit()  # the user has switched it off

    def player_appeared(self, *_):
        self.playing = {name: get(PLAYER, name) for name in ("Metadata", "PlaybackStatus")}; self.changed()
    def player_changed(self, *signal): self.playing.update(signal[5].unpack()[1]); self.changed()
    def player_left(self, *_): self.playing = {}; self.changed()

    def changed(self):
        music = self.playing.get("Metadata") or {}
        front = (music.get("xesam:url", ""), music.get("xesam:title", ""))
        if self.playing.get("PlaybackStatus") not in ("Playing", "Paused") or not source(front[0]): front = None
        if not self.registered or self.timer or front == self.shown: return
        wait = self.last + SPACING - time.monotonic()
        if front and wait > 0: self.timer = GLib.timeout_add(int(wait * 1000) + 1, self.rested); return
        self.shown, self.last = front, time.monotonic()
        if front:  # always-save, because the position changes all the time
            activity = {"type": V("s", TYPE), "title": V("s", front[1]), "always-save": V("b", True)}
            self.activity = (call(HANDOFF, "Publish", "(a{sv})", {**activity, **self.state()}) or [None])[0]
        elif self.activity: call(HANDOFF, "Withdraw", "(s)", self.activity); self.activity = None
    def rested(self): self.timer = 0; self.changed()
    def state(self):
        place = {"seconds": V("d", max(0, get(PLAYER, "Position") or 0) / 1e6),
                 "playing": V("b", self.playing.get("PlaybackStatus") == "Playing")}
        return {"user-info": V("a{sv}", {**(source(self.shown[0]) or {}), **place})}

    def asked(self, _bus, _sender, _path, _interface, method, parameters, invocation):
        is_shown = parameters[0] == self.activity and self.shown
        if method == "Unregistered": self.registered = False
        if method == "WasContinued" and is_shown: call(PLAYER, "Pause")
        invocation.return_value(V("(a{sv})", (self.state() if is_shown else {},)) if method == "Save" else None)

def open_music(target, seconds="0", playing="true"):
    url = target if "://" in target else Gio.File.new_for_path(target).get_uri()
    subprocess.Popen(["rhythmbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # no second one if it runs
    for _ in range(60):  # half a minute
        is_open = (get(PLAYER, "Metadata") or {}).get("xesam:url") == url
        if is_open and get(PLAYER, "Position"): break  # it loses an earlier seek
        if not is_open: call(PLAYER, "OpenUri", "(s)", url)  # ignored while it starts
        GLib.timeout_add(500, loop.quit); loop.run()
    else: return "Rhythmbox does not open " + url
    call(PLAYER, "SetPosition", "(ox)", get(PLAYER, "Metadata")["mpris:trackid"], int(float(seconds) * 1e6))
    if playing == "false": call(PLAYER, "Pause")

if sys.argv[1:2] == ["--open"]: sys.exit(open_music(*sys.argv[2:]))
adapter = Adapter()
bus.register_object(OBJECT, Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], adapter.asked, None, None)
bus.signal_subscribe(PLAYER[0], PROPERTIES, "PropertiesChanged", PLAYER[1], PLAYER[2], 0, adapter.player_changed)
bus.signal_subscribe(HANDOFF[0], PROPERTIES, "PropertiesChanged", HANDOFF[1], None, 0, adapter.handoff_changed)
Gio.bus_own_name_on_connection(bus, "org.handoff.Adapter." + PROGRAM, Gio.BusNameOwnerFlags.NONE, None, None)
for name, appeared, left in ((PLAYER[0], adapter.player_appeared, adapter.player_left),
                             (HANDOFF[0], adapter.handoff_appeared, adapter.handoff_left)):
    Gio.bus_watch_name_on_connection(bus, name, Gio.BusNameWatcherFlags.NONE, appeared, left)
loop.run()
