// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

@MainActor
final class MainWindow {
    private let daemon: WindowDaemonClient
    private let root: String?
    private let window: GTKWidget
    private let toasts: GTKWidget = adw_toast_overlay_new()
    private let faces: GTKWidget = gtk_stack_new()
    private let pages: GTKWidget = adw_view_stack_new()
    private let title: GTKWidget = adw_view_switcher_title_new()
    private let bar: GTKWidget = adw_view_switcher_bar_new()
    private let back: GTKWidget
    private let searching: GTKWidget = gtk_toggle_button_new()
    private lazy var search = SearchView(daemon)
    private let firstRun: FirstRunView
    private lazy var menu = PrimaryMenu(daemon, root: root, over: window)
    private lazy var noDaemon = NoDaemonView(daemon)
    private lazy var removed = RemovedView(daemon)
    private lazy var activities = ActivitiesView(daemon, over: window) { [weak self] in self?.addDevice() }
    private lazy var devices = DevicesView(daemon, over: window) { [weak self] in self?.addDevice() }
    private lazy var settings = SettingsView(daemon, over: window)
    private var clock: Repeating?

    /// Seconds between updates of state without change notifications.
    private static let lookEvery = 3

    init(_ daemon: WindowDaemonClient, root: String?, in application: UnsafeMutablePointer<GtkApplication>) {
        self.daemon = daemon
        self.root = root
        window = adw_application_window_new(application)
        firstRun = FirstRunView(daemon)
        back = makeButton(icon: .back, label: daemon.strings[.back]) { daemon.step { $0.wentBack() } }
        build()
        addKeys(in: application)
        daemon.changed = { [weak self] in self?.show($0) }
        daemon.said = { [weak self] in self?.say($0) }
        daemon.openPage = { [weak self] in self?.open($0, $1) }
        daemon.makeActivationToken = { [window] in ActivationTokens.make(over: window) }
        WindowDaemonClient.Part.allCases.forEach(show)
        clock = Repeating(seconds: Self.lookEvery) { [weak self] in self?.look() }
    }

    enum Page: String, CaseIterable {
        case activities
        case devices
        case settings
    }

    func search(for words: String) { if daemon.face == .pages { search.open(words) } }

    func go(to page: Page) { adw_view_stack_set_visible_child_name(pages.opaque, page.rawValue) }

    func present() { gtk_window_present(window.cast(to: GtkWindow.self)) }

    func whenShown(_ shown: @escaping @MainActor () -> Void) {
        guard let clock = gtk_widget_get_frame_clock(window) else { return }
        onGTKSignal("after-paint", of: clock.raw) { [daemon] _ in
            if daemon.face != .waiting, daemon.face != .pages || daemon.hasList { shown() }
        }
    }

    // MARK: Its parts

    private func build() {
        let base = window.cast(to: GtkWindow.self)
        gtk_window_set_title(base, "Handoff")
        gtk_window_set_default_size(base, 640, 600)
        gtk_widget_set_size_request(window, 360, 294)

        let strings = daemon.strings
        addPage(activities.widget, .activities, strings[.activities], .handoff)
        addPage(devices.widget, .devices, strings[.devices], .computer)
        addPage(settings.widget, .settings, strings[.settings], .settings)
        adw_view_switcher_title_set_stack(title.opaque, pages.opaque)
        adw_view_switcher_title_set_title(title.opaque, "Handoff")
        adw_view_switcher_bar_set_stack(bar.opaque, pages.opaque)
        onGTKSignal("notify::title-visible", of: title.raw) { [weak self] _ in self?.showBar() }
        onGTKSignal("notify::visible-child", of: pages.raw) { [weak self] _ in
            self?.search.isOpen = false
            self?.look()
        }

        gtk_stack_add_named(faces.opaque, makeStatusPage("", "", icon: nil), "waiting")
        gtk_stack_add_named(faces.opaque, noDaemon.widget, "noDaemon")
        gtk_stack_add_named(faces.opaque, removed.widget, "removed")
        gtk_stack_add_named(faces.opaque, firstRun.widget, "firstRun")
        gtk_stack_add_named(faces.opaque, pages, "pages")
        gtk_stack_add_named(faces.opaque, search.widget, "search")
        gtk_widget_set_vexpand(faces, 1)

        let header: GTKWidget = adw_header_bar_new()
        adw_header_bar_set_title_widget(header.opaque, title)
        adw_header_bar_pack_start(header.opaque, back)
        adw_header_bar_pack_end(header.opaque, menu.widget)
        addSearchButton(to: header)
        adw_toast_overlay_set_child(toasts.opaque, faces)
        adw_application_window_set_content(
            window.cast(to: AdwApplicationWindow.self),
            makeBox(GTK_ORIENTATION_VERTICAL, [header, search.bar, toasts, bar]))
        answerGTKSignal("close-request", of: window.raw) { [weak self] _ in self?.staysOpen() ?? false }
    }

    private func addSearchButton(to header: GTKWidget) {
        gtk_button_set_icon_name(searching.cast(to: GtkButton.self), Icon.search.rawValue)
        gtk_widget_set_tooltip_text(searching, daemon.strings[.search])
        describeGTKWidget(searching, as: daemon.strings[.search])
        g_object_bind_property(
            searching.raw, "active", search.bar.raw, "search-mode-enabled", G_BINDING_BIDIRECTIONAL)
        adw_header_bar_pack_end(header.opaque, searching)
    }

    private func staysOpen() -> Bool {
        guard daemon.face == .firstRun, case .key = daemon.firstRun.step else {
            firstRun.close()
            return false
        }
        let strings = daemon.strings
        Question(
            heading: strings[.keyCloseHeading], body: strings[.keyCloseBody], cancel: strings[.cancel],
            deed: strings[.close], isDestructive: true
        ).ask(over: window) { [daemon, window] in
            daemon.step { $0.finished() }
            gtk_window_close(window.cast(to: GtkWindow.self))
        }
        return true
    }

    private func addPage(_ widget: GTKWidget, _ page: Page, _ title: String, _ icon: Icon) {
        adw_view_stack_add_titled_with_icon(pages.opaque, widget, page.rawValue, title, icon.rawValue)
    }

    private func addKeys(in application: UnsafeMutablePointer<GtkApplication>) {
        for page in Page.allCases {
            add(action: page.rawValue, to: window.opaque) { [weak self] _ in self?.go(to: page) }
        }
        add(action: "search", to: window.opaque) { [weak self] _ in
            if self?.daemon.face == .pages { self?.search.open() }
        }
        add(action: "invite", to: window.opaque) { [weak self] _ in self?.addDevice() }
        Shortcut.set(in: application)
    }

    // MARK: Showing

    private func show(_ part: WindowDaemonClient.Part) {
        switch part {
        case .face: showFace()
        case .activities:
            activities.show()
            search.show()
        case .search:
            search.show()
            showFace()
        case .devices: devices.show()
        case .settings:
            settings.show()
            menu.show()
        case .firstRun, .joining:
            firstRun.show()
            showFace()
        }
    }

    private func showFace() {
        let name =
            switch daemon.face {
            case .waiting: "waiting"
            case .noDaemon: "noDaemon"
            case .removed: "removed"
            case .firstRun: "firstRun"
            case .pages: daemon.search.isOpen ? "search" : "pages"
            }
        noDaemon.show()
        removed.show()
        turn(faces, to: name, of: ["waiting", "noDaemon", "removed", "firstRun", "pages", "search"])
        gtk_widget_set_visible(searching, daemon.face == .pages ? 1 : 0)
        search.listen(in: daemon.face == .pages ? window : nil)
        if daemon.face != .pages { search.isOpen = false }
        adw_view_switcher_title_set_view_switcher_enabled(title.opaque, daemon.face == .pages ? 1 : 0)
        gtk_widget_set_visible(back, daemon.face == .firstRun && firstRun.canGoBack ? 1 : 0)
        menu.show()
        showBar()
    }

    private func showBar() {
        let isNarrow = adw_view_switcher_title_get_title_visible(title.opaque) != 0
        adw_view_switcher_bar_set_reveal(bar.opaque, isNarrow && daemon.face == .pages ? 1 : 0)
    }

    private func say(_ sentence: String) {
        adw_toast_overlay_add_toast(toasts.opaque, adw_toast_new(escaped(sentence)))
    }

    private func open(_ page: String, _ answer: @escaping @MainActor (Bool) -> Void) {
        let parent = window.cast(to: GtkWindow.self)
        gtk_show_uri_full(
            parent, page, guint32(GDK_CURRENT_TIME), nil, GTKAnswer.callback,
            GTKAnswer.data { answer(gtk_show_uri_full_finish(parent, $0, nil) != 0) })
    }

    private func look() {
        daemon.refreshStatus()
        let name = adw_view_stack_get_visible_child_name(pages.opaque).map { String(cString: $0) }
        switch name.flatMap(Page.init) {
        case .devices:
            devices.show()
        case .settings: daemon.refreshSettings()
        case .activities, nil:
            daemon.refreshSends()
            activities.show()
            daemon.refreshSearch()
        }
    }

    private func addDevice() {
        guard daemon.face == .pages else { return }
        let pane = InvitePane(daemon)
        let dialog = PaneDialog.show(daemon.strings[.addDevice], pane.widget, over: window) { pane.close() }
        pane.done = { gtk_window_close(dialog.cast(to: GtkWindow.self)) }
    }
}
