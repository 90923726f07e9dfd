// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Survives a crash of the simulated device.
package final class MemoryStateStore: StateStore {
    package var files: [String: [UInt8]] = [:] { didSet { changed(files) } }
    /// What a crash after the change would leave.
    package var changed: ([String: [UInt8]]) -> Void = { _ in }
    /// By file name.
    package private(set) var writes: [String: Int] = [:]
    package var writeFailure: Failure?
    /// If set, writes are delayed, and setting it drops pending ones.
    package var work: (any Work)? {
        didSet {
            lane = work?.makeLane()
            later = [:]
        }
    }
    private var lane: (any WorkLane)?
    /// Each has a scheduled turn.
    private var later: [String: [UInt8]] = [:]

    package init() {}

    package func read(_ name: String) throws(Failure) -> [UInt8]? { files[name] }

    package func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        later[name] = nil
        if let writeFailure { throw writeFailure }
        files[name] = bytes
        writes[name, default: 0] += 1
    }

    package func writeLater(_ bytes: [UInt8], to name: String, failed: @escaping (Failure) -> Void) {
        do throws(Failure) {
            guard let lane else { return try write(bytes, to: name) }
            guard later.updateValue(bytes, forKey: name) == nil else { return }
            do throws(Failure) {
                try lane.run({}) { [weak self] in
                    do throws(Failure) { try self?.writeDue(name) } catch { failed(error) }
                }
            } catch {
                later[name] = nil
                throw error
            }
        } catch {
            failed(error)
        }
    }

    package func write(_ bytes: [UInt8], to name: String, then: @escaping (Failure?) -> Void) {
        do throws(Failure) {
            guard let lane else {
                try write(bytes, to: name)
                return then(nil)
            }
            later[name] = bytes
            do throws(Failure) {
                try lane.run({}) { [weak self] in
                    do throws(Failure) { try self?.writeDue(name) } catch { return then(error) }
                    then(nil)
                }
            } catch {
                later[name] = nil
                throw error
            }
        } catch {
            then(error)
        }
    }

    private func writeDue(_ name: String) throws(Failure) {
        guard let bytes = later[name] else { return }
        try write(bytes, to: name)
    }

    package func finishWriting() throws(Failure) {
        var first: Failure?
        for name in later.keys.sorted() {
            do throws(Failure) { try writeDue(name) } catch { first = first ?? error }
        }
        if let first { throw first }
    }

    package func remove(_ name: String) throws(Failure) {
        later[name] = nil
        if let writeFailure { throw writeFailure }
        files[name] = nil
    }

    package func names() throws(Failure) -> [String] { files.keys.sorted() }
}
