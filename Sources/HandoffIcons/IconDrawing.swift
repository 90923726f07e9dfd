// SPDX-License-Identifier: Apache-2.0

package import HandoffSystem
internal import HandoffWire

/// A request to `handoff-desktop --draw-icons`: an icon, and perhaps an emblem on its lower right corner.
package struct IconDrawing: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// The desktop's theme has it.
        case name(String)
        /// An SVG or PNG file. `stamp`: a changed file is another icon.
        case file(String, FileStamp?)
    }

    package static let requestBytes = 8 * 1024
    /// Pixels.
    package static let sizes = 16...128
    /// Up to this size, the emblem is larger in proportion, so that it can be recognized in menus.
    package static let smallSize = 32

    package let source: Source
    /// Icon name.
    package let emblem: String?
    package let size: Int

    package init(_ source: Source, emblem: String?, size: Int) {
        self.source = source
        self.emblem = emblem
        self.size = size
    }

    /// One byte each for the kind of source and the size, two for the length of the source, then source and emblem.
    /// Nil if it does not fit.
    package var framed: [UInt8]? {
        let (kind, text): (UInt8, String) =
            switch source {
            case .name(let name): (0, name)
            case .file(let path, _): (1, path)
            }
        let count = text.utf8.count
        guard Self.sizes.contains(size), count <= Self.requestBytes else { return nil }
        let head = [kind, UInt8(size), UInt8(count >> 8), UInt8(count & 255)]
        return try? FrameHeader.framed(
            head + Array(text.utf8) + Array((emblem ?? "").utf8), limit: Self.requestBytes)
    }

    /// Nil: not a request.
    package init?(_ body: [UInt8]) {
        guard body.count >= 4, body.count <= Self.requestBytes, Self.sizes.contains(Int(body[1])) else { return nil }
        let end = 4 + Int(body[2]) << 8 + Int(body[3])
        guard end > 4, end <= body.count, let text = String(validating: body[4..<end], as: UTF8.self),
            let emblem = String(validating: body[end...], as: UTF8.self)
        else { return nil }
        switch body[0] {
        case 0: source = .name(text)
        case 1: source = .file(text, nil)
        default: return nil
        }
        self.emblem = emblem.isEmpty ? nil : emblem
        size = Int(body[1])
    }
}

package struct DrawnIcon: Hashable, Sendable {
    /// The first frame of the answers: it has a display. The number changes with the form of the messages.
    package static let ready: [UInt8] = [1]
    /// Answers a request that cannot be drawn.
    package static let nothing: [UInt8] = [0]

    /// Rows from the top; red, green, blue and alpha, a byte each, not premultiplied.
    package let pixels: [UInt8]
    package let png: [UInt8]
    package let size: Int

    package init(size: Int, pixels: [UInt8], png: [UInt8]) {
        self.size = size
        self.pixels = pixels
        self.png = png
    }

    /// A PNG picture may be a little larger than its pixels.
    package static func frameBytes(size: Int) -> Int { 2 * pixelBytes(size) + 1024 }

    private static func pixelBytes(_ size: Int) -> Int { 4 * size * size }

    /// Nil if it does not fit.
    package var framed: [UInt8]? {
        try? FrameHeader.framed(pixels + png, limit: Self.frameBytes(size: size))
    }

    /// Nil if it has another size or form: a process that decodes foreign files may answer anything.
    package init?(_ body: [UInt8], size: Int) {
        let count = Self.pixelBytes(size)
        guard body.count > count, body.count <= Self.frameBytes(size: size),
            body[count...].starts(with: PictureFormat.pngSignature)
        else { return nil }
        self.init(size: size, pixels: Array(body[..<count]), png: Array(body[count...]))
    }
}
