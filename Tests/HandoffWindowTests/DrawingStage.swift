// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffIcons
import TestPrograms
import Testing

/// A virtual screen, and a theme with Handoff's icons and a few squares.
final class DrawingStage {
    static let hasScreen = FileManager.default.isExecutableFile(atPath: "/usr/bin/Xvfb")
    static let program = Program.built + "/handoff-desktop"

    let folder = NSTemporaryDirectory() + "handoff-drawing-" + UUID().uuidString
    let environment: [String: String]
    private let screen: Program

    init() async throws {
        // As handoff-bus does.
        signal(SIGPIPE, SIG_IGN)
        screen = try Program(
            ["/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "64x64x24", "-nolisten", "tcp"],
            environment: ["PATH": "/usr/bin:/bin"])
        guard await screen.wait(until: { $0.output.hasSuffix("\n") }) else {
            throw Program.Silence(description: "Xvfb has no display: \(screen.errors)")
        }
        environment = [
            "DISPLAY": ":" + screen.output.trimmingCharacters(in: .whitespacesAndNewlines),
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_DATA_HOME": folder, "GTK_A11Y": "none",
        ]
        try FileManager.default.createDirectory(atPath: folder + "/icons", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.repository.appending(path: "Desktop/share/icons/hicolor"),
            to: URL(filePath: folder + "/icons/hicolor"))
        let apps = "icons/hicolor/scalable/apps"
        _ = try write(Self.drawing(width: 64, height: 64), to: apps + "/red.svg")
        _ = try write(Self.drawing(width: 64, height: 64, opacity: 0.5), to: apps + "/half.svg")
    }

    deinit {
        screen.send(SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Blocks no thread of the tests.
    func draw(_ drawings: [IconDrawing]) async -> [IconDrawing: DrawnIcon?]? {
        let program = IconDrawer.Program(command: [Self.program, "--draw-icons"], environment: environment)
        return await withCheckedContinuation { done in
            DispatchQueue.global().async { done.resume(returning: IconDrawer { program }.draw(drawings)) }
        }
    }

    func draw(_ source: IconDrawing.Source, emblem: String?, size: Int = 64) async throws -> DrawnIcon? {
        let drawing = IconDrawing(source, emblem: emblem, size: size)
        return try #require(await draw([drawing]))[drawing].flatMap { $0 }
    }

    // MARK: Pictures

    static func drawing(width: Int, height: Int, opacity: Double = 1) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)">
        <rect width="\(width)" height="\(height)" fill="#f00" fill-opacity="\(opacity)"/></svg>
        """
    }

    func write(_ content: String, to name: String) throws -> String {
        let path = folder + "/" + name
        try content.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// A small file with 576 million pixels.
    func hugePicture() async throws -> String {
        let path = folder + "/huge.png"
        let writer = """
            import struct, sys, zlib
            side = 24000
            def part(name, data):
                return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            rows = zlib.compress(bytes((1 + side // 8) * side), 9)
            open(sys.argv[1], "wb").write(b"\\x89PNG\\r\\n\\x1a\\n"
                + part(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)) + part(b"IDAT", rows) + part(b"IEND", b""))
            """
        let program = try Program(
            ["/usr/bin/python3", "-c", writer, path], environment: ["PATH": "/usr/bin:/bin"])
        #expect(await program.end() == 0, "\(program.errors)")
        return path
    }
}
