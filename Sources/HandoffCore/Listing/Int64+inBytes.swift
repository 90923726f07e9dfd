// SPDX-License-Identifier: Apache-2.0

extension Int64 {
    /// `812 B`, `4.2 MB`, `1.1 GB`
    package var inBytes: String {
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        var value = Double(self)
        var unit = 0
        // Values that would round to 1000 use the next unit.
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        guard unit > 0, value < 99.95 else { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
