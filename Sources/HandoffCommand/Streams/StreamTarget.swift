// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

enum StreamTarget: Sendable {
    case file(String)
    case standardOutput

    init(argument: String, replacing: Bool) throws(CommandFailure) {
        guard argument != "-" else {
            self = .standardOutput
            return
        }
        self = .file(argument)
        do throws(ArrivingFile.Refusal) {
            try ArrivingFile.check(at: argument, replacing: replacing)
        } catch {
            throw CommandFailure(error)
        }
    }

    func open(replacing: Bool, byteCount: Int64?) throws(CommandFailure) -> StreamSink {
        switch self {
        case .standardOutput: return .standardOutput
        case .file(let path):
            do throws(ArrivingFile.Refusal) {
                let file = try ArrivingFile(at: path, replacing: replacing)
                if let byteCount { try file.reserve(byteCount) }
                return .file(file)
            } catch {
                throw CommandFailure(error)
            }
        }
    }
}

enum StreamSink: Sendable {
    case file(ArrivingFile)
    case standardOutput

    var isTerminal: Bool {
        if case .standardOutput = self { isatty(STDOUT_FILENO) == 1 } else { false }
    }

    var path: String? {
        if case .file(let file) = self { file.path } else { nil }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        switch self {
        case .file(let file):
            do throws(ArrivingFile.Refusal) { try file.write(bytes) } catch { throw CommandFailure(error) }
        case .standardOutput:
            let code = StandardDescriptors.write(bytes, to: STDOUT_FILENO)
            if code != 0 { throw .standardOutput(code) }
        }
    }

    /// All bytes arrived. Returns once a file is on disk under its name.
    func finish() throws(CommandFailure) {
        guard case .file(let file) = self else { return }
        do throws(ArrivingFile.Refusal) { try file.finish() } catch { throw CommandFailure(error) }
    }

    /// Discards the bytes. True if a file was removed.
    func discard() -> Bool {
        guard case .file(let file) = self else { return false }
        file.discard()
        return true
    }
}

extension CommandFailure {
    init(_ refusal: ArrivingFile.Refusal) {
        switch refusal.kind {
        case .exists:
            self.init(.failed, code: "fileExists", refusal.reason, advice: "to replace it: --force")
        case .noRoom: self.init(.failed, code: "noRoom", refusal.reason)
        case .other: self.init(.failed, code: "notWritable", refusal.reason)
        }
    }

    /// `code`: the error number of a write.
    static func standardOutput(_ code: CInt, advice: String? = nil) -> CommandFailure {
        guard code != EPIPE else {
            return CommandFailure(
                .failed, code: "outputClosed", "the program that reads standard output has ended", advice: advice)
        }
        let sentence = String(cString: strerror(code))
        return CommandFailure(
            .failed, code: "notWritable", "cannot write to standard output: \(sentence)", advice: advice)
    }
}

/// Lets a closed pipe or a file size limit fail the write instead of ending the process.
func ignoreSignalsOfWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
