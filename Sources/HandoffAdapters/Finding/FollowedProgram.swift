// SPDX-License-Identifier: Apache-2.0

import HandoffBus

/// One running instance of a program, as its adapter sees it.
protocol FollowedProgram: AnyObject {
    /// What it shows has changed. Nil: nothing that may continue.
    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void { get set }
    /// Its place has changed.
    var moved: () -> Void { get set }

    /// Nil if the program does not answer.
    func state(then: @escaping (ProgramState?) -> Void)
    /// Another device has continued what it shows.
    func wasContinued()
}

/// What instances of programs share.
struct FollowTools {
    let bus: BusConnection
    let home: HomeFile
    let offLoop: OffLoop
    let loop: BusLoop
}
