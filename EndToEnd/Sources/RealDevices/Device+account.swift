// SPDX-License-Identifier: Apache-2.0

/// The data that a user reads from one screen and types on another device.
package struct Invitation: Sendable {
    package let code: String
    /// `HOST:PORT` of the inviter.
    package let address: String
}

extension Device {
    /// Shows a code and returns. The command waits until the stage is over, and admits every device with the code.
    package func invite() throws -> Invitation { try inviteWaiting().0 }

    /// As `invite`, but the command asks whether to admit a device with the code.
    package func inviteAsking() throws -> (Invitation, RunningProgram) {
        let command = try start("account", "invite", "--json")
        return (try invitation(of: command), command)
    }

    /// As `invite`, with the command, which ends with the invite.
    package func inviteWaiting() throws -> (Invitation, RunningProgram) {
        let command = try start("account", "invite", "--yes", "--json")
        return (try invitation(of: command), command)
    }

    private func invitation(of command: RunningProgram) throws -> Invitation {
        let invite = try JSON(text: try command.output.next("an invite") { $0.hasPrefix("{") })
        guard let code = invite["code"]?.string else { throw Unmet("the invite has no code") }
        return Invitation(code: code, address: invite["addresses"]?.elements.first?.string ?? "")
    }

    /// Makes an account here, to which the other devices join with just the code.
    package func found(with others: [Device]) throws {
        try handoff("account", "create")
        for other in others {
            let invitation = try invite()
            try other.join(invitation.code)
        }
    }

    /// Tries to join this device. The inviter is discovered, or at `address`.
    package func tryToJoin(_ code: String, at address: String? = nil) throws -> Ended {
        try command(["account", "join"] + (address.map { ["--address", $0] } ?? []), typing: code)
    }

    /// Types the code, and shows the number that the inviter must confirm.
    package func joinShowingNumber(_ code: String, at address: String) throws -> (RunningProgram, number: String) {
        let command = try start("account", "join", "--address", address, "--json")
        try command.say(code)
        let shown = try JSON(text: try command.output.next("a number") { $0.contains("number") })
        guard let number = shown["number"]?.string else { throw Unmet("no number to compare") }
        return (command, number)
    }

    package func join(_ code: String, at address: String? = nil) throws {
        let ended = try tryToJoin(code, at: address)
        guard ended.code == 0 else { throw Unmet("\(name) did not join: \(ended.errors)") }
    }

    /// Prints the whole list at each change, each as one line of JSON.
    package func watchActivities() throws -> RunningProgram {
        try start("activity", "list", "--watch", "--json")
    }
}

extension RunningProgram {
    /// The number that an inviting command asks about.
    package func asked() throws -> String {
        let question = try JSON(text: try output.next("a question") { $0.contains("asks") })
        guard let number = question["asks"]?["number"]?.string else { throw Unmet("no number to compare") }
        return number
    }
}
