// SPDX-License-Identifier: Apache-2.0

import HandoffCore

@testable import HandoffDaemon

// Tests write clients as numbers or words.
extension ClientID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: UInt64) { self.init(number) }
}

extension ClientID: ExpressibleByStringLiteral {
    public init(stringLiteral word: String) { self.init(word.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }) }
}
