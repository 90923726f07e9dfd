// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

package struct AppIconFiles: Sendable {
    private static let formats = [".svg", ".png"]
    /// The files may be on an unresponsive mount.
    package static let patience = Duration.seconds(1)
    /// An icon of 512 pixels has less.
    package static let pictureBytes = 1024 * 1024

    private let files = FileQuestions(patience: patience)
    private let pictureBytes: Int

    /// Instead of a larger picture, there is Handoff's icon.
    package init(pictureBytes: Int = AppIconFiles.pictureBytes) { self.pictureBytes = pictureBytes }

    /// Waits up to `patience`. `path`: a bundle or a `.desktop` file. Nil also without an answer in time.
    package func icon(at path: String) -> AppIcon? {
        files.answer(about: path) { [pictureBytes] _ in
            switch Self.found(at: path) {
            case .name(let name)?: AppIcon(name: name, picture: .name(name))
            case .file(let file)?:
                Self.url(file).map { url in
                    let bytes = try? UserFile(path: file).read(limit: pictureBytes)
                    return AppIcon(
                        name: url, picture: bytes.map(AppPicture.bytes) ?? .name(ListedActivity.handoffIcon),
                        source: .file(file, FileStamp(path: file)))
                }
            case nil: nil
            }
        }.flatMap { $0 }
    }

    private enum Found {
        case name(String)
        case file(String)
    }

    private static func found(at path: String) -> Found? {
        path.hasSuffix(".desktop") ? icon(inEntry: path) : iconFile(in: path).map(Found.file)
    }

    private static func url(_ path: String) -> String? { try? FileURL(AbsolutePath(path)).text }

    private static func icon(inEntry path: String) -> Found? {
        guard let bytes = try? UserFile(path: path).read(limit: DesktopEntry.fileBytes),
            let icon = try? DesktopEntry(bytes).text(.icon), !icon.isEmpty
        else { return nil }
        guard icon.hasPrefix("/") else { return icon.contains("/") ? nil : .name(icon) }
        return access(icon, R_OK) == 0 ? .file(icon) : nil
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

package struct AppIcon: Hashable, Sendable {
    /// A `file:` URL or an icon name.
    package let name: String
    package let picture: AppPicture
    package let source: IconDrawing.Source

    /// `source` nil: `name` is an icon name.
    package init(name: String, picture: AppPicture, source: IconDrawing.Source? = nil) {
        self.name = name
        self.picture = picture
        self.source = source ?? .name(name)
    }
}

package enum AppPicture: Hashable, Sendable {
    /// The desktop's theme has it.
    case name(String)
    /// An SVG or PNG file.
    case bytes([UInt8])
}
