// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// From the system's generator.
    static func fresh(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
