// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Rounded up, so that a wait does not spin just before its deadline. Never infinite.
    package var pollMilliseconds: CInt {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return CInt(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
