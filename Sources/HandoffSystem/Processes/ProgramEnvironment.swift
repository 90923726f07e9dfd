// SPDX-License-Identifier: Apache-2.0

/// The variables of a program that is started.
package struct ProgramEnvironment: Sendable {
    package var variables: [String: String]
    /// The variables that the user's service manager gives to each of its units; empty if no manager has answered.
    package let inherited: [String: String]

    package init(_ variables: [String: String], inherited: [String: String] = [:]) {
        self.variables = variables
        self.inherited = inherited
    }

    /// The names of those that a unit would not have, or not with this value.
    var assigned: [String] { variables.keys.filter { variables[$0] != inherited[$0] }.sorted() }
    /// The names of those that a unit would have and the program must not have.
    var withheld: [String] { inherited.keys.filter { variables[$0] == nil }.sorted() }
}
