// SPDX-License-Identifier: Apache-2.0

import HandoffClient
internal import HandoffIcons
import HandoffWire

/// Waits for an app's files at most `AppIconFiles.patience`, once for each app.
final class AppIcons: DesktopFeature {
    private let daemon: DaemonClient
    private let files = AppIconFiles()
    private var bundles: [BundleID: String] = [:]
    /// Nil: no suitable icon.
    private var found: [BundleID: String?] = [:]
    private var pictures: [BundleID: AppPicture?] = [:]
    private var isAsked = false
    /// Icons may differ.
    var changed: () -> Void = {}

    init(_ daemon: DaemonClient) { self.daemon = daemon }

    func daemonConnected(_ welcome: Welcome) { reload() }

    private func reload() {
        isAsked = true
        daemon.request(.launching(.listApps)) { [weak self] result in
            guard let self else { return }
            isAsked = false
            guard case .success(.launching(.appList(let apps, _))) = result else { return }
            bundles = Dictionary(apps.map { ($0.bundle, $0.path) }, uniquingKeysWith: { first, _ in first })
            (found, pictures) = ([:], [:])
            changed()
        }
    }

    func offersChanged(_ offers: [ListedActivity]) {
        guard !isAsked else { return }
        let isNew = offers.contains { if case .app(let bundle) = $0.target { bundles[bundle] == nil } else { false } }
        if isNew { reload() }
    }

    /// A `file:` URL or an icon name.
    func icon(of activity: ListedActivity) -> String {
        activity.icon { [files] bundle in once(for: bundle, in: \.found, files.icon) }
    }

    func picture(of activity: ListedActivity) -> AppPicture {
        activity.picture { [files] bundle in once(for: bundle, in: \.pictures, files.picture) }
    }

    private func once<Icon>(
        for bundle: BundleID, in found: ReferenceWritableKeyPath<AppIcons, [BundleID: Icon?]>,
        _ read: (String) -> Icon?
    ) -> Icon? {
        if let known = self[keyPath: found][bundle] { return known }
        guard let path = bundles[bundle] else { return nil }
        let icon = read(path)
        self[keyPath: found][bundle] = .some(icon)
        return icon
    }
}
