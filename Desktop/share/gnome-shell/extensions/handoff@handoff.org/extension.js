// SPDX-License-Identifier: Apache-2.0
/* exported init */

const {Clutter, Gio, GLib, GObject, Shell, St} = imports.gi;
const Main = imports.ui.main;
const PopupMenu = imports.ui.popupMenu;
const {QuickMenuToggle, SystemIndicator} = imports.ui.quickSettings;
const Me = imports.misc.extensionUtils.getCurrentExtension();
const {Focus} = Me.imports.focus;
const {Service} = Me.imports.service;
const {strings} = Me.imports.strings;

const ICON = 'org.handoff.Handoff-symbolic';
const WINDOW = 'org.handoff.Handoff.desktop';
/** Rows in the menu. The window shows the rest. */
const NEWEST = 5;
/** Of 255. */
const PLACE_OPACITY = 180;

function word(key, ...values) {
    const language = GLib.get_language_names().find(name => name in strings) ?? 'en';
    return values.reduce((text, value, index) => text.replace(`$${index + 1}`, () => value), strings[language][key]);
}

/** With icons of their own. */
const KINDS = ['desktop', 'laptop', 'tablet', 'phone', 'server'];

/** As in the search. */
function withEmblem(icon, kind) {
    if (!KINDS.includes(kind))
        return icon;
    const emblem = Gio.Emblem.new(new Gio.ThemedIcon({name: `org.handoff.Handoff.${kind}-emblem`}));
    return Gio.EmblemedIcon.new(icon, emblem);
}

/** The installed app's own icon, if the desktop knows the app. */
function iconOf(activity) {
    if (activity.target === 'web-page')
        return new Gio.ThemedIcon({names: ['web-browser', 'web-browser-symbolic']});
    const app = activity['target-app'];
    return Shell.AppSystem.get_default().lookup_app(`${app}.desktop`)?.get_app_info().get_icon() ??
        new Gio.ThemedIcon({names: [app, ICON]});
}

/** For the app that opens. */
function makeWay() {
    Main.overview.hide();
    Main.panel.closeQuickSettings();
}

const ActivityItem = GObject.registerClass(
class ActivityItem extends PopupMenu.PopupBaseMenuItem {
    _init(activity) {
        super._init();
        this.setOrnament(PopupMenu.Ornament.HIDDEN);
        const title = activity.title || activity['app-name'] || word('aPage');
        const app = activity['app-name'] === title ? '' : activity['app-name'];
        this.accessible_name = word('continueLabel', title, activity['device-name']);
        const icon = withEmblem(iconOf(activity), activity['device-kind']);
        this.add_child(new St.Icon({gicon: icon, style_class: 'handoff-icon'}));
        const lines = new St.BoxLayout({vertical: true, x_expand: true, y_align: Clutter.ActorAlign.CENTER});
        lines.add_child(new St.Label({text: title}));
        lines.add_child(new St.Label({
            text: [app, activity['device-name']].filter(name => name).join(' · '),
            opacity: PLACE_OPACITY,
            style_class: 'handoff-place',
        }));
        this.add_child(lines);
    }
});

const HandoffToggle = GObject.registerClass(
class HandoffToggle extends QuickMenuToggle {
    _init(service) {
        super._init({label: 'Handoff', iconName: ICON, visible: false});
        this._service = service;
        this._items = new Map();
        this._section = new PopupMenu.PopupMenuSection();
        this.menu.addMenuItem(this._section);
        this.menu.addMenuItem(new PopupMenu.PopupSeparatorMenuItem());
        this._window = this.menu.addAction(word('openHandoff'), () => {
            makeWay();
            Shell.AppSystem.get_default().lookup_app(WINDOW)?.activate();
        });
        this.connect('clicked', () => this.menu.open());
        this.menu.connect('open-state-changed', () => this.sync());
    }

    sync() {
        this.visible = this._service.isRunning;
        const activities = this._service.activities;
        const summary = ['nothing', 'oneActivity'][activities.length] ?? 'manyActivities';
        this.menu.setHeader(ICON, 'Handoff', word(summary, `${activities.length}`));
        this.checked = activities.length > 0;
        this._window.visible = Shell.AppSystem.get_default().lookup_app(WINDOW) !== null;
        if (!this.menu.isOpen)
            this._list(activities.slice(0, NEWEST));
        this._markGone(activities);
    }

    /** Nothing moves below the pointer: while the menu is open, it does not get new rows. */
    _markGone(activities) {
        const offered = new Set(activities.map(activity => activity.key));
        this._items.forEach((item, key) => item.setSensitive(offered.has(key)));
    }

    _list(activities) {
        // A row must outlive the click that closes the menu.
        const listed = JSON.stringify(activities);
        if (listed === this._listed)
            return;
        this._listed = listed;
        this._section.removeAll();
        this._items.clear();
        for (const activity of activities) {
            const item = new ActivityItem(activity);
            item.connect('activate', () => {
                makeWay();
                this._service.continue(activity);
            });
            this._section.addMenuItem(item);
            this._items.set(activity.key, item);
        }
    }
});

const HandoffIndicator = GObject.registerClass(
class HandoffIndicator extends SystemIndicator {
    _init() {
        super._init();
        this._icon = this._addIndicator();
        this._icon.set({icon_name: ICON, visible: false, accessible_name: 'Handoff'});
        this._service = new Service(() => this._sync());
        this._toggle = new HandoffToggle(this._service);
        this.quickSettingsItems.push(this._toggle);
        this.connect('destroy', () => {
            this._service.close();
            this._toggle.menu.destroy();
            this._toggle.destroy();
        });
    }

    _sync() {
        this._icon.visible = this._service.activities.length > 0;
        this._toggle.sync();
    }
});

class Extension {
    enable() {
        const quickSettings = Main.panel.statusArea.quickSettings;
        this._indicator = new HandoffIndicator();
        quickSettings._indicators.insert_child_at_index(this._indicator, 0);
        quickSettings._addItems(this._indicator.quickSettingsItems);
        this._focus = new Focus();
    }

    disable() {
        this._focus?.close();
        this._focus = null;
        this._indicator?.destroy();
        this._indicator = null;
    }
}

function init() {
    return new Extension();
}
