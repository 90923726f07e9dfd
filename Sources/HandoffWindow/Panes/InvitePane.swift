// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

@MainActor
final class InvitePane {
    let widget: GTKWidget
    /// The user has acknowledged the result.
    var done: @MainActor () -> Void = {}
    /// `isShowingCode`: leaving loses nothing else.
    var changed: @MainActor (_ isShowingCode: Bool) -> Void = { _ in }
    private let daemon: WindowDaemonClient
    private var inviting: Inviting?
    private var shown: Invitation.Standing?
    private let place: GTKWidget = adw_bin_new()
    /// The number, while it is compared.
    private var compared: GTKWidget?

    init(_ daemon: WindowDaemonClient) {
        self.daemon = daemon
        widget = clamped(place)
        begin()
    }

    func close() {
        inviting?.close()
        inviting = nil
    }

    private func begin() {
        close()
        let inviting = daemon.invite()
        self.inviting = inviting
        inviting.changed = { [weak self] in self?.show() }
        show()
    }

    private func show() {
        guard let standing = inviting?.invitation.standing, standing != shown else { return }
        shown = standing
        compared = nil
        let content = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 12, parts(of: standing))
        adw_bin_set_child(place.cast(to: AdwBin.self), content)
        switch standing {
        case .asking, .showing: changed(true)
        case .comparing, .admitting, .joined, .over: changed(false)
        }
        // A question must be seen, and Return must answer neither yes nor no.
        if let compared { gtk_widget_grab_focus(compared) }
    }

    private func parts(of standing: Invitation.Standing) -> [GTKWidget] {
        let strings = daemon.strings
        switch standing {
        case .asking: return [waiting("")]
        case .showing(let offer): return parts(of: offer)
        case .comparing(let asked):
            let number = makeLabel(asked.number.inHalves, styles: ["title-1", "numeric"])
            gtk_label_set_selectable(number.opaque, 1)
            compared = number
            return [
                makeLabel(strings(.asksToJoin, asked.name.text), styles: ["title-2"]),
                makeLabel(strings[.compareThere]),
                number, makeLabel(asked.source, styles: ["dim-label"]),
                makeButton(strings[.admit], styles: ["pill", "suggested-action"]) { [weak self] in
                    self?.inviting?.decide(admit: true)
                },
                makeButton(strings[.decline], styles: ["pill"]) { [weak self] in self?.inviting?.decide(admit: false) },
            ]
        case .admitting: return [waiting("")]
        case .joined(let name):
            return [
                makeLabel(strings(.joined, name.text), styles: ["title-2"]),
                makeButton(strings[.done], styles: ["pill", "suggested-action"]) { [weak self] in self?.done() },
            ]
        case .over(let failure):
            return [
                makeLabel(strings.trouble(failure).text),
                makeButton(strings[.tryAgain], styles: ["pill"]) { [weak self] in self?.begin() },
            ]
        }
    }

    private func parts(of offer: InviteOffer) -> [GTKWidget] {
        let strings = daemon.strings
        let code = makeLabel(offer.code.inTwoLines, styles: ["title-1", "monospace"])
        gtk_label_set_selectable(code.opaque, 1)
        let copy = makeButton(strings[.copy], styles: ["pill"]) { [daemon, widget] in
            gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), offer.code)
            daemon.said(strings[.copied])
        }
        gtk_widget_set_halign(copy, GTK_ALIGN_CENTER)
        let nearby = offer.announcedAs.map { [makeLabel(strings(.inviteNearby, $0.text))] } ?? []
        return nearby + [makeLabel(strings[offer.announcedAs == nil ? .inviteBody : .inviteOtherwise]), code]
            + [
                copy, makeLabel(strings(.inviteUntil, offer.expires.localClock), styles: ["dim-label"]),
                waiting(strings[.waiting]), otherWays(offer),
            ]
    }

    /// Few users need these.
    private func otherWays(_ offer: InviteOffer) -> GTKWidget {
        let strings = daemon.strings
        let picture = CodePicture(of: offer.code, label: strings[.pictureCode]).map { [$0.widget] } ?? []
        let addresses =
            offer.addresses.isEmpty
            ? []
            : [
                makeLabel(strings[.inviteAddresses]),
                makeLabel(offer.addresses.prefix(2).joined(separator: "\n"), styles: ["dim-label"]),
            ]
        let terminal = makeLabel(strings(.inviteTerminal, "handoff account join"))
        let expander: GTKWidget = gtk_expander_new(strings[.otherWays])
        let box = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 12, picture + addresses + [terminal])
        gtk_widget_set_margin_top(box, 12)
        gtk_expander_set_child(expander.opaque, box)
        describeGTKWidget(expander, as: strings[.otherWays])
        return expander
    }
}

@MainActor
func waiting(_ text: String) -> GTKWidget {
    let spinner: GTKWidget = gtk_spinner_new()
    gtk_spinner_start(spinner.opaque)
    let box = makeBox(GTK_ORIENTATION_HORIZONTAL, spacing: 8, [spinner] + (text.isEmpty ? [] : [makeLabel(text)]))
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
    return box
}

extension String {
    /// Fits a phone's width.
    fileprivate var inTwoLines: String {
        let groups = split(separator: "-")
        guard groups.count > 1 else { return self }
        let half = groups.count / 2
        return groups[..<half].joined(separator: "-") + "-\n" + groups[half...].joined(separator: "-")
    }
}
