// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem

/// Why a bundle is ignored, in one sentence that names the file.
struct BundleProblem: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
    init(_ problem: PropertyListFile.Problem) { reason = problem.reason }
}
