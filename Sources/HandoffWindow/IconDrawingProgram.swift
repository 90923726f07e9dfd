// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import Glibc
internal import HandoffIcons
internal import HandoffSystem
internal import HandoffWire

/// `handoff-desktop --draw-icons`: reads requests from standard input, writes pictures to standard output, and ends
/// with its input. It decodes files of any app, so it limits itself.
@MainActor
enum IconDrawingProgram {
    static func run() -> CInt {
        ProcessLimits.drawing.apply()
        // Only pictures may reach the other program; GLib can log to standard output.
        let output = dup(STDOUT_FILENO)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            return complain("standard output cannot be used")
        }
        withoutOwnBus()
        guard gtk_init_check() != 0, let painter = IconPainter() else { return complain("no display is available") }
        guard write(DrawnIcon.ready, to: output) else { return 0 }
        var requests = FrameAssembler(limit: IconDrawing.requestBytes)
        while let more = read(), !more.isEmpty {
            requests.append(more)
            do throws(WireError) {
                while let body = try requests.next() {
                    guard let drawing = IconDrawing(body) else { return complain("a request cannot be read") }
                    let frame = painter.paint(drawing)?.framed
                    guard frame.map({ send($0, to: output) }) ?? write(DrawnIcon.nothing, to: output) else { return 0 }
                }
            } catch {
                return complain(error.reason)
            }
        }
        return 0
    }

    /// Without the user's bus, GLib would start one.
    private static func withoutOwnBus() {
        let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
        guard folder.map({ access($0 + "/bus", F_OK) == 0 }) != true else { return }
        setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 0)
    }

    private static func read() -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: IconDrawing.requestBytes)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { return read() }
        return count < 0 ? nil : buffer[..<count]
    }

    /// False if the reader is gone.
    private static func write(_ body: [UInt8], to output: CInt) -> Bool {
        send(FrameHeader.bytes(length: body.count) + body, to: output)
    }

    private static func send(_ frame: [UInt8], to output: CInt) -> Bool {
        var rest = frame[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func complain(_ reason: String) -> CInt {
        let line = "handoff-desktop: cannot draw icons: \(reason)\n"
        _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
        return EXIT_FAILURE
    }
}
