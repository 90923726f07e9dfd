// SPDX-License-Identifier: Apache-2.0

/// What a person reads from one screen and types on another.
package struct Invitation: Sendable {
    package let code: String
    /// `HOST:PORT`, where the inviter listens.
    package let address: String
}

extension Device {
    /// Shows a code and goes on; the command that shows it waits for its use until the stage is over, and admits whoever has
    /// the code.
    package func invite() throws -> Invitation { try inviteWaiting().0 }

    /// As `invite`, but the command asks what to do with whoever has the code.
    package func inviteAsking() throws -> (Invitation, RunningProgram) {
        let command = try start("account", "invite", "--json")
        return (try invitation(of: command), command)
    }

    /// As `invite`, with the command, which ends when the invite does.
    package func inviteWaiting() throws -> (Invitation, RunningProgram) {
        let command = try start("account", "invite", "--yes", "--json")
        return (try invitation(of: command), command)
    }

    private func invitation(of command: RunningProgram) throws -> Invitation {
        let invite = try JSON(text: try command.output.next("an invite") { $0.hasPrefix("{") })
        guard let code = invite["code"]?.string else { throw Unmet("the invite has no code") }
        return Invitation(code: code, address: invite["addresses"]?.elements.first?.string ?? "")
    }

    /// Makes an account here and brings the others in, with nothing but the code.
    package func found(with others: [Device]) throws {
        try handoff("account", "create")
        for other in others {
            let invitation = try invite()
            try other.join(invitation.code)
        }
    }

    /// Tries to bring this device in, where the inviter is found by itself or at `address`.
    package func tryToJoin(_ code: String, at address: String? = nil) throws -> Ended {
        try command(["account", "join"] + (address.map { ["--address", $0] } ?? []), typing: code)
    }

    /// Types the code, and shows the number that the inviter is asked about.
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

    /// Prints the whole list again at each change, one line of JSON each.
    package func watchActivities() throws -> RunningProgram {
        try start("activity", "list", "--watch", "--json")
    }
}

extension RunningProgram {
    /// The number that a command that invites asks about.
    package func asked() throws -> String {
        let question = try JSON(text: try output.next("a question") { $0.contains("asks") })
        guard let number = question["asks"]?["number"]?.string else { throw Unmet("no number to compare") }
        return number
    }
}
