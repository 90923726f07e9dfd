// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import Testing

extension RunningProgram {
    /// One that runs the file there now, `path` or not.
    init(path: String? = nil, runs file: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        let device = try #require(attributes[.systemNumber] as? NSNumber)
        let inode = try #require(attributes[.systemFileNumber] as? NSNumber)
        self.init(path: path ?? file, device: device.uint64Value, inode: inode.uint64Value)
    }
}
