// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffClient
internal import HandoffIcons
import HandoffWire

/// Read on a thread, because an app may be on an unresponsive mount.
final class AppIcons: DesktopFeature {
    /// Offers do not wait longer for the icons of new apps.
    static let patience = AppIconFiles.patience
    /// Bytes. A menu sends each picture with its layout.
    static let pictureBytes = 128 * 1024

    private let daemon: DaemonClient
    private let loop: BusLoop
    private let patience: Duration
    private let read: @Sendable (String) -> AppIcon?
    private let composed: ComposedIcons?
    private var offers: [ListedActivity] = []
    private var bundles: [BundleID: String] = [:]
    private var offered: Set<BundleID> = []
    /// Nil: no suitable icon.
    private var found: [BundleID: AppIcon?] = [:]
    private var reading: [BundleID: String] = [:]
    private var waiting: (then: () -> Void, end: LoopWatch)?
    private var isAsked = false
    var changed: () -> Void = {}

    /// `read` is called on threads. `draw`: nil if lists have the plain icons.
    init(
        _ daemon: DaemonClient, patience: Duration = AppIcons.patience,
        read: @escaping @Sendable (String) -> AppIcon? = AppIconFiles(pictureBytes: AppIcons.pictureBytes).icon,
        draw: ComposedIcons.Draw? = nil, on loop: BusLoop
    ) {
        self.daemon = daemon
        self.patience = patience
        self.read = read
        self.loop = loop
        composed = draw.map { ComposedIcons(draw: $0, on: loop) }
        composed?.changed = { [weak self] in self?.changed() }
    }

    func daemonConnected(_ welcome: Welcome) { reload() }

    func daemonDisconnected() { waiting = nil }

    private func reload() {
        isAsked = true
        daemon.request(.launching(.listApps)) { [weak self] result in
            guard let self else { return }
            isAsked = false
            guard case .success(.launching(.appList(let apps, _))) = result else { return }
            bundles = Dictionary(apps.map { ($0.bundle, $0.path) }, uniquingKeysWith: { first, _ in first })
            found = found.filter { bundles[$0.key] != nil }
            // Until they are read again, the earlier ones remain.
            begin(Set(found.keys).union(offered))
            if reading.isEmpty { changed() }
        }
    }

    // MARK: Reading

    /// Calls `then` once the icons of these offers are known, or `patience` has passed. The latest call replaces those
    /// before it.
    func prepare(_ offers: [ListedActivity], then: @escaping () -> Void) {
        self.offers = offers.filter { !$0.isFromThisDevice }
        offered = Set(offers.compactMap { if case .app(let bundle) = $0.target { bundle } else { nil } })
        if !isAsked, offered.contains(where: { bundles[$0] == nil }) { reload() }
        begin(offered.filter { found[$0] == nil })
        waiting = nil
        guard isReading else {
            compose()
            return then()
        }
        waiting = (then, loop.after(patience) { [unowned self] in goOn() })
    }

    private var isReading: Bool { offered.contains { found[$0] == nil && reading[$0] != nil } }

    private func goOn() {
        let due = waiting?.then
        waiting = nil
        due?()
    }

    private func begin(_ apps: Set<BundleID>) {
        let new = bundles.filter { apps.contains($0.key) && reading[$0.key] != $0.value }
        guard !new.isEmpty else { return }
        reading.merge(new) { $1 }
        let hasBegun = loop.runOnThread(
            { [read] in new.mapValues(read) }, then: { [weak self] in self?.ended(new, $0) })
        if !hasBegun { ended(new, new.mapValues { _ in nil }) }
    }

    private func ended(_ paths: [BundleID: String], _ icons: [BundleID: AppIcon?]) {
        for (bundle, path) in paths where reading[bundle] == path {
            reading[bundle] = nil
            if let icon = icons[bundle] { found[bundle] = .some(icon) }
        }
        if !isReading {
            compose()
            goOn()
        }
        changed()
    }

    private func compose() {
        composed?.want(
            offers.flatMap { offer in
                [ComposedIcons.size, ComposedIcons.menuSize].compactMap { drawing(offer, size: $0) }
            })
    }

    // MARK: Icons

    /// A `file:` URL or an icon name.
    func icon(of activity: ListedActivity) -> String { activity.icon { found[$0]??.name } }

    func icon(ofApp app: BundleID) -> String { found[app]??.name ?? ListedActivity.handoffIcon }

    func want(_ apps: Set<BundleID>) { begin(apps.filter { found[$0] == nil }) }

    /// With the emblem of the device's kind. Nil until it is drawn.
    func composed(of activity: ListedActivity, size: Int = ComposedIcons.size) -> DrawnIcon? {
        guard let composed, let drawing = drawing(activity, size: size) else { return nil }
        return composed[drawing]
    }

    private func drawing(_ activity: ListedActivity, size: Int) -> IconDrawing? {
        activity.drawing(size: size) { found[$0] ?? nil }
    }

    func picture(of activity: ListedActivity) -> AppPicture { activity.picture { found[$0]??.picture } }
}
