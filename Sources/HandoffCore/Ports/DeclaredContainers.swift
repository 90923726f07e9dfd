// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct DeclaredContainers: Hashable, Sendable {
    /// In the order of the entitlements.
    package let containers: [ContainerID]
    /// A sentence for each invalid entry; the others apply.
    package let problems: [String]

    package init(entries: [String]) {
        var containers: [ContainerID] = []
        var problems: [String] = []
        for entry in entries {
            do throws(WireError) {
                let container = try ContainerID(entry)
                if !containers.contains(container) { containers.append(container) }
            } catch {
                let shown = DisplayText(cleaning: entry, limit: Limits.nameCharacters)
                problems.append("\"\(shown)\": \(error.reason)")
            }
        }
        self.containers = containers
        self.problems = problems
    }
}
