// SPDX-License-Identifier: Apache-2.0

extension PeerFrame {
    /// As it is to be sent. What is said of a board fills up its last `Limits.boardFrameStep` bytes: whoever watches the cable
    /// sees that something changed, and neither what nor, for a handful of activities, of how many. A screen that is locked
    /// looks like a page that is turned.
    package func padded(within limit: Int = Limits.frameBytes) -> PeerFrame {
        guard case .advertising = message, padding == 0, let length = try? encoded().count else { return self }
        let step = Limits.boardFrameStep
        var room = (step - length % step) % step
        guard room > 0 else { return self }
        // There is no field of 1, 2 or 130 bytes with anything in it.
        if Self.padding(filling: room) == nil { room += step }
        guard length + room <= limit, let bytes = Self.padding(filling: room) else { return self }
        var frame = self
        frame.padding = bytes
        return frame
    }

    /// What is in a field that takes so many bytes, with its number and its length.
    private static func padding(filling bytes: Int) -> Int? {
        let withShortLength = bytes - 2
        if (1...127).contains(withShortLength) { return withShortLength }
        let withLongLength = bytes - 3
        return withLongLength >= 128 ? withLongLength : nil
    }
}
