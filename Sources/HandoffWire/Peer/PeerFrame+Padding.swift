// SPDX-License-Identifier: Apache-2.0

extension PeerFrame {
    /// Pads messages about a board to a multiple of `Limits.boardFrameStep`. An observer sees only that something
    /// changed: locking a screen looks like turning a page.
    package func padded(within limit: Int = Limits.frameBytes) -> PeerFrame {
        guard case .advertising = message, padding == 0, let length = try? encoded().count else { return self }
        let step = Limits.boardFrameStep
        var room = (step - length % step) % step
        guard room > 0 else { return self }
        // No padding field takes exactly 1, 2 or 130 bytes.
        if Self.padding(filling: room) == nil { room += step }
        guard length + room <= limit, let bytes = Self.padding(filling: room) else { return self }
        var frame = self
        frame.padding = bytes
        return frame
    }

    /// Nil if no padding field takes this many bytes with its header.
    private static func padding(filling bytes: Int) -> Int? {
        let withShortLength = bytes - 2
        if (1...127).contains(withShortLength) { return withShortLength }
        let withLongLength = bytes - 3
        return withLongLength >= 128 ? withLongLength : nil
    }
}
