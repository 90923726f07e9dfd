// SPDX-License-Identifier: Apache-2.0

/// By the content of a file. Apps have icons in these formats.
package enum PictureFormat: Hashable, Sendable {
    case png
    case svg

    package static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// After comments.
    private static let svgElement = Array("<svg".utf8)

    /// Nil: another format.
    package init?(_ bytes: [UInt8]) {
        if bytes.starts(with: Self.pngSignature) {
            self = .png
            return
        }
        let text = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(Self.byteOrderMark.count) : bytes[...]
        guard text.first == UInt8(ascii: "<"), Self.hasElement(text) else { return nil }
        self = .svg
    }

    private static func hasElement(_ text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { text[$0] == svgElement[0] && text[$0...].starts(with: svgElement) }
    }
}
