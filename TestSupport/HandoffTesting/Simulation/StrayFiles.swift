// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension ActivityState {
    /// Files without a placed document. A program must never get them from another device.
    package func strayFiles(besides documents: [DeliveredDocument]) -> [String] {
        let placed = Set(documents.filter { $0.path != nil }.map(\.url))
        var found: [String] = []
        for encoded in [userInfo, contentAttributes] where !encoded.isEmpty {
            guard let root = try? Value(encoded: encoded) else {
                found.append("bytes that are not a value")
                continue
            }
            root.visit { value in
                switch value {
                case .document(let index): found.append("document \(index)")
                case .url(let text) where value.isFileURL && !placed.contains(text.text): found.append(text.text)
                default: break
                }
            }
        }
        for text in [webpageURL, referrerURL].compactMap(\.self) where FileURL.mayBeOne(text) { found.append(text) }
        return found
    }
}
