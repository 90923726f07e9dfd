// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import Testing

extension RunningProgram {
    /// A program that runs the current file at `file`, also if `path` is different.
    init(path: String? = nil, runs file: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        let device = try #require(attributes[.systemNumber] as? NSNumber)
        let inode = try #require(attributes[.systemFileNumber] as? NSNumber)
        self.init(path: path ?? file, device: device.uint64Value, inode: inode.uint64Value)
    }
}
