// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffIcons
import TestPrograms
import Testing

/// `handoff-desktop --draw-icons` on a virtual screen, as handoff-bus runs it.
// Shows L17.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: DrawingStage.hasScreen, "Scripts/setup test installs Xvfb"))
struct IconDrawingTests {
    private static let laptop = "org.handoff.Handoff.laptop-emblem"
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let white: [UInt8] = [255, 255, 255, 255]

    @Test(arguments: [nil, laptop]) func iconOfTheThemeIsDrawnWithItsEmblem(emblem: String?) async throws {
        let stage = try await DrawingStage()
        let icon = try #require(try await stage.draw(.name("red"), emblem: emblem))
        #expect(icon.pixels.count == 16_384, "64 * 64 pixels of 4 bytes")
        #expect(icon.pixel(8, 8) == Self.red)
        // The disc of the emblem fills the lower right quarter, and its corner shows the icon.
        #expect(icon.pixel(48, 35) == (emblem == nil ? Self.red : Self.white))
        #expect(icon.pixel(63, 63) == Self.red)
        #expect(icon.png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func emblemOfASmallIconIsLarger() async throws {
        let stage = try await DrawingStage()
        let icon = try #require(
            try await stage.draw(.name("red"), emblem: Self.laptop, size: IconDrawing.smallSize))
        #expect(icon.pixel(4, 4) == Self.red)
        #expect(icon.pixel(21, 13) == Self.white)
        #expect(icon.pixel(31, 4) == [0, 0, 0, 0])
    }

    @Test func pixelsAreNotPremultiplied() async throws {
        let stage = try await DrawingStage()
        let pixel = try #require(try await stage.draw(.name("half"), emblem: nil)).pixel(8, 8)
        #expect(pixel.prefix(3) == [255, 0, 0])
        #expect((127...128).contains(pixel[3]))
    }

    @Test func fileOfAnAppIsDrawnInTheMiddle() async throws {
        let stage = try await DrawingStage()
        let file = try stage.write(DrawingStage.drawing(width: 64, height: 32), to: "app.svg")
        let icon = try #require(try await stage.draw(.file(file, nil), emblem: Self.laptop))
        #expect(icon.pixel(8, 8) == [0, 0, 0, 0])
        #expect(icon.pixel(8, 32) == Self.red)
        #expect(icon.pixel(48, 35) == Self.white)
    }

    @Test func unknownNameIsHandoffsIcon() async throws {
        let stage = try await DrawingStage()
        let icon = try await stage.draw(.name("unknown"), emblem: Self.laptop)
        #expect(icon != nil)
        #expect(icon == (try await stage.draw(.name("org.handoff.Handoff"), emblem: Self.laptop)))
        // Without the emblem, the plain icon is as good.
        #expect(try await stage.draw(.name("red"), emblem: "unknown") == nil)
    }

    /// The plain icon remains, and other icons of the same list are drawn.
    @Test func unsuitableFilesAreNotDrawn() async throws {
        let stage = try await DrawingStage()
        let pipe = stage.folder + "/pipe.png"
        #expect(mkfifo(pipe, 0o600) == 0)
        let large = Array("<svg".utf8) + [UInt8](repeating: 32, count: AppIconFiles.pictureBytes)
        let files = [
            pipe, "/dev/zero", stage.folder, stage.folder + "/missing.svg", try await stage.hugePicture(),
            try stage.write("picture", to: "text.png"), try stage.write("<svg", to: "broken.svg"),
            try stage.write(String(decoding: large, as: UTF8.self), to: "large.svg"),
        ]
        let drawings = files.map { IconDrawing(.file($0, nil), emblem: Self.laptop, size: 64) }
        let red = IconDrawing(.name("red"), emblem: Self.laptop, size: 64)
        let results = try #require(await stage.draw(drawings + [red]))
        for drawing in drawings { #expect(results[drawing] == .some(nil), "\(drawing.source)") }
        #expect(results[red].flatMap { $0 } != nil)
    }

    @Test func withoutADisplayItExitsWithAnError() async throws {
        let program = try Program(
            [DrawingStage.program, "--draw-icons"], environment: ["PATH": "/usr/bin:/bin", "GTK_A11Y": "none"])
        #expect(await program.end() == EXIT_FAILURE)
        #expect(program.errors == "handoff-desktop: cannot draw icons: no display is available\n")
        #expect(program.output.isEmpty)
    }

    @Test func itEndsWithItsInput() async throws {
        let stage = try await DrawingStage()
        let program = try Program([DrawingStage.program, "--draw-icons"], environment: stage.environment)
        #expect(await program.end() == 0)
        #expect(program.output == "\0\0\0\u{1}\u{1}")
    }
}

extension DrawnIcon {
    fileprivate func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = 4 * (size * y + x)
        return Array(pixels[start..<start + 4])
    }
}
