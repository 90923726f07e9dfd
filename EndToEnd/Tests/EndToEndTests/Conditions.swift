// SPDX-License-Identifier: Apache-2.0

import RealDevices
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests with network namespaces.
    static var needsNamespaces: Self { .enabled(if: Network.missing == nil, "\(Network.missing ?? "")") }
}

extension Transcript {
    func count(starting prefix: String) -> Int { lines.count { $0.hasPrefix(prefix) } }
    func count(containing text: String) -> Int { lines.count { $0.contains(text) } }
}
