// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// This process sets them for itself, and the system ends it beyond them.
package struct ProcessLimits: Hashable, Sendable {
    /// Waiting included.
    package var seconds: UInt32
    /// Processor time.
    package var workSeconds: UInt
    /// Private memory, bytes. Requests beyond it fail.
    package var memoryBytes: UInt

    /// For decoding pictures: a file of 1 MiB can have gigabytes of pixels.
    package static let drawing = ProcessLimits(
        seconds: 60, workSeconds: 20, memoryBytes: 512 * 1024 * 1024)

    package init(seconds: UInt32, workSeconds: UInt, memoryBytes: UInt) {
        self.seconds = seconds
        self.workSeconds = workSeconds
        self.memoryBytes = memoryBytes
    }

    /// Also: no core dumps.
    package func apply() {
        alarm(seconds)
        for (resource, most) in [(RLIMIT_CPU, workSeconds), (RLIMIT_DATA, memoryBytes), (RLIMIT_CORE, 0)] {
            var limit = rlimit(rlim_cur: most, rlim_max: most)
            setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        }
    }
}
