// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension DocumentProgress {
    /// Shorter silences are not shown.
    private static let silence: UInt32 = 2

    func line(columns: Int) -> String {
        switch step {
        case .looking: "looking at \(name)".fitted(to: columns)
        case .askingApp: "waiting for the app here to save \(name)".fitted(to: columns)
        case .receiving where secondsSilent >= Self.silence:
            "receiving \(name)  \(Int64(clamping: bytes).inBytes)  the other device is silent for \(secondsSilent) s"
                .fitted(to: columns)
        case .receiving:
            TransferMeter.line(
                "receiving \(name)", Int64(clamping: bytes), of: total.map { Int64(clamping: $0) },
                rate: bytesPerSecond.map { Double($0) }, columns: columns)
        case .placing: "putting \(name) in place".fitted(to: columns)
        }
    }
}
