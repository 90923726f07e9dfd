// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PhotoHandoff

@Suite struct PictureTests {
    @Test func everyKindOfFileIsReadAsTheSamePicture() throws {
        let colours: [UInt8] = [255, 0, 0, 0, 255, 0]
        let files: [Data] = [
            Data("P6\n2 1\n255\n".utf8) + Data(colours),
            Data("P3 # in words\n2 1 255\n255 0 0  0 255 0\n".utf8),
            Data("P6 2 1 65535 ".utf8) + Data(colours.flatMap { [$0, $0] }),
            Data("P3 2 1 1 1 0 0 0 1 0".utf8),
        ]
        for file in files { #expect(try Picture(pnm: file) == Picture(width: 2, height: 1, samples: colours)) }
        let gray = Picture(width: 2, height: 1, samples: [0, 0, 0, 255, 255, 255])
        #expect(try Picture(pnm: Data("P5 2 1 255 ".utf8) + Data([0, 255])) == gray)
        #expect(try Picture(pnm: Data("P2 2 1 15 0 15".utf8)) == gray)
        #expect(try Picture(pnm: Picture.sample.ppm) == .sample)
    }

    @Test func unreadablePictureIsAnError() {
        let files = [
            "", "P", "P6", "P7 1 1 255 x", "GIF89a", "P6 0 1 255 ", "P6 1 1 0 ", "P6 1 1 65536 ", "P6 2 2 255 abc",
            "P6 -1 1 255 abc", "P6 1 1 255", "P3 1 1 255 1 2", "P5 99999999999999999999 1 255 ",
            "P6 30000000 30000000 255 abc", "P3 30000 1000 255 1", "P6 # a remark without an end",
        ]
        for file in files { #expect(throws: Picture.Unreadable.self) { try Picture(pnm: Data(file.utf8)) } }
    }

    @Test func aFilterAtZeroChangesNothing() {
        #expect(Filter().applied(to: .sample) == .sample)
    }

    @Test func eachSettingDoesWhatItSays() {
        let picture = Picture(width: 2, height: 1, samples: [200, 100, 50, 60, 60, 60])
        #expect(Filter(brightness: 100).applied(to: picture).samples == [255, 228, 178, 188, 188, 188])
        #expect(Filter(brightness: -100).applied(to: picture).samples == [72, 0, 0, 0, 0, 0])
        #expect(Filter(contrast: -100).applied(to: picture).samples == [128, 128, 128, 128, 128, 128])
        let gray = Filter(saturation: -100).applied(to: picture).samples
        #expect(Set(gray.prefix(3)).count == 1 && gray.suffix(3) == [60, 60, 60])
        let vivid = Filter(saturation: 50).applied(to: picture).samples
        #expect(vivid[0] > 200 && vivid[2] < 50)
    }

    @Test func aPreviewFitsAndKeepsItsShape() {
        let small = Picture.sample.reduced(width: 64, height: 48)
        #expect(small.width == 64 && small.height == 40)
        #expect(small.inBlocks.split(separator: "\n").count == 20)
    }
}
