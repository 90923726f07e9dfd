// SPDX-License-Identifier: Apache-2.0

/// A program with all that it is started with.
package struct AppCommand: Hashable, Sendable {
    /// Absolute.
    package var executable: String
    package var arguments: [String]
    /// Where it begins, absolute; nil: in its user's home.
    package var directory: String?
    /// Whether it is the app's own word that it was started for a continuation. A wrapper around a signed executable would
    /// pass for that executable by it.
    package var getsLaunchToken: Bool

    package init(
        executable: String, arguments: [String] = [], directory: String? = nil, getsLaunchToken: Bool = true
    ) {
        self.executable = executable
        self.arguments = arguments
        self.directory = directory
        self.getsLaunchToken = getsLaunchToken
    }
}

/// The desktop entry by which an app is started.
package struct AppEntry: Hashable, Sendable {
    package enum Way: Hashable, Sendable {
        case command(AppCommand)
        /// `org.freedesktop.Application.Activate` of the bus name that is its identifier. `withoutBus`: where there is none.
        case activation(withoutBus: AppCommand?)
        /// It takes part where its user starts it; why it is not started from here.
        case refused(String)
    }

    /// Absolute.
    package var path: String
    /// SHA-256 of the file as it was read.
    package var hash: [UInt8]
    package var way: Way

    package init(path: String, hash: [UInt8], way: Way) {
        self.path = path
        self.hash = hash
        self.way = way
    }
}
