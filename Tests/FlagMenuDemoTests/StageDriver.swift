import FlagModel
import Flags
import Foundation
import TerminalUI
import TestSupport

@testable import FlagMenuDemo

/// The reducer and view of the demo on layered values, driven by keys as a user presses them.
///
/// The driver resolves the layers itself, because all tests share one process and the library allows one type per key.
/// The tests of the built program cover how the app reads its own keys.
struct StageDriver: Sendable {
    private(set) var state: StageState
    private(set) var effects: [StageEffect] = []
    private var values: LayerValues
    private let remote: RemoteStatus
    private let issues: [String]
    private let scenario: String?

    /// Creates a stage that has read its flags.
    ///
    /// - Parameter overrides: the overrides, on top of the remote values of `RemoteMap.document`.
    init(
        _ screen: StageScreen = .location, columns: Int = 80, rows: Int = 24, charset: Charset = .unicode,
        isColorAllowed: Bool = true, isClosed: Bool = false, overrides: [(String, String)] = [],
        remote: RemoteStatus = .loaded(at: FlagTimestamp(seconds: 1_795_255_200)), issues: [String] = [],
        scenario: String? = nil
    ) {
        values = LayerValues([.remote: LayerContent(Self.document)])
        (self.remote, self.issues, self.scenario) = (remote, issues, scenario)
        state = StageState(
            app: "remote-map", source: "remote-map.json", size: Size(columns: columns, rows: rows), charset: charset,
            isColorAllowed: isColorAllowed, isClosed: isClosed, screen: screen)
        for (key, value) in overrides { values.overrides[key] = FlagOverride(value: value) }
        read()
    }

    private static let document: ValueTable = {
        guard let document = try? RemoteDocument(parsing: Array(RemoteMap.document.utf8)) else { return ValueTable() }
        return document.values
    }()

    /// Clears all overrides and reads the flags again.
    mutating func clear() {
        values.overrides = [:]
        read()
    }

    private mutating func read() {
        let keys = values.overrides.keys.sorted()
        let (login, variant) = ("login_screen", "login_variant")
        let (a, b) = (text(of: .variantA), text(of: .variantB))
        let updates = StageUpdate(
            content: content(),
            variants: [
                .location: sides(of: "enable_multiple_locations", "false", "true"),
                .login: [content([login: a, variant: "A"]), content([login: b, variant: "B"])],
                .items: sides(of: "maximum_item_count", "10", "42"),
                .onboarding: sides(of: "AWESOME_FEATURE", "false", "true"),
            ],
            banner: keys.isEmpty ? nil : "\(keys.count.counted("override")): \(keys.joined(separator: ", "))",
            scenario: scenario, overrideCount: keys.count, remote: remote, issues: issues)
        take(.flagsRead(updates, sentence: nil))
    }

    private func sides(of key: String, _ names: String...) -> [StageContent] {
        names.map { content([key: $0]) }
    }

    private func text(of screen: LoginScreen) -> String {
        (try? JSONEncoder().encode(screen)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func content(_ launch: FlagTable<String> = [:]) -> StageContent {
        var values = values
        values[.launch] = LayerContent(texts: launch)
        func text(_ key: String, _ type: FlagType) -> String {
            values.resolve(FlagText(key), type: type).value?.string ?? ""
        }
        let screen = try? JSONDecoder().decode(LoginScreen.self, from: Data(text("login_screen", .json).utf8))
        let types: [String: FlagType] = [
            "enable_multiple_locations": .bool, "login_variant": .string, "login_screen": .json,
            "maximum_item_count": .int, "item_price_factor": .double, "AWESOME_FEATURE": .bool,
            "greeting_text": .string,
        ]
        return StageContent(
            hasMultipleLocations: FlagReading.bool(text("enable_multiple_locations", .bool)) ?? false,
            login: screen ?? .standard,
            loginVariant: LoginVariant(rawValue: text("login_variant", .string)) ?? .asksFirst,
            maximumItemCount: FlagReading.int(text("maximum_item_count", .int)) ?? 42, priceFactor: 1,
            hasAwesomeFeature: FlagReading.bool(text("AWESOME_FEATURE", .bool)) ?? false, greeting: "Welcome",
            decisions: StageScreen.allCases.reduce(into: [:]) { decisions, screen in
                decisions[screen] = screen.keys.map { values.resolve(FlagText($0), type: types[$0] ?? .string) }
            })
    }

    /// Handles an event.
    mutating func take(_ event: StageEvent) { effects = state.reduce(event) }

    /// Presses keys, written as a key script.
    mutating func press(_ script: String) {
        for key in KeyScript.parse(script) { take(.keyPressed(key)) }
    }

    /// Returns the stage after some keys.
    func pressing(_ script: String) -> StageDriver {
        var driver = self
        driver.press(script)
        return driver
    }

    /// The screen as text and styles.
    var dump: String { FrameDump.text(state.view.frame, cursor: state.view.cursor) }

    /// The screen as text.
    var text: String { state.plainLines.joined(separator: "\n") }
}
