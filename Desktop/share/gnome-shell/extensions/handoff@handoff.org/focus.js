// SPDX-License-Identifier: Apache-2.0
/* exported Focus */

const {Gio, GLib} = imports.gi;

const NAME = 'org.handoff.Adapters';
const PATH = '/org/handoff/Adapters';
const INTERFACE = 'org.handoff.Focus1';

/** Reports the process of the window that gets the focus to handoff-adapters, if it runs. */
var Focus = class {
    constructor() {
        this._changed = global.display.connect('notify::focus-window', () => this._report());
        this._name = Gio.bus_watch_name_on_connection(Gio.DBus.session, NAME, Gio.BusNameWatcherFlags.NONE,
            () => this._report(), null);
    }

    close() {
        Gio.bus_unwatch_name(this._name);
        global.display.disconnect(this._changed);
    }

    _report() {
        const window = global.display.focus_window;
        if (window) {
            Gio.DBus.session.call(NAME, PATH, INTERFACE, 'Focused', new GLib.Variant('(i)', [window.get_pid()]),
                null, Gio.DBusCallFlags.NO_AUTO_START, -1, null, null);
        }
    }
};
