// SPDX-License-Identifier: Apache-2.0

// From the article about porting.

import Foundation

func drain(_ inputStream: InputStream) -> Data {
    inputStream.open()
    var drawing = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = inputStream.read(&buffer, maxLength: buffer.count)
        guard count > 0 else { break }
        drawing.append(contentsOf: buffer[..<count])
    }
    return drawing
}
