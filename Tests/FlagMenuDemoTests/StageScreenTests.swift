import FlagModel
import Flags
import TerminalUI
import TestSupport
import Testing

@testable import FlagMenuDemo

/// Every screen in every variant, text and style, compared with snapshots.
@Suite struct StageScreenTests {
    typealias Picture = SavedText

    @Test(arguments: variants + sizes + looks + situations)
    func `matches snapshot`(picture: Picture) {
        let mismatch = picture.mismatch()
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    private static let screenB = #"""
        {"label":{"text":"Good to see you again"},"button":{"text":"Let me in","color":{"red":255,"green":69,"blue":0}}}
        """#

    private static let multiple = [("enable_multiple_locations", "true")]

    private static let variants: [Picture] = [
        Picture(name: "location-single") { StageDriver() },
        Picture(name: "location-multiple") { StageDriver(overrides: multiple).pressing("jjj") },
        Picture(name: "login-a") { StageDriver(.login) },
        Picture(name: "login-b") {
            StageDriver(.login, overrides: [("login_screen", screenB), ("login_variant", "B")])
        },
        Picture(name: "items-42") { StageDriver(.items) },
        Picture(name: "items-10") { StageDriver(.items, overrides: [("maximum_item_count", "10")]) },
        Picture(name: "items-100") { StageDriver(.items, overrides: [("maximum_item_count", "100")]).pressing("jj") },
        Picture(name: "items-none") { StageDriver(.items, overrides: [("maximum_item_count", "-1")]) },
        Picture(name: "onboarding-three-steps") { StageDriver(.onboarding, overrides: [("AWESOME_FEATURE", "false")]) },
        Picture(name: "onboarding-four-steps") { StageDriver(.onboarding) },
        Picture(name: "location-side-by-side") { StageDriver().pressing("v") },
        Picture(name: "login-side-by-side") { StageDriver(.login).pressing("v") },
        Picture(name: "items-side-by-side") { StageDriver(.items).pressing("v") },
        Picture(name: "onboarding-side-by-side") { StageDriver(.onboarding).pressing("v") },
    ]

    private static let sizes: [Picture] = [
        Picture(name: "location-120x40") { StageDriver(columns: 120, rows: 40, overrides: multiple) },
        Picture(name: "login-side-by-side-120x40") { StageDriver(.login, columns: 120, rows: 40).pressing("v") },
        Picture(name: "location-40x10") { StageDriver(columns: 40, rows: 10, overrides: multiple).pressing("jjjjjj") },
        Picture(name: "login-40x10") { StageDriver(.login, columns: 40, rows: 10) },
        Picture(name: "items-40x10") { StageDriver(.items, columns: 40, rows: 10).pressing("jj") },
        Picture(name: "onboarding-40x10") { StageDriver(.onboarding, columns: 40, rows: 10) },
        Picture(name: "login-side-by-side-40x10") { StageDriver(.login, columns: 40, rows: 10).pressing("v") },
        Picture(name: "help-40x10") { StageDriver(columns: 40, rows: 10).pressing("?jj") },
        Picture(name: "too-small-39x10") { StageDriver(columns: 39, rows: 10) },
    ]

    private static let looks: [Picture] = [
        Picture(name: "login-ascii") { StageDriver(.login, charset: .ascii) },
        Picture(name: "login-no-color") { StageDriver(.login, isColorAllowed: false) },
        Picture(name: "location-no-color") { StageDriver(isColorAllowed: false, overrides: multiple) },
        Picture(name: "location-light") {
            var stage = StageDriver(overrides: multiple)
            stage.take(.backgroundDetected(.light))
            return stage
        },
    ]

    private static let situations: [Picture] = [
        Picture(name: "login-loading") { StageDriver(.login, remote: .loading) },
        Picture(name: "login-error") {
            let sentence = "remote-map.json: line 2, column 3: expected ',' or '}', found 'x'. Defaults are in use."
            return StageDriver(.login, remote: .failed(sentence), issues: [sentence])
        },
        Picture(name: "login-not-readable") { StageDriver(.login, overrides: [("login_screen", "{\"label\":")]) },
        Picture(name: "location-not-readable") { StageDriver(overrides: [("enable_multiple_locations", "maybe")]) },
        Picture(name: "location-overridden-with-the-same") {
            StageDriver(overrides: [("enable_multiple_locations", "false")])
        },
        Picture(name: "many-overrides") {
            StageDriver(
                overrides: [
                    ("enable_multiple_locations", "true"), ("AWESOME_FEATURE", "false"), ("maximum_item_count", "10"),
                    ("login_variant", "B"),
                ])
        },
        Picture(name: "changed") {
            var stage = StageDriver(overrides: multiple)
            guard let updates = stage.state.updates else { return stage }
            stage.take(.flagsRead(updates, sentence: "enable_multiple_locations: false -> true (override)"))
            return stage
        },
        Picture(name: "closed") { StageDriver(isClosed: true) },
        Picture(name: "help") { StageDriver().pressing("?") },
        Picture(name: "hostile-text") {
            StageDriver(
                .login,
                overrides: [
                    (
                        "login_screen",
                        #"""
                        {"label":{"text":"\u001b[31mred\u202e\n"},"button":{"text":"ログイン\u0007","color":{"red":999,"green":-1,"blue":0}}}
                        """#
                    )
                ])
        },
    ]
}

extension SavedText {
    /// A picture: its name and the stage that it shows.
    fileprivate init(name: String, stage: @escaping @Sendable () -> StageDriver) {
        self.init(name: name) { stage().dump }
    }
}
