// SPDX-License-Identifier: Apache-2.0

internal import HandoffBrowserHost
internal import HandoffWire

extension FuzzedParser {
    /// Messages of a browser's extension, and their addresses.
    static let browser = [nativeFrames, browserMessage, pageAddress]

    /// Bytes of the pipe. The first selects the size of pieces, which must not matter.
    private static let nativeFrames = FuzzedParser("native-frames") { bytes in
        let size = Int(bytes.first ?? 0) + 1
        let stream = Array(bytes.dropFirst())
        let atOnce = NativeFrames(stream, inPiecesOf: max(stream.count, 1))
        let inPieces = NativeFrames(stream, inPiecesOf: size)
        try promise(atOnce == inPieces, "cut into pieces of \(size) bytes: \(inPieces); at once: \(atOnce)")
        try promise(atOnce.bodies.allSatisfy { $0.count <= NativeFrames.limit }, "a message over the limit")
        for body in atOnce.bodies { _ = try? BrowserMessage(json: body) }
        return atOnce.error == nil && !atOnce.bodies.isEmpty ? .taken : .refused
    }

    private struct NativeFrames: Equatable {
        static let limit = 512
        var bodies: [[UInt8]] = []
        var error: NativeFrameError?
        var pending = 0

        init(_ stream: [UInt8], inPiecesOf size: Int) {
            var reader = NativeFrameReader(limit: Self.limit)
            do throws(NativeFrameError) {
                for start in stride(from: 0, to: stream.count, by: size) {
                    reader.append(stream[start..<min(start + size, stream.count)])
                    while let body = try reader.next() { bodies.append(body) }
                }
                pending = reader.pendingBytes
            } catch {
                self.error = error
            }
        }
    }

    private static let browserMessage = FuzzedParser("browser-message") { bytes in
        try roundTrip(bytes, parse: { try BrowserMessage(json: $0) }, write: { try $0.json() })
    }

    /// Sent to another device, and given to its browser.
    private static let pageAddress = FuzzedParser("page-address") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard let page = PageAddress(text) else { return .refused }
        try promise(WebPageURL.isAllowed(page.url) && page.url == text, "an address: \(text)")
        try promise(!text.utf8.contains { $0 <= 0x20 || $0 == 0x7F || $0 == 0x5C }, "an address with \(text)")
        let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
        try promise(!authority.contains("@"), "an address with a user: \(text)")
        return .taken
    }
}
