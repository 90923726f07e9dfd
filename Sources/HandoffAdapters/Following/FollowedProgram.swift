// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffSystem

protocol FollowedProgram: AnyObject {
    /// It shows something else. Nil: nothing that may continue.
    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void { get set }
    /// Its place has changed.
    var moved: () -> Void { get set }

    /// Nil if the program does not answer.
    func state(then: @escaping (ProgramState?) -> Void)
    /// Another device has continued what it shows.
    func wasContinued()
    /// One of its windows has got or lost the focus. Never called if the focus is unknown.
    func focusChanged(_ hasFocus: Bool)
}

extension FollowedProgram {
    /// Only players stop: a page, a text or a folder is still of use here.
    func wasContinued() {}

    func focusChanged(_ hasFocus: Bool) {}
}

/// Finds running instances of the programs of one interface, and reports them to their offers.
protocol InstanceFinder: AnyObject {}

struct FollowTools {
    let bus: BusConnection
    let environment: [String: String]
    let home: HomeFile
    let offLoop: OffLoop
    let loop: BusLoop
}

enum ProgramName {
    /// Nil: it has ended.
    static func of(_ process: Int32) -> String? {
        if let file = ProcessFile(of: process, heldBy: nil)?.path {
            return file.split(separator: "/").last.map(String.init)
        }
        // zathura confines itself, and hides its executable.
        return OpenFile.text(of: "/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
    }
}
