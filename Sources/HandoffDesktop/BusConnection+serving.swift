// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

extension BusConnection {
    /// The object, under a name of its own: where another program has that name already, nobody will find it, and the journal
    /// says so.
    func serve(_ interfaces: [BusInterface], at path: String, as name: String) -> BusObject? {
        do throws(BusFailure) {
            let object = try BusObject(interfaces, at: path, on: self)
            requestName(name) { result in
                if case .failure(let failure) = result { Complaint.say(failure.sentence) }
            }
            return object
        } catch {
            Complaint.say("cannot offer \(name) on the bus: \(error.sentence)")
            return nil
        }
    }
}
