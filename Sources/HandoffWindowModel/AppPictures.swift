// SPDX-License-Identifier: Apache-2.0

internal import HandoffIcons
internal import HandoffSystem
internal import HandoffWire

/// Read on a thread, because an app may be on an unresponsive mount.
@MainActor
final class AppPictures {
    var changed: @MainActor () -> Void = {}
    private let files = AppIconFiles()
    private let hop: @Sendable (@escaping @Sendable () -> Void) -> Void
    private var paths: [BundleID: String] = [:]
    private var found: [BundleID: AppPicture] = [:]

    /// `hop` runs closures on the main thread.
    init(hop: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.hop = hop }

    subscript(_ bundle: BundleID) -> AppPicture? { found[bundle] }

    func isKnown(_ bundle: BundleID) -> Bool { paths[bundle] != nil }

    func installed(_ apps: [AppSummary]) {
        let paths = Dictionary(apps.map { ($0.bundle, $0.path) }, uniquingKeysWith: { first, _ in first })
        let new = paths.filter { self.paths[$0.key] != $0.value }
        self.paths = paths
        guard !new.isEmpty else { return }
        // Without a thread, the apps have no icons until they change.
        _ = DetachedThread.begin { [files, hop, weak self] in
            let pictures = new.mapValues { files.icon(at: $0)?.picture }
            hop { MainActor.assumeIsolated { self?.read(pictures) } }
        }
    }

    private func read(_ pictures: [BundleID: AppPicture?]) {
        for (bundle, picture) in pictures { found[bundle] = picture }
        changed()
    }
}
