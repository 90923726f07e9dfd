// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// Draws icons in another process, which knows the user's theme and decodes the files of all apps. It runs only while
/// there is something to draw.
package struct IconDrawer: Sendable {
    package struct Limits: Sendable {
        /// From the start of the process until it can draw.
        package var startTime = Duration.seconds(10)
        /// For one icon. Then the process is killed.
        package var drawingTime = Duration.seconds(3)
        /// For one list. Each ends at an icon that it cannot survive.
        package var processes = 4

        package init() {}
    }

    package struct Program: Sendable {
        package var command: [String]
        package var environment: [String: String]

        package init(command: [String], environment: [String: String]) {
            self.command = command
            self.environment = environment
        }
    }

    private let program: @Sendable () -> Program?
    private let limits: Limits

    /// `program` may block. Nil: not installed, or the user has no display.
    package init(limits: Limits = Limits(), program: @escaping @Sendable () -> Program?) {
        self.program = program
        self.limits = limits
    }

    /// Blocks. A nil icon cannot be drawn; those without a result may be tried again. Nil if nothing can be drawn now.
    package func draw(_ drawings: [IconDrawing]) -> [IconDrawing: DrawnIcon?]? {
        guard let program = program() else { return nil }
        var results: [IconDrawing: DrawnIcon?] = [:]
        var rest = drawings[...]
        for _ in 0..<limits.processes where !rest.isEmpty {
            guard let process = DrawingProcess(program, limits) else { break }
            while let drawing = rest.popFirst() {
                let answer = process.draw(drawing)
                results[drawing] = .some(answer.icon)
                guard answer.goesOn else { break }
            }
        }
        return results.isEmpty ? nil : results
    }
}

private final class DrawingProcess {
    private let process: SpawnedProcess
    private let input: ProgramPipe
    private let output: ProgramPipe
    private let limits: IconDrawer.Limits

    /// Nil if it cannot be started, or has no display.
    init?(_ program: IconDrawer.Program, _ limits: IconDrawer.Limits) {
        guard let path = program.command.first, let input = try? ProgramPipe(), let output = try? ProgramPipe(),
            let process = try? SpawnedProcess(
                executable: path, arguments: program.command, environment: program.environment, directory: "/",
                input: input.reading, output: output.writing, errors: nil)
        else { return nil }
        (self.process, self.input, self.output, self.limits) = (process, input, output, limits)
        input.closeReading()
        output.closeWriting()
        let ready = answer(limit: DrawnIcon.ready.count, within: limits.startTime)
        guard ready == DrawnIcon.ready else { return nil }
    }

    deinit {
        process.kill()
        _ = process.waitForStatus()
    }

    /// `goesOn`: the process can draw another one.
    func draw(_ drawing: IconDrawing) -> (icon: DrawnIcon?, goesOn: Bool) {
        guard let request = drawing.framed else { return (nil, true) }
        // Does not block: the process has read earlier requests, and a request fits into an empty pipe.
        guard input.write(request),
            let body = answer(limit: DrawnIcon.frameBytes(size: drawing.size), within: limits.drawingTime)
        else { return (nil, false) }
        if body == DrawnIcon.nothing { return (nil, true) }
        let icon = DrawnIcon(body, size: drawing.size)
        return (icon, icon != nil)
    }

    private func answer(limit: Int, within time: Duration) -> [UInt8]? {
        let deadline = ContinuousClock.now + time
        guard let header = output.read(FrameHeader.byteCount, until: deadline),
            let count = try? FrameHeader.length(header, limit: limit)
        else { return nil }
        return output.read(count, until: deadline)
    }
}

extension IconDrawer {
    private static let name = "handoff-desktop"
    private static let option = "--draw-icons"

    /// `handoff-desktop` beside `executable` (a build), or in PREFIX/bin for a program in PREFIX/libexec/handoff, with
    /// the user's current display.
    package static func installed(besides executable: String, environment: [String: String]) -> IconDrawer {
        IconDrawer {
            let paths = [executable.parent, executable.parent.parent.parent + "/bin"].map { $0 + "/" + name }
            guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
            var variables = PresentSession(environment: environment).read().variables
            guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { variables[$0]?.isEmpty == false }) else {
                return nil
            }
            // It shows nothing that a screen reader could read.
            variables["GTK_A11Y"] = "none"
            return Program(command: [path, option], environment: variables)
        }
    }
}
