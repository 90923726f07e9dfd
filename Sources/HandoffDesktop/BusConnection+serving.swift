// SPDX-License-Identifier: Apache-2.0

internal import HandoffBus

extension BusConnection {
    /// If another program owns the bus name, the object cannot be found, and the journal gets a line.
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
