// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A colour picture, read from Netpbm files: P2, P3, P5 and P6, of any depth.
struct Picture: Hashable, Sendable {
    enum Unreadable: Error {
        case notAPicture
        /// Fewer pixels than the header states.
        case incomplete
        case tooLarge
    }

    /// Pixels.
    static let limit = 32 * 1024 * 1024

    let width: Int
    let height: Int
    /// Red, green and blue of each pixel, row by row.
    var samples: [UInt8]

    init(width: Int, height: Int, samples: [UInt8]) {
        precondition(samples.count == width * height * 3)
        (self.width, self.height, self.samples) = (width, height, samples)
    }

    /// Checks everything, because the file may be from another device.
    init(pnm data: Data) throws {
        var reader = PNMReader(data)
        let kind = try reader.kind()
        let width = try reader.number(), height = try reader.number(), most = try reader.number()
        guard width > 0, height > 0, (1...65535).contains(most) else { throw Unreadable.notAPicture }
        let pixels = width.multipliedReportingOverflow(by: height)
        guard !pixels.overflow, pixels.partialValue <= Self.limit else { throw Unreadable.tooLarge }
        let values = try reader.samples(pixels.partialValue * (kind.isGray ? 1 : 3), isText: kind.isText, most: most)
        (self.width, self.height) = (width, height)
        samples = kind.isGray ? values.flatMap { [$0, $0, $0] } : values
    }

    /// Encoded as P6.
    var ppm: Data { Data("P6\n\(width) \(height)\n255\n".utf8) + Data(samples) }

    /// Reduced to at most this size by leaving out pixels.
    func reduced(width most: Int, height highest: Int) -> Picture {
        let step = max((width + most - 1) / most, (height + highest - 1) / highest, 1)
        let columns = stride(from: 0, to: width, by: step), rows = stride(from: 0, to: height, by: step)
        var kept: [UInt8] = []
        for row in rows {
            for column in columns {
                let index = (row * width + column) * 3
                kept += samples[index..<index + 3]
            }
        }
        return Picture(width: Array(columns).count, height: Array(rows).count, samples: kept)
    }

    /// Text for a colour terminal, two rows of pixels in each line.
    var inBlocks: String {
        func color(_ column: Int, _ row: Int) -> String {
            let index = (row * width + column) * 3
            return samples[index..<index + 3].map { "\($0)" }.joined(separator: ";")
        }
        return stride(from: 0, to: height, by: 2).map { row in
            (0..<width).map { column in
                let below = row + 1 < height ? "\u{1B}[48;2;\(color(column, row + 1))m" : ""
                return "\u{1B}[38;2;\(color(column, row))m\(below)\u{2580}"
            }
            .joined() + "\u{1B}[0m"
        }
        .joined(separator: "\n")
    }

    /// A sample that needs no file.
    static var sample: Picture {
        let (width, height) = (320, 200)
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * 3)
        for row in 0..<height {
            for column in 0..<width {
                let hill = 120 + Int(30 * sin(Double(column) / 40)) < row
                let sun = (column - 250) * (column - 250) + (row - 50) * (row - 50) < 900
                samples +=
                    hill ? [40, UInt8(200 - row / 2), 60] : sun ? [250, 200, 60] : [UInt8(90 + row / 2), 170, 230]
            }
        }
        return Picture(width: width, height: height, samples: samples)
    }
}

/// The numbers of a Netpbm file, one after the other.
private struct PNMReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ data: Data) { bytes = Array(data) }

    mutating func kind() throws -> (isGray: Bool, isText: Bool) {
        guard bytes.count > 2, bytes[0] == UInt8(ascii: "P") else { throw Picture.Unreadable.notAPicture }
        index = 2
        switch bytes[1] {
        case UInt8(ascii: "2"): return (true, true)
        case UInt8(ascii: "3"): return (false, true)
        case UInt8(ascii: "5"): return (true, false)
        case UInt8(ascii: "6"): return (false, false)
        default: throw Picture.Unreadable.notAPicture
        }
    }

    /// Skips blanks and comments, then reads digits.
    mutating func number() throws -> Int {
        while index < bytes.count, let next = bytes[index] as UInt8? {
            if next == UInt8(ascii: "#") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            } else if !Self.isBlank(next) {
                break
            }
            index += 1
        }
        let start = index
        var value = 0
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
            value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            guard value <= Picture.limit else { throw Picture.Unreadable.tooLarge }
            index += 1
        }
        guard index > start else { throw Picture.Unreadable.incomplete }
        return value
    }

    /// The samples, scaled to 0...255.
    mutating func samples(_ count: Int, isText: Bool, most: Int) throws -> [UInt8] {
        if isText {
            // Each needs at least a digit and a blank: reserves no memory for pixels that cannot be there.
            guard bytes.count - index >= count else { throw Picture.Unreadable.incomplete }
            return try (0..<count).map { _ in Self.sample(try number(), most) }
        }
        // Exactly one blank ends the header.
        guard index < bytes.count, Self.isBlank(bytes[index]) else { throw Picture.Unreadable.notAPicture }
        let start = index + 1
        let width = most > 255 ? 2 : 1
        guard bytes.count - start >= count * width else { throw Picture.Unreadable.incomplete }
        if most == 255 { return Array(bytes[start..<start + count]) }
        return (0..<count).map { number in
            let place = start + number * width
            return Self.sample(width == 1 ? Int(bytes[place]) : Int(bytes[place]) << 8 | Int(bytes[place + 1]), most)
        }
    }

    private static func sample(_ value: Int, _ most: Int) -> UInt8 {
        UInt8((min(value, most) * 255 + most / 2) / most)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
