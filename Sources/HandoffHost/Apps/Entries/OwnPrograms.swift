// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Executables that identify an app: each process that runs them is that app.
///
/// Interpreters, shells and launchers must not, and no list of them is complete. Arguments select what they run, a link
/// gives them another name, or other entries start them. So only field codes may follow the executable in `Exec`, its
/// name matches, it is machine code, and no other entry starts it.
struct OwnPrograms {
    private let users: [ExactText: Int]

    init(of files: [EntryFile], _ programs: ProgramFinder) {
        var users: [ExactText: Int] = [:]
        // Otherwise no lookups are needed.
        if files.contains(where: { $0.entry.has(.activityTypes) }) {
            for file in files where !file.isHidden {
                guard let exec = (try? file.entry.text(.exec)) ?? nil,
                    let program = DesktopCommand.program(of: exec).flatMap(programs.path),
                    let run = program.followingLinks
                else { continue }
                users[ExactText(run), default: 0] += 1
            }
        }
        self.users = users
    }

    /// With links followed; nil if not only this entry's.
    func executable(_ program: String, of file: EntryFile) -> String? {
        guard let run = program.followingLinks, String(run.lastPart).isSamePath(as: program.lastPart),
            users[ExactText(run)] == 1, Self.isMachineCode(run)
        else { return nil }
        return run
    }

    private static func isMachineCode(_ path: String) -> Bool {
        guard let file = try? OpenFile.open(path, O_RDONLY | O_NONBLOCK) else { return false }
        var beginning = [UInt8](repeating: 0, count: 4)
        return retrying({ read(file.descriptor, &beginning, 4) }) == 4 && beginning == [0x7F, 0x45, 0x4C, 0x46]
    }
}
