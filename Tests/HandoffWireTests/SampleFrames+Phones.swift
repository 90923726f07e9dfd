// SPDX-License-Identifier: Apache-2.0

@testable import HandoffWire

extension SampleFrames {
    static let localOfPhones: [(name: String, frame: LocalFrame)] = [
        ("set phones", LocalFrame(.phones(.setPhones([pixel, tablet])), request: 19)),
        ("list phones", LocalFrame(.phones(.listPhones()), request: 20)),
        ("watch phones", LocalFrame(.phones(.listPhones(watch: true)), request: 20)),
        ("phone list", LocalFrame(.phones(.phoneList([pixel, tablet])), answer: 20)),
        (
            "send to phone: page",
            LocalFrame(.phones(.sendToPhone(.page(PageAddress("https://weather.example/")!), to: "Pixel")), request: 21)
        ),
        (
            "send to phone: file",
            LocalFrame(
                .phones(.sendToPhone(.file(try! AbsolutePath("/home/ann/letter.txt")), to: "Pixel (phone)")),
                request: 22)
        ),
        ("handed to phone", LocalFrame(.phones(.handedToPhone(pixel)), answer: 22)),
        (
            "share with phone",
            LocalFrame(
                .phones(.shareWithPhone(.page(PageAddress("https://weather.example/")!), pixel.id, pixel.link)),
                request: 2)
        ),
    ]

    static let pixel = Phone(
        id: try! PhoneID("_38164e28_8bb1_4104_8202_88ed18d82201_"), name: DisplayText(cleaning: "Pixel"), kind: .phone,
        link: .kdeConnect)
    private static let tablet = Phone(
        id: try! PhoneID("2f3f0e9d-9c1a"), name: DisplayText(cleaning: "Tablet"), kind: .unspecified, link: .gsConnect)
}
