// SPDX-License-Identifier: Apache-2.0

/// What a document that goes along may cost.
package struct DocumentLimits: Hashable, Sendable {
    /// A larger one is hashed while it is sent, bytes.
    package var hashedBefore: UInt64 = 1 << 30
    /// How long the origin may look at documents before their references go.
    package var prepare: Duration = .seconds(6)
    /// How long the descriptor of a file may take that an app says it has given.
    package var givenFile: Duration = .seconds(1)
    /// A smaller one comes whole, bytes.
    package var chunkedFrom: UInt64 = 4 << 20
    /// Chunks of a larger one are four times as long, bytes.
    package var longChunksFrom: UInt64 = 256 << 20
    /// A larger one comes whole, whatever it costs: its list would be too long, bytes.
    package var chunkedUpTo: UInt64 = 16 << 30
    /// Lists pay below this, bytes a second.
    package var chunkedBelowRate: UInt64 = 300_000_000
    /// How long an app may take to save what it has open and let it go.
    package var save: Duration = .seconds(8)
    /// No byte for so long: it failed.
    package var silence: Duration = .seconds(30)
    /// What came of a document whose origin was lost is kept so long.
    package var resume: Duration = .seconds(600)
    /// Documents of which that is kept; the oldest give way.
    package var resumable = 4
    /// Documents that one device is given at a time.
    package var givenPerDevice = 4
    /// Continuations of one device whose documents it may still ask for; the oldest give way.
    package var grantsPerDevice = 16
    /// How long after the state went it may.
    package var grant: Duration = .seconds(600)
    /// Entries of a container that are looked at for one that was renamed.
    package var searchedEntries = 10_000
    /// And how long.
    package var search: Duration = .seconds(2)
    /// Documents of which this device knows what was there before; the ones looked at longest ago give way.
    package var histories = 10_000
    /// A storage that other machines have too: how long it may take until it shows what the origin has.
    package var sharedStorage: Duration = .seconds(5)
    /// How often it is looked at until then.
    package var sharedStorageLook: Duration = .milliseconds(500)
    /// What was replaced is kept so long.
    package var keepVersions: Duration = .seconds(7 * 24 * 3600)
    /// All of it at most, bytes; the oldest go.
    package var versionBytes: UInt64 = 1 << 30
    /// Copies of what lay in no container are kept so long.
    package var keepReceived: Duration = .seconds(30 * 24 * 3600)
    /// Decided anew so often because the file here changed meanwhile, and begun anew so often because the origin's did.
    package var tries = 3

    package init() {}
}
