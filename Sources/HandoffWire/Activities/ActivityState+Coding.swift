// SPDX-License-Identifier: Apache-2.0

extension ActivityState {
    package func encoded() throws(WireError) -> [UInt8] { try PBActivityState(self).bytes() }
    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        try self.init(PBActivityState.decode(bytes))
    }
}
