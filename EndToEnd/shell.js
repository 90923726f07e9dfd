// SPDX-License-Identifier: Apache-2.0
//
// GnomeShell.swift evaluates this in GNOME Shell. It prints what the Shell shows of the extension, one line of JSON each time
// that changes, and presses with a pointer of its own.

(() => {
    const {Clutter, Gio, GLib} = imports.gi;
    const {PopupBaseMenuItem} = imports.ui.popupMenu;
    const UUID = 'handoff@handoff.org';
    // Milliseconds between two looks.
    const PAUSE = 20;
    // Looks without a change until it is printed, so that it has been drawn.
    const STEADY = 3;

    const settings = new Gio.Settings({schema_id: 'org.gnome.desktop.interface'});
    settings.set_boolean('enable-animations', false);

    const quickSettings = () => Main.panel.statusArea.quickSettings;
    // Only a test has it.
    quickSettings()._unsafeMode.hide();
    // "Logged in as a privileged user"
    Main.messageTray.bannerBlocked = true;

    const toggle = () => quickSettings().menu._grid.get_children().find(({label}) => label === 'Handoff');

    function everythingIn(actor) {
        return [actor, ...actor.get_children().flatMap(everythingIn)];
    }

    function rows() {
        return toggle() ? everythingIn(toggle().menu.actor).filter(actor => actor.mapped && nameOf(actor)) : [];
    }

    function nameOf(actor) {
        if (actor instanceof PopupBaseMenuItem)
            return actor.accessible_name ?? actor.label?.text;
        return actor === toggle() ? actor.label : null;
    }

    function named(name) {
        return [toggle(), ...rows()].find(actor => actor?.mapped && nameOf(actor) === name);
    }

    function state() {
        const menu = toggle()?.menu;
        return {
            icon: everythingIn(quickSettings()._indicators)
                .some(actor => actor.mapped && actor.icon_name === 'org.handoff.Handoff-symbolic'),
            toggle: toggle()?.visible ?? false,
            isOn: toggle()?.checked ?? false,
            summary: menu?._headerSubtitle.text ?? '',
            rows: rows().map(row => row.reactive ? nameOf(row) : `(${nameOf(row)})`),
            children: [quickSettings()._indicators, quickSettings().menu._grid, quickSettings().menu._overlay]
                .map(actor => actor.get_n_children()),
            windows: global.get_window_actors().map(({meta_window: window}) => window.title ?? ''),
            error: Main.extensionManager.lookup(UUID)?.error ?? '',
        };
    }

    const pointer = Clutter.get_default_backend().get_default_seat()
        .create_virtual_device(Clutter.InputDeviceType.POINTER_DEVICE);

    // Whether it was there to be clicked: laid out, and not covered.
    function click(actor) {
        const [left, top] = actor.get_transformed_position();
        const [width, height] = actor.get_transformed_size();
        const [x, y] = [left + width / 3, top + height / 2];
        if (!actor.has_allocation() || !actor.contains(global.stage.get_actor_at_pos(Clutter.PickMode.REACTIVE, x, y)))
            return false;
        const time = GLib.get_monotonic_time();
        pointer.notify_absolute_motion(time, x, y);
        pointer.notify_button(time, Clutter.BUTTON_PRIMARY, Clutter.ButtonState.PRESSED);
        pointer.notify_button(time, Clutter.BUTTON_PRIMARY, Clutter.ButtonState.RELEASED);
        return true;
    }

    let [last, printed, looks] = ['', '', 0];
    let wanted = null;
    GLib.timeout_add(GLib.PRIORITY_DEFAULT, PAUSE, () => {
        const now = JSON.stringify(state());
        looks = now === last ? looks + 1 : 0;
        last = now;
        if (looks === STEADY && now !== printed) {
            printed = now;
            print(`shell ${now}`);
        }
        const actor = wanted && named(wanted);
        if (actor && click(actor))
            wanted = null;
        return GLib.SOURCE_CONTINUE;
    });

    globalThis.handoff = {
        openQuickSettings() {
            Main.overview.hide();
            quickSettings().menu.open();
        },
        closeQuickSettings() {
            quickSettings().menu.close();
        },
        focus(title) {
            const windows = global.get_window_actors().map(({meta_window: window}) => window);
            windows.find(window => window.title?.includes(title))
                .activate(global.display.get_current_time_roundtrip());
        },
        hideOverview() {
            Main.overview.hide();
        },
        // As soon as it is shown.
        press(name) {
            wanted = name;
        },
    };
})();
