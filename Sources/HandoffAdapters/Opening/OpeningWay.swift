// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore

enum OpeningWay {
    case known(KnownProgram)
    case described(OpeningArguments)

    /// The program shows an activity although its process has ended: another process took it.
    var handsOver: Bool {
        switch self {
        case .known(let program): program.content != .media
        case .described: true
        }
    }

    /// Its media play later, perhaps only once the user starts it, and in any process of the browser.
    var browser: KnownProgram? {
        if case .known(let program) = self, program.content == .webMedia { program } else { nil }
    }

    /// Until a program that cannot be asked is believed if it still runs. The author of a description promises less.
    var start: Duration {
        switch self {
        case .known: .milliseconds(500)
        case .described: OpenedProgram.proof
        }
    }

    /// A file with the same content is as good. In an editor, the user would change another file.
    var mayOpenElsewhere: Bool {
        if case .known(let program) = self { [.media, .webMedia, .document].contains(program.content) } else { false }
    }

    /// The program can be asked on the bus what it shows.
    var interface: KnownProgram.Interface? {
        switch self {
        case .known(let program):
            // Editors do not reveal the place.
            program.interface.busNames != nil && program.content != .text ? program.interface : nil
        case .described: nil
        }
    }

    /// `target`: nil if the state names none. `userInfo`: the values of the other device. Throws a sentence.
    func command(
        _ entry: String, _ executable: String, opening target: String?, _ state: ProgramState?,
        _ userInfo: [String: BusValue]
    ) throws(BusFailure) -> OpeningCommand {
        switch self {
        case .known(let program):
            guard let target, let state, let command = OpeningCommand(program, executable, opening: target, state)
            else { throw .didNotStart("\(entry) cannot open this") }
            return command
        case .described(let arguments):
            do throws(OpeningArguments.Problem) {
                return OpeningCommand(
                    words: [executable] + (try arguments.filled { $0 == "target" ? target : userInfo[$0]?.asArgument }))
            } catch {
                throw .didNotStart("\(entry) cannot open the activity, which has \(error.reason)")
            }
        }
    }
}

extension BusValue {
    /// Nil for containers, and for numbers that are not finite.
    fileprivate var asArgument: String? {
        switch unwrapped {
        case .string(let text): text
        case .boolean(let flag): flag ? "true" : "false"
        case .double(let number): number.isFinite ? "\(number)" : nil
        default: integer.map(String.init)
        }
    }
}

extension BusFailure {
    static func didNotStart(_ sentence: String) -> BusFailure {
        BusFailure("org.handoff.Error.AppDidNotStart", sentence)
    }
}
