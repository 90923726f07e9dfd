// SPDX-License-Identifier: Apache-2.0

extension Device {
    /// Adds a rule, as `nft` takes it, for what arrives.
    package func filter(_ rule: String) throws {
        try run(
            "nft",
            "add table inet filter; add chain inet filter input { type filter hook input priority 0; }; "
                + "add rule inet filter input \(rule)")
    }

    /// Starts a program that has Handoff's port of TCP.
    package func holdPort() throws {
        let holder = try start(program: ["python3", "-u", "-m", "http.server", "47474"], name: "holder")
        try holder.output.next(starting: "Serving")
    }
}
