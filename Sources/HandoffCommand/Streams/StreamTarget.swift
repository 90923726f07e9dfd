// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// Where `continue --stream-to` puts the bytes.
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

    /// `byteCount`: so many are to come.
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

/// The same once bytes may come.
enum StreamSink: Sendable {
    case file(ArrivingFile)
    case standardOutput

    /// Where it goes to a person's eyes.
    var isTerminal: Bool {
        if case .standardOutput = self { isatty(STDOUT_FILENO) == 1 } else { false }
    }

    /// The file's.
    var path: String? {
        if case .file(let file) = self { file.path } else { nil }
    }

    /// Waits until all of them are written.
    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        switch self {
        case .file(let file):
            do throws(ArrivingFile.Refusal) { try file.write(bytes) } catch { throw CommandFailure(error) }
        case .standardOutput:
            let code = StandardDescriptors.write(bytes, to: STDOUT_FILENO)
            if code != 0 { throw .standardOutput(code) }
        }
    }

    /// All came: a file is on the disk, under its name.
    func finish() throws(CommandFailure) {
        guard case .file(let file) = self else { return }
        do throws(ArrivingFile.Refusal) { try file.finish() } catch { throw CommandFailure(error) }
    }

    /// What came is of no use. True if something was removed.
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

/// A pipe or a limit that ends a write shall be an error of the write, and not the end of this process.
func ignoreSignalsOfWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
