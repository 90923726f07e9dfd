// SPDX-License-Identifier: Apache-2.0

package import Foundation

package enum SampleBook {
    /// A PDF whose pages show their numbers. `filler`: bytes of a comment.
    package static func pages(_ count: Int, filler: Int = 0) -> Data {
        var file = "%PDF-1.4\n"
        var offsets: [Int] = []
        func add(_ object: String) {
            offsets.append(file.utf8.count)
            file += "\(offsets.count) 0 obj\n\(object)\nendobj\n"
        }
        add("<< /Type /Catalog /Pages 2 0 R >>")
        let kids = (0..<count).map { "\($0 * 2 + 4) 0 R" }.joined(separator: " ")
        add("<< /Type /Pages /Count \(count) /Kids [\(kids)] >>")
        add("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>")
        for page in 1...count {
            add(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Resources << /Font << /F 3 0 R >> >> "
                    + "/Contents \(offsets.count + 2) 0 R >>")
            let text = "BT /F 36 Tf 60 200 Td (Chapter \(page)) Tj ET"
            add("<< /Length \(text.utf8.count) >>\nstream\n\(text)\nendstream")
        }
        if filler > 0 { file += "%" + String(repeating: "x", count: filler) + "\n" }
        let table = file.utf8.count
        file += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets { file += String(format: "%010d 00000 n \n", offset) }
        file += "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return Data(file.utf8)
    }
}
