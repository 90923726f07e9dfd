// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The longest beginning of whole characters that fits.
    func fitting(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var room = limit
        let kept = prefix { character in
            room -= character.utf8.count
            return room >= 0
        }
        return String(kept)
    }
}
