// SPDX-License-Identifier: Apache-2.0

internal import HandoffIcons
internal import HandoffWire

extension FuzzedParser {
    /// The messages of the process that draws icons, and the files that it decodes.
    static let icons = [iconDrawing, drawnIcon, pictureFormat]

    private static let iconDrawing = FuzzedParser("icon-drawing") { bytes in
        guard let drawing = IconDrawing(bytes) else { return .refused }
        try promise(IconDrawing.sizes.contains(drawing.size), "a size: \(drawing.size)")
        guard let frame = drawing.framed else { throw BrokenPromise("it cannot be written: \(drawing)") }
        try promise(Array(frame.dropFirst(FrameHeader.byteCount)) == bytes, "it was written in another form")
        return .taken
    }

    /// The first byte selects the size.
    private static let drawnIcon = FuzzedParser("drawn-icon") { bytes in
        let size = Int(bytes.first ?? 0)
        guard let icon = DrawnIcon(Array(bytes.dropFirst()), size: size) else { return .refused }
        try promise(icon.pixels.count == 4 * size * size, "\(icon.pixels.count) bytes of pixels")
        try promise(PictureFormat(icon.png) == .png, "a picture of another format")
        guard let frame = icon.framed else { throw BrokenPromise("it cannot be written") }
        try promise(frame.dropFirst(FrameHeader.byteCount) == bytes.dropFirst(), "it was written in another form")
        return .taken
    }

    private static let pictureFormat = FuzzedParser("picture-format") { bytes in
        PictureFormat(bytes) == nil ? .refused : .taken
    }
}
