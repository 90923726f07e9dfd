// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffClient
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

final class AppIcons {
    private static let formats = [".svg", ".png"]
    /// The files may be on an unresponsive mount.
    private static let patience = Duration.seconds(1)

    private let daemon: DaemonClient
    private let files = FileQuestions(patience: AppIcons.patience)
    private var bundles: [BundleID: String] = [:]
    /// Nil: no suitable icon.
    private var found: [BundleID: String?] = [:]
    private var isAsked = false

    init(_ daemon: DaemonClient) { self.daemon = daemon }

    func reload() {
        isAsked = true
        daemon.request(.launching(.listApps)) { [weak self] result in
            guard let self else { return }
            isAsked = false
            guard case .success(.launching(.appList(let apps, _))) = result else { return }
            bundles = Dictionary(apps.map { ($0.bundle, $0.path) }, uniquingKeysWith: { first, _ in first })
            found = [:]
        }
    }

    func know(_ offers: [ListedActivity]) {
        guard !isAsked else { return }
        let isNew = offers.contains { if case .app(let bundle) = $0.target { bundles[bundle] == nil } else { false } }
        if isNew { reload() }
    }

    /// A `file:` URL or an icon name.
    func icon(of activity: ListedActivity) -> String {
        switch activity.target {
        case .app(let bundle): icon(of: bundle) ?? bundle.name
        case .webPage: "web-browser"
        case .script, .nothing: NoticeMessage.desktopEntry
        }
    }

    private func icon(of bundle: BundleID) -> String? {
        if let known = found[bundle] { return known }
        guard let path = bundles[bundle] else { return nil }
        let icon = files.answer(about: path) { _ in
            path.hasSuffix(".desktop") ? Self.icon(inEntry: path) : Self.iconFile(in: path).flatMap(Self.url)
        }.flatMap { $0 }
        found[bundle] = .some(icon)
        return icon
    }

    private static func url(_ path: String) -> String? { try? FileURL(AbsolutePath(path)).text }

    /// A name of the theme, or a file.
    private static func icon(inEntry path: String) -> String? {
        guard let bytes = try? UserFile(path: path).read(limit: DesktopEntry.fileBytes),
            let icon = try? DesktopEntry(bytes).text(.icon), !icon.isEmpty
        else { return nil }
        guard icon.hasPrefix("/") else { return icon.contains("/") ? nil : icon }
        return access(icon, R_OK) == 0 ? url(icon) : nil
    }

    /// In `Contents/Resources`, with or without its extension.
    private static func iconFile(in bundle: String) -> String? {
        let list = PropertyListFile(path: InfoPropertyList.path(inBundle: bundle))
        guard let name = try? list.decode(InfoPropertyList.self)?.iconFile, !name.isEmpty, !name.contains("/") else {
            return nil
        }
        let path = "\(bundle)/Contents/Resources/\(name)"
        let paths = formats.contains(where: name.hasSuffix) ? [path] : formats.map { path + $0 }
        return paths.first { access($0, R_OK) == 0 }
    }
}
