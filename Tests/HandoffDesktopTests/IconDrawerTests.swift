// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffIcons
import Testing

/// Programs that do not answer as the drawing program does: it decodes files of any app, so it may say anything.
// Shows L17.
@Suite(.timeLimit(.minutes(1))) struct IconDrawerTests {
    private static let ready = #"printf '\0\0\0\1\1'; "#
    private let drawing = IconDrawing(.name("web-browser"), emblem: nil, size: 16)

    /// As handoff-bus does.
    init() { signal(SIGPIPE, SIG_IGN) }

    /// `script`: of a shell.
    private func answer(_ script: String, _ change: (inout IconDrawer.Limits) -> Void = { _ in }) -> Answer {
        var limits = IconDrawer.Limits()
        change(&limits)
        let drawer = IconDrawer(limits: limits) {
            IconDrawer.Program(command: ["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        }
        return drawer.draw([drawing])
    }

    private typealias Answer = [IconDrawing: DrawnIcon?]?

    /// Nothing is known about the icon.
    @Test(arguments: ["exit 1", "printf wrong", #"printf '\0\0\0\1\2'"#])
    func programThatCannotDrawDrawsNothing(script: String) { #expect(answer(script) == nil) }

    @Test func programThatDoesNotStartIsKilled() {
        #expect(answer("exec sleep 600", { $0.startTime = .milliseconds(50) }) == nil)
    }

    @Test func drawingThatNeverEndsIsKilled() {
        let answer = answer(Self.ready + "exec sleep 600", { $0.drawingTime = .milliseconds(50) })
        #expect(answer == [drawing: nil])
    }

    /// An empty frame, a frame that is too long, one that is no picture, and a cut one.
    @Test(arguments: [#"\0\0\0\0"#, #"\0\1\0\0"#, #"\0\0\0\3abc"#, #"\0\0\0\3ab"#])
    func invalidPictureIsDropped(answer: String) {
        #expect(self.answer(Self.ready + "head -c 1 > /dev/null; printf '\(answer)'") == [drawing: nil])
    }

    @Test func missingProgramDrawsNothing() {
        let missing = IconDrawer { IconDrawer.Program(command: ["/nonexistent"], environment: [:]) }
        #expect(missing.draw([drawing]) == nil)
        #expect(IconDrawer { nil }.draw([drawing]) == nil)
    }

    @Test func numberOfProcessesIsLimited() throws {
        let drawings = (0..<10).map { IconDrawing(.name("\($0)"), emblem: nil, size: 16) }
        let drawer = IconDrawer {
            IconDrawer.Program(command: ["/bin/sh", "-c", Self.ready], environment: ["PATH": "/usr/bin:/bin"])
        }
        // Each process ends at one icon. The others may be tried again.
        let results = try #require(drawer.draw(drawings))
        #expect(results.count == IconDrawer.Limits().processes)
    }

    @Test func requestsAndPicturesAreReadAsTheyWereWritten() throws {
        for source in [IconDrawing.Source.name("größe"), .file("/a/b c.svg", nil)] {
            for emblem in [nil, "org.handoff.Handoff.laptop-emblem"] {
                let drawing = IconDrawing(source, emblem: emblem, size: 64)
                let frame = try #require(drawing.framed)
                #expect(IconDrawing(Array(frame.dropFirst(4))) == drawing)
            }
        }
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
        let icon = DrawnIcon(size: 2, pixels: Array(0..<16), png: png)
        #expect(DrawnIcon(Array(try #require(icon.framed).dropFirst(4)), size: 2) == icon)
        #expect(DrawnIcon(Array(0..<16), size: 2) == nil)
        #expect(DrawnIcon(Array(repeating: 0, count: 32), size: 2) == nil)
    }

    @Test(
        arguments: [[], [0, 64], [0, 64, 0, 0], [0, 64, 0, 2, 65], [2, 64, 0, 1, 65], [0, 8, 0, 1, 65]] as [[UInt8]])
    func malformedRequestIsRejected(body: [UInt8]) { #expect(IconDrawing(body) == nil) }

    @Test func requestsAreLimited() {
        let long = String(repeating: "a", count: IconDrawing.requestBytes)
        #expect(IconDrawing(.name(long), emblem: nil, size: 64).framed == nil)
        #expect(IconDrawing(.name("a"), emblem: nil, size: IconDrawing.sizes.upperBound + 1).framed == nil)
        let most = DrawnIcon.frameBytes(size: 64)
        #expect(DrawnIcon(size: 64, pixels: [], png: Array(repeating: 0, count: most)).framed != nil)
        #expect(DrawnIcon(size: 64, pixels: [], png: Array(repeating: 0, count: most + 1)).framed == nil)
    }
}
