// SPDX-License-Identifier: Apache-2.0

package struct ProgramEnvironment: Sendable {
    package var variables: [String: String]
    /// The variables that the user's service manager gives to each unit; empty if no manager has answered.
    package let inherited: [String: String]

    package init(_ variables: [String: String], inherited: [String: String] = [:]) {
        self.variables = variables
        self.inherited = inherited
    }

    /// Names of variables that a unit would lack, or have with another value.
    var assigned: [String] { variables.keys.filter { variables[$0] != inherited[$0] }.sorted() }
    /// Names of variables that a unit would have, but the program must not have.
    var withheld: [String] { inherited.keys.filter { variables[$0] == nil }.sorted() }
}
