// SPDX-License-Identifier: Apache-2.0

package struct AppCommand: Hashable, Sendable {
    /// Absolute.
    package var executable: String
    package var arguments: [String]
    /// Absolute; nil: the user's home.
    package var directory: String?
    /// The launch token proves that the program is the app, so a wrapper around a signed executable must not receive
    /// it, or it would pass for that executable.
    package var getsLaunchToken: Bool
    /// As a terminal's process may: its end without an error is not the app's.
    package var mayEndBefore = false

    package init(
        executable: String, arguments: [String] = [], directory: String? = nil, getsLaunchToken: Bool = true
    ) {
        self.executable = executable
        self.arguments = arguments
        self.directory = directory
        self.getsLaunchToken = getsLaunchToken
    }
}

package struct AppEntry: Hashable, Sendable {
    package enum Way: Hashable, Sendable {
        case command(AppCommand)
        /// `org.freedesktop.Application.Activate` on the bus name that equals the identifier. `withoutBus`: without
        /// a bus.
        case activation(withoutBus: AppCommand?)
        /// With the reason. If its user starts it, it still takes part.
        case refused(String)
    }

    /// Absolute.
    package var path: String
    /// SHA-256 of the file.
    package var hash: [UInt8]
    package var way: Way

    package init(path: String, hash: [UInt8], way: Way) {
        self.path = path
        self.hash = hash
        self.way = way
    }
}
