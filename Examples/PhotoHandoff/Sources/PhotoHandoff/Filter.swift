// SPDX-License-Identifier: Apache-2.0

/// The settings of the filter, small enough for the payload. Each is between -100 and 100; 0 changes nothing.
struct Filter: Codable, Hashable, Sendable {
    var brightness = 0
    var contrast = 0
    var saturation = 0

    static let range = -100...100

    /// Values from another device are checked before use.
    var isSensible: Bool { [brightness, contrast, saturation].allSatisfy(Self.range.contains) }

    var words: String { "brightness \(brightness), contrast \(contrast), saturation \(saturation)" }

    func applied(to picture: Picture) -> Picture {
        guard self != Filter() else { return picture }
        // In units of 1/256, because integer arithmetic is fast.
        let contrast = Self.factor(contrast), saturation = Self.factor(saturation)
        let brightness = brightness * 128 / 100
        func clamped(_ value: Int) -> UInt8 { UInt8(min(255, max(0, value))) }
        var result = picture
        result.samples.withUnsafeMutableBufferPointer { samples in
            for pixel in stride(from: 0, to: samples.count, by: 3) {
                let (red, green, blue) = (Int(samples[pixel]), Int(samples[pixel + 1]), Int(samples[pixel + 2]))
                let gray = (red * 77 + green * 151 + blue * 28) >> 8
                for (offset, value) in [red, green, blue].enumerated() {
                    let colored = gray + ((value - gray) * saturation) >> 8
                    samples[pixel + offset] = clamped(((colored - 128) * contrast) >> 8 + 128 + brightness)
                }
            }
        }
        return result
    }

    /// The factor: 0 for -100, three for 100.
    private static func factor(_ setting: Int) -> Int { 256 + setting * (setting < 0 ? 256 : 512) / 100 }
}
