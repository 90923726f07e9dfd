// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A user other than root, for whom file modes apply.
enum PlainUser {
    private typealias Call = @convention(c) (Int, Int, Int, Int) -> Int

    /// For this thread only; the functions of the C library change the whole process.
    private static let call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)
    #if arch(x86_64)
    private static let (setUser, setGroup) = (117, 119)
    #else
    private static let (setUser, setGroup) = (147, 149)
    #endif
    private static let nobody = 65534

    /// Runs `body` as such a user, if root runs the tests. `body` must stay on its thread.
    static func run<Result>(_ body: () throws -> Result) throws -> Result {
        guard geteuid() == 0 else { return try body() }
        try #require(call(setGroup, -1, nobody, -1) == 0)
        defer { _ = call(setGroup, -1, 0, -1) }
        try #require(call(setUser, -1, nobody, -1) == 0)
        defer { _ = call(setUser, -1, 0, -1) }
        return try body()
    }
}
