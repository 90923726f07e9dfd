// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// Answers questions, but reports neither a new document nor a new page. Without the focus, not queried regularly.
final class FollowedViewer: FollowedProgram {
    struct Pace {
        /// After it has appeared, until it has opened something.
        var opening = Duration.milliseconds(200)
        var withFocus = Duration.seconds(2)
        /// No desktop reports the focus.
        var unknown = Duration.seconds(5)
    }

    /// Questions at the pace of `opening`.
    static let openingQuestions = 25

    struct Language {
        let document: BusCall
        /// Nil: an editor.
        var page: BusCall?
        var firstPage: Int64 = 0

        static let okular = (path: "/okular", interface: "org.kde.okular")
        static let zathura = (path: "/org/pwmt/zathura", interface: "org.pwmt.zathura")

        static func okular(_ name: InstanceName) -> Language {
            func call(_ member: String) -> BusCall {
                BusCall(name.text, okular.path, okular.interface, member, mayStart: false)
            }
            return Language(document: call("currentDocument"), page: call("currentPage"), firstPage: 1)
        }

        /// Its first window. `program`: `kate` or `kwrite`.
        static func kate(_ name: InstanceName, _ program: String) -> Language {
            Language(
                document: .property(
                    "windowFilePath", of: "org.qtproject.Qt.QWidget", at: "/\(program)/MainWindow_1", on: name.text))
        }

        static func zathura(_ name: InstanceName) -> Language {
            func property(_ member: String) -> BusCall {
                .property(member, of: zathura.interface, at: zathura.path, on: name.text)
            }
            return Language(document: property("filename"), page: property("pagenumber"), firstPage: 0)
        }
    }

    var changed: (OfferStateMachine.Shown?, OfferStateMachine.Standing) -> Void = { _, _ in }
    var moved: () -> Void = {}

    private let language: Language
    private let tools: FollowTools
    private let source: ExaminedSource
    private var document = ""
    private var page: Int?
    private var questions = 0
    private var isAsking = false
    private var hasFocus: Bool?
    private let pace: Pace
    private var timer: LoopWatch?

    init(_ language: Language, _ tools: FollowTools, pace: Pace = Pace()) {
        self.language = language
        self.tools = tools
        self.pace = pace
        source = ExaminedSource(tools, namesRepository: language.page == nil)
        ask()
    }

    private func ask() {
        guard !isAsking else { return }
        isAsking = true
        timer = nil
        read { [weak self] in
            guard let self else { return }
            isAsking = false
            questions += 1
            timer = pause.map { tools.loop.after($0) { [unowned self] in ask() } }
        }
    }

    /// Until the next question. Nil: when it gets the focus.
    private var pause: Duration? {
        if document.isEmpty, questions < Self.openingQuestions { return pace.opening }
        return switch hasFocus {
        case nil: pace.unknown
        case true: pace.withFocus
        case false: nil
        }
    }

    func focusChanged(_ hasFocus: Bool) {
        guard hasFocus != self.hasFocus else { return }
        self.hasFocus = hasFocus
        // Also for the page at which the user left it.
        ask()
    }

    private func read(then: @escaping () -> Void) {
        tools.bus.call(language.document, within: BusPrograms.answerTime) { [weak self] result in
            guard let self, case .success(let answer) = result, let document = answer[0]?.text else { return then() }
            guard let page = language.page else {
                take(document, nil)
                return then()
            }
            tools.bus.call(page, within: BusPrograms.answerTime) { [weak self] result in
                guard let self else { return }
                take(document, (try? result.get())?[0]?.integer)
                then()
            }
        }
    }

    /// `number`: the program's page number.
    private func take(_ document: String, _ number: Int64?) {
        let page = number.flatMap { number in
            number >= language.firstPage && number < ProgramState.maximumNumber
                ? Int(number - language.firstPage) + 1 : nil
        }
        if page != self.page {
            self.page = page
            moved()
        }
        guard document != self.document else { return }
        self.document = document
        source.open(OpenSource(pathOrURL: document)) { [weak self] in self?.changed($0, .open) }
    }

    func state(then: @escaping (ProgramState?) -> Void) {
        read { [weak self] in
            guard let self else { return then(nil) }
            source.examine { [weak self] offered in
                then(
                    offered.map { ProgramState(source: $0, place: (self?.page).map(ProgramState.Place.page)) })
            }
        }
    }
}
