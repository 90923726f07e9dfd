// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

@Suite struct SiteTests {
    // Shows N07.
    @Test func theWellKnownPlaceComesFirst() {
        #expect(
            SitePlace.allCases.map(\.path) == [
                "/.well-known/apple-app-site-association", "/apple-app-site-association",
            ])
    }

    // Shows N08.
    @Test(
        arguments: [
            (200, nil), (201, .absent), (204, .absent), (206, .absent), (301, .redirected), (302, .redirected),
            (307, .redirected),
            (308, .redirected), (304, .malformed), (400, .absent), (401, .absent), (403, .absent), (404, .absent),
            (410, .absent), (408, .inTrouble), (425, .inTrouble), (429, .inTrouble), (500, .inTrouble),
            (503, .inTrouble),
            (600, .malformed), (0, .malformed),
        ] as [(Int, SiteFailure.Code?)])
    func eachStatusMeansOneThing(_ status: Int, _ code: SiteFailure.Code?) {
        let result = Result { () throws(SiteFailure) in try SiteHead(status: status).verdict(askedWith: nil) }
        let expected: Result<SiteHead.Verdict, SiteFailure> =
            if let code { .failure(SiteFailure(code, "")) } else { .success(.takeFile) }
        #expect(result == expected)
    }

    @Test func notModifiedAnswersAnETag() throws {
        #expect(try SiteHead(status: 304).verdict(askedWith: "\"1\"") == .unchanged)
    }

    @Test func oversizedOrCompressedFileIsRejectedByItsHeaders() throws {
        let most = Limits.associationBytes
        #expect(try SiteHead(status: 200, contentLength: most).verdict(askedWith: nil) == .takeFile)
        #expect(throws: SiteFailure(.tooLarge, "")) {
            try SiteHead(status: 200, contentLength: most + 1).verdict(askedWith: nil)
        }
        #expect(try SiteHead(status: 200, contentEncoding: "Identity").verdict(askedWith: nil) == .takeFile)
        #expect(throws: SiteFailure(.encoded, "")) {
            try SiteHead(status: 200, contentEncoding: "gzip").verdict(askedWith: nil)
        }
    }

    @Test(
        arguments: [
            ("application/json", "{}", .json, .right), ("Application/JSON; charset=utf-8", "{}", .json, .right),
            ("application/pkcs7-mime", "\u{30}\u{80}", .signed, .right), (nil, "{}", .json, .missing),
            (nil, "\u{30}\u{82}", .signed, .missing), ("text/plain", "{}", .json, .wrong),
            ("text/html", "", .json, .wrong),
            ("application/octet-stream", "\u{30}\u{82}", .signed, .wrong),
            ("application/pkcs7-mime", "{}", .signed, .wrong),
            ("application/json", "\u{30}\u{80}", .json, .wrong), ("application/json", "0", .json, .right),
        ] as [(String?, String, SiteFile.Form, SiteFile.Label)])
    func contentTypeOrElseFirstBytesDecideForm(
        _ type: String?, _ start: String, _ form: SiteFile.Form, _ label: SiteFile.Label
    ) {
        let file = SiteFile(bytes: start.unicodeScalars.map { UInt8($0.value) }, contentType: type, etag: nil)
        #expect(file.form == form)
        #expect(file.label == label)
    }

    @Test func anETagThatCannotStandInAHeadIsNotUsed() {
        func etag(_ text: String) -> String? { SiteFile(bytes: [], contentType: nil, etag: text).etag }
        #expect(etag("W/\"a\"") == "W/\"a\"")
        let longest = String(repeating: "e", count: SiteLimits.etagBytes)
        #expect(etag(longest) == longest)
        for bad in ["", "\"a b\"", "\"\r\nHost: x\"", "\u{E9}", "\(longest)e"] { #expect(etag(bad) == nil) }
    }
}
