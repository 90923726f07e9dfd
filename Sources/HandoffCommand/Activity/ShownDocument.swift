// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

struct ShownDocument: Encodable {
    let name: String
    let fate: String
    let url: String
    let path: String?
    let keptCopy: String?
    let note: String?
    let line: String

    private enum CodingKeys: CodingKey { case name, fate, url, path, keptCopy, note }

    init(_ document: DeliveredDocument) {
        let path = document.path ?? (try? FileURL(document.url))?.path
        name = path.flatMap(\.name) ?? document.url
        fate = "\(document.fate)"
        url = document.url
        self.path = document.path?.text
        keptCopy = document.keptCopy?.text
        note = document.note
        guard !name.isEmpty else {
            line = note ?? document.fate.words
            return
        }
        var line = "\(name) \(document.fate.words)"
        if let copy = document.keptCopy.flatMap(\.name) { line += "; the version that was here is kept as \(copy)" }
        if let note { line += (document.fate == .copy ? ". " : ": ") + note }
        self.line = line
    }
}

extension AbsolutePath {
    /// Nil for the root folder.
    fileprivate var name: String? {
        bytes.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension DocumentFate {
    fileprivate var words: String {
        switch self {
        case .same: "was already here"
        case .created: "is here now"
        case .replaced: "replaced the older version here"
        case .newerHere: "is newer here and was not replaced"
        case .conflict: "was changed on both devices; the other device's version now has its name"
        case .copy: "came as a copy: changes stay here"
        case .pending: "is fetched when the app asks for it"
        case .notTakenAlong: "was not received"
        }
    }
}

extension DocumentProgress {
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
