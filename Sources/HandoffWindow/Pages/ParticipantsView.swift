// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffIcons
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

/// For people who have nothing to continue yet.
@MainActor
final class ParticipantsView {
    let widget: GTKWidget
    private let daemon: WindowDaemonClient
    private let window: GTKWidget
    private let browsers: BoxedList<String, BrowserRow>
    private let programs: BoxedList<PolicySubject, SwitchRow<SwitchLine>>
    private let apps: BoxedList<BundleID, AppNameRow>
    private let browserGroup: GTKWidget = adw_preferences_group_new()
    private let programGroup: GTKWidget = adw_preferences_group_new()
    private let appGroup: GTKWidget = adw_preferences_group_new()
    private var pane: (browser: String, close: @MainActor () -> Void)?

    /// Its steps are shown, perhaps over other pages: the first page that it offers is an activity.
    var isAwaitingBrowser: Bool { pane != nil }

    /// The settings list all apps.
    private static let appsShown = 5

    init(_ daemon: WindowDaemonClient, over window: GTKWidget) {
        self.daemon = daemon
        self.window = window
        browsers = BoxedList(label: daemon.strings[.browsers])
        programs = BoxedList(label: daemon.strings[.programs])
        apps = BoxedList(label: daemon.strings[.apps])
        let groups = [
            (browserGroup, daemon.strings[.browsers], browsers.widget),
            (programGroup, daemon.strings[.programs], programs.widget),
            (appGroup, daemon.strings[.apps], apps.widget),
        ]
        for (group, title, list) in groups {
            let group = group.cast(to: AdwPreferencesGroup.self)
            adw_preferences_group_set_title(group, title)
            adw_preferences_group_add(group, list)
        }
        widget = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 24, groups.map(\.0))
        onGTKSignal("map", of: widget.raw) { [daemon] _ in daemon.lookForBrowsers() }
    }

    func show() {
        let lines = daemon.browserLines ?? []
        browsers.show(
            lines, id: { $0.id },
            make: { [daemon] line in
                let row = BrowserRow(line, daemon.strings) { [weak self] in self?.pressed($0) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        gtk_widget_set_visible(browserGroup, lines.isEmpty ? 0 : 1)
        let programLines = daemon.settings.programLines(daemon.strings)
        programs.show(
            programLines, id: { $0.subject },
            make: { [daemon] _ in
                let row = SwitchRow { daemon.turn($0, on: $1) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        gtk_widget_set_visible(programGroup, programLines.isEmpty ? 0 : 1)
        let appLines = daemon.settings.apps.prefix(Self.appsShown)
        apps.show(
            Array(appLines), id: { $0.bundle },
            make: { _ in
                let row = AppNameRow()
                return (row, row.widget)
            },
            fill: { [daemon] row, app in
                row.show(app, daemon.picture(of: app.bundle), daemon.settings.details(of: app, daemon.strings))
            })
        gtk_widget_set_visible(appGroup, appLines.isEmpty ? 0 : 1)
        if let pane, let line = lines.first(where: { $0.id == pane.browser }), line.isConnected {
            pane.close()
            daemon.said(daemon.strings(.browserJoined, line.name))
        }
    }

    private func pressed(_ line: BrowserLine) {
        switch line.deed {
        case .setUp: daemon.setUp(line) { [weak self] in self?.showSteps(line) }
        case .addExtension: showSteps(line)
        case nil: break
        }
    }

    private func showSteps(_ line: BrowserLine) {
        guard let steps = line.steps, pane == nil else { return }
        let content = clamped(makeBox(GTK_ORIENTATION_VERTICAL, spacing: 12, parts(of: steps, line.name)))
        let dialog = PaneDialog.show(daemon.strings(.extensionFor, line.name), content, over: window) { [weak self] in
            self?.pane = nil
        }
        pane = (line.id, { gtk_window_close(dialog.cast(to: GtkWindow.self)) })
    }

    private func parts(of steps: BrowserSteps, _ name: String) -> [GTKWidget] {
        let strings = daemon.strings
        guard let place = steps.place else { return [makeLabel(steps.sentence(strings))] }
        return [
            makeLabel(strings(.extensionAddress, name)), copied(steps.address),
            makeLabel(steps.sentence(strings)), copied(place), waiting(strings(.browserAwaited, name)),
        ]
    }

    private func copied(_ text: String) -> GTKWidget {
        let label = makeLabel(text, styles: ["monospace"])
        gtk_label_set_selectable(label.opaque, 1)
        gtk_widget_set_hexpand(label, 1)
        let button = makeButton(icon: .copy, label: daemon.strings(.copyLabel, text)) { [daemon, widget] in
            gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), text)
            daemon.said(daemon.strings[.copied])
        }
        return makeBox(GTK_ORIENTATION_HORIZONTAL, spacing: 6, [label, button])
    }
}

@MainActor
private final class BrowserRow {
    private let picture = PictureWithEmblem()
    private let row: ActionRow
    private let button: GTKWidget = gtk_button_new()
    private let strings: LocalizedStrings
    private var line: BrowserLine

    var widget: GTKWidget { row.widget }

    init(_ line: BrowserLine, _ strings: LocalizedStrings, pressed: @escaping @MainActor (BrowserLine) -> Void) {
        self.strings = strings
        self.line = line
        row = ActionRow(prefix: picture.widget)
        row.add(button)
        onGTKSignal("clicked", of: button.raw) { [weak self] _ in if let self { pressed(self.line) } }
    }

    func show(_ line: BrowserLine) {
        self.line = line
        picture.show(.name(line.icons[0]), fallbacks: line.icons.dropFirst() + ["web-browser"])
        row.show(title: line.name, details: line.details)
        gtk_widget_set_visible(button, line.deed == nil ? 0 : 1)
        guard let deed = line.deed else { return row.activateNothing() }
        let title = strings[deed == .setUp ? .setUp : .addExtension]
        gtk_button_set_label(button.cast(to: GtkButton.self), title)
        row.activate(button, label: "\(title) \(line.name)")
    }
}

@MainActor
private final class AppNameRow {
    private let picture = PictureWithEmblem()
    private let row: ActionRow

    var widget: GTKWidget { row.widget }

    init() { row = ActionRow(prefix: picture.widget) }

    func show(_ app: AppSummary, _ picture: AppPicture?, _ details: String) {
        self.picture.show(picture ?? .name(app.bundle.name))
        row.show(title: app.name.text, details: details)
    }
}
