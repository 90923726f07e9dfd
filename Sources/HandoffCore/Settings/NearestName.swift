// SPDX-License-Identifier: Apache-2.0

package enum NearestName {
    /// The maximum length of a word in characters. A comparison takes time proportional to the product of both lengths.
    static let longest = 64

    /// Allows one typing error per three characters. Nil if no name is close.
    package static func to(_ word: String, in names: [String]) -> String? {
        let letters = Array(word.prefix(longest + 1))
        guard letters.count <= longest else { return nil }
        return names.map { (name: $0, slips: slips(letters, Array($0))) }
            .filter { $0.slips * 3 <= max($0.name.count, letters.count) }
            .min { $0.slips < $1.slips }?.name
    }

    /// The number of missing, extra, wrong or transposed characters.
    static func slips(_ word: [Character], _ name: [Character]) -> Int {
        var before = [Int](), row = Array(0...name.count)
        for i in word.indices {
            var next = [i + 1]
            for j in name.indices {
                let isSame = word[i] == name[j]
                var least = min(row[j] + (isSame ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, word[i] == name[j - 1], word[i - 1] == name[j] {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[name.count]
    }
}
