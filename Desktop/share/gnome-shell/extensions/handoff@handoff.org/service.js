// SPDX-License-Identifier: Apache-2.0
/* exported Service */

const {Gio, GLib} = imports.gi;

const NAME = 'org.handoff.Handoff1';
const PATH = '/org/handoff/Handoff1';
/** Milliseconds. Handoff answers at once, unless it has just been stopped. */
const PATIENCE = 5000;

/** With it, an app may raise its window. Only the daemon knows the app, so this one is made up. */
function activationToken() {
    const app = Gio.AppInfo.create_from_commandline('handoff', 'Handoff',
        Gio.AppInfoCreateFlags.SUPPORTS_STARTUP_NOTIFICATION);
    return global.create_app_launch_context(0, -1).get_startup_notify_id(app, []);
}

/** Handoff's D-Bus service, if it runs. It is never started from here, and the Shell never waits for it. */
var Service = class {
    /** Calls `changed` after each change of `isRunning` or `activities`. */
    constructor(changed) {
        this._changed = changed;
        this._bus = Gio.DBus.session;
        this._owner = null;
        this.activities = [];
        this._name = Gio.bus_watch_name_on_connection(this._bus, NAME, Gio.BusNameWatcherFlags.NONE,
            (_bus, _name, owner) => this._appeared(owner), () => this._vanished());
    }

    close() {
        Gio.bus_unwatch_name(this._name);
        this._forget();
    }

    get isRunning() {
        return this._owner !== null;
    }

    /** Handoff reports failures in notifications. */
    continue(activity) {
        const options = {};
        const token = activationToken();
        if (token)
            options['activation-token'] = new GLib.Variant('s', token);
        this._call('Open', new GLib.Variant('(ssa{sv})', [activity.id, activity.device, options]));
    }

    _appeared(owner) {
        this._forget();
        this._owner = owner;
        this._calls = new Gio.Cancellable();
        this._signals = this._bus.signal_subscribe(owner, NAME, 'ActivitiesChanged', PATH, null,
            Gio.DBusSignalFlags.NONE, (...signal) => this._offered(signal[5]));
        this._changed();
        this._call('ListActivities', new GLib.Variant('(a{sv})', [{}]), answer => this._offered(answer));
    }

    _vanished() {
        this._forget();
        this._changed();
    }

    _forget() {
        if (this._owner !== null) {
            this._bus.signal_unsubscribe(this._signals);
            this._calls.cancel();
        }
        this._owner = null;
        this.activities = [];
    }

    /** Only apps and browsers can continue here. */
    _offered(parameters) {
        const [list] = parameters.recursiveUnpack();
        this.activities = list.filter(({target}) => target === 'app' || target === 'web-page')
            .map(activity => ({...activity, key: `${activity.device} ${activity.id}`}));
        this._changed();
    }

    /** Without a daemon, Handoff refuses, and offers nothing. */
    _call(method, parameters, answered = () => {}) {
        this._bus.call(this._owner, PATH, NAME, method, parameters, null, Gio.DBusCallFlags.NO_AUTO_START, PATIENCE,
            this._calls, (bus, result) => {
                try {
                    answered(bus.call_finish(result));
                } catch (error) {
                    if (!error.matches?.(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED))
                        console.warn(`Handoff: ${method}: ${error.message}`);
                }
            });
    }
};
