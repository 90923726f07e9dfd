// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The icon that a bundle or a desktop entry names.
package struct AppIconFiles: Sendable {
    private static let formats = [".svg", ".png"]
    /// The files may be on an unresponsive mount.
    package static let patience = Duration.seconds(1)

    private let files = FileQuestions(patience: patience)

    package init() {}

    /// A `file:` URL or an icon name. `path`: a bundle or a `.desktop` file. Nil without a suitable icon, or without an
    /// answer in time.
    package func icon(at path: String) -> String? {
        files.answer(about: path) { _ in
            path.hasSuffix(".desktop") ? Self.icon(inEntry: path) : Self.iconFile(in: path).flatMap(Self.url)
        }.flatMap { $0 }
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
