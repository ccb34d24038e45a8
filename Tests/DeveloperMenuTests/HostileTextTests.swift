import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Any text of a document or a store, even a hostile one, stays inside its own cells.
@Suite(.slow) struct HostileTextTests {
    /// Texts that data may contain, each with a name for failure messages.
    private static let payloads: [(name: String, text: String)] = [
        ("escape", "a\u{1B}[2J\u{1B}[31mb"), ("osc 52", "a\u{1B}]52;c;aGk=\u{7}b"), ("c1", "a\u{9B}31mb\u{90}c"),
        ("return", "aaaa\rbb"), ("newlines", "one\ntwo\r\nthree\n\n"), ("tabs", "a\tb\tc"), ("nul", "a\0b"),
        ("delete", "a\u{7F}\u{8}\u{8}b"), ("bidi override", "a\u{202E}dcba\u{202C}"),
        ("bidi isolate", "a\u{2066}b\u{2069}"),
        ("arabic", "مرحبا"), ("zero width", "a\u{200B}\u{200D}\u{FEFF}b"), ("tags", "a\u{E0041}\u{E0042}"),
        ("marks", "a" + String(repeating: "\u{301}", count: 300)), ("lone mark", "\u{301}x"),
        ("separators", "a\u{2028}b\u{2029}c"), ("nonbreaking", "a\u{A0}b"), ("wide", "日本語"),
        ("emoji", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿👍🏽🇩🇪❤️"), ("noncharacter", "a\u{FFFF}b"), ("empty", ""), ("space", "   "),
        ("long", String(repeating: "long ", count: 1_000)), ("long word", String(repeating: "x", count: 5_000)),
        ("long wide", String(repeating: "長", count: 2_000)), ("border", "│┐└─┘"),
    ]

    /// The text fields of a document and a store.
    enum Field: String, CaseIterable, Sendable {
        case key, title, details, value, option, category, owner, expires, requires, override, author, launch
    }

    @Test(arguments: Field.allCases)
    func `hostile text changes no other cells`(field: Field) {
        for size in [Size(columns: 80, rows: 16), Size(columns: 165, rows: 16)] {
            // A lone combining mark joins the character before it, so the value takes one column less.
            for (name, text) in Self.payloads where field != .value || name != "lone mark" {
                // Columns adapt to the content, so the other text must have the same width.
                let harmlessText = String(repeating: "h", count: DisplayText.width(text))
                let harmless = frame(field, harmlessText, size, keys: Self.otherSelected)
                let shown = frame(field, text, size, keys: Self.otherSelected)
                expectSafe(shown, "\(field) \(name)")
                expectEqualOutsideItem(shown, harmless, field, "\(field) \(name) at \(size.columns)")
            }
        }
    }

    @Test(arguments: Field.allCases)
    func `sheets are safe`(field: Field) {
        let size = Size(columns: 110, rows: 12)
        for (name, text) in Self.payloads {
            for keys in ["i", "<enter>", "C", "s<enter>", "sj<enter>"] {
                expectSafe(frame(field, text, size, keys: keys), "\(field) \(name) after \(keys)")
            }
        }
    }

    /// Unsafe characters are shown escaped, not hidden.
    @Test(arguments: [
        ("a\u{1B}[2Jb", "a^[[2Jb"), ("a\rb", "a^Mb"), ("a\nb", "a⏎b"), ("a\u{202E}b", "a<U+202E>b"),
        ("a\u{200B}b", "a<U+200B>b"), ("a\u{9B}b", "a<U+009B>b"),
    ])
    func `control characters are escaped`(text: String, shown: String) {
        var menu = menu(.title, text, Size(columns: 80, rows: 24), .unicode)
        #expect(menu.lines[2].contains(shown), "\(menu.lines[2])")
        #expect(menu.press("<enter>").lines.contains { $0.contains("┌ \(shown) ─") })
    }

    @Test func `ascii screens contain only ASCII`() {
        for field in [Field.key, .title, .details, .value, .override, .category] {
            for (name, text) in Self.payloads {
                for keys in ["", "<enter>"] {
                    let frame = frame(field, text, Size(columns: 80, rows: 10), keys: keys, charset: .ascii)
                    let rows = (0..<frame.size.rows).map { frame.text(ofRow: $0) }.joined()
                    #expect(rows.unicodeScalars.allSatisfy { $0.isASCII }, "\(field) \(name) after \(keys)")
                }
            }
        }
    }

    @Test func `external messages are safe`() {
        for (name, text) in Self.payloads {
            let events: [Event] = [
                .remote(.fetchFailed(id: 0, errors: [text])), .store(.read(OverrideTable(), error: text)),
                .store(.moveRefused(id: 0, reason: text, isAtEnd: false)),
                .store(.moved(id: 0, OverrideTable(), changes: [], notice: text)),
                .store(.notWatched(reason: text)), .settings(.preferencesNotWatched(reason: text)),
                .store(.saved(id: 1, OverrideTable(), notice: text)),
                .remote(
                    .activated(
                        RemoteContent(snapshot: .sample, fetchedAt: MenuDriver.now, warnings: [text]), by: .menu(id: 0))
                ),
            ]
            for event in events {
                var menu = MenuDriver()
                let before = menu.state.screen.frame
                menu.happens(event)
                let frame = menu.state.screen.frame
                expectSafe(frame, name)
                // Title, notice, message and footer may differ. The list may only move by the height of a notice.
                let shift = menu.state.layout.list.row - 1
                #expect((0...3).contains(shift), "\(name)")
                #expect(menu.state.layout.messageRow == 22, "\(name)")
                let end = 23 - MessageView(state: menu.state).rows
                for row in 1..<(end - shift) {
                    let (shown, expected) = (frame.text(ofRow: row + shift), before.text(ofRow: row))
                    #expect(shown == expected, "\(name), row \(row)")
                }
            }
        }
    }

    @Test func `typed and pasted text is safe`() {
        for (name, text) in Self.payloads {
            for keys in ["/", "G<enter>", "?"] {
                var menu = MenuDriver(pressing: keys)
                menu.happens(.key(.paste(text)))
                let screen = menu.state.screen
                expectSafe(screen.frame, "\(name) after \(keys)")
                #expect(screen.cursor.map { screen.frame.region.contains($0) } == true)
                menu.press("<left><left><home><right><end><bs><c-w><c-u>")
                expectSafe(menu.state.screen.frame, "\(name) edited after \(keys)")
            }
        }
    }
}

extension HostileTextTests {
    /// Selects the flag below, so that only the row of the item shows its text.
    private static let otherSelected = "j"

    /// The screen with a text in a field, after some keys.
    private func frame(_ field: Field, _ text: String, _ size: Size, keys: String, charset: Charset = .unicode) -> Frame
    {
        var menu = menu(field, text, size, charset)
        menu.press(keys)
        return menu.state.screen.frame
    }

    private func menu(_ field: Field, _ text: String, _ size: Size, _ charset: Charset) -> MenuDriver {
        func pick(_ place: Field, _ other: String) -> String { place == field ? text : other }
        let key = pick(.key, "item_key")
        let item = JSONOutput.object([
            ("key", .string(key)), ("title", .string(pick(.title, field == .key ? "" : "Title"))),
            ("description", .string(pick(.details, "What it does."))),
            ("value", .string("one|two|" + pick(.option, "three"))),
            ("owner", .string(pick(.owner, "ana"))), ("expires", .string(pick(.expires, "2027-01-31"))),
            ("requires", .array([.string(pick(.requires, "other"))])),
        ])
        let other = JSONOutput.object([("key", .string("other")), ("value", .string("a|b"))])
        let categories = JSONOutput.array([
            .object([("category", .string(pick(.category, "Category"))), ("items", .array([item]))]),
            .object([("category", .string("Below")), ("items", .array([other]))]),
        ])
        let document = JSONOutput.object([
            (key, .string(pick(.value, "one"))), ("other", .string("a")), ("config_categories", categories),
        ])
        var menu = MenuDriver(
            .snapshot(document.text()), columns: size.columns, rows: size.rows, charset: charset,
            launch: field == .launch ? [key: text] : [:])
        let override = FlagOverride(value: pick(.override, "two"), setAt: MenuDriver.now, setBy: pick(.author, "ana"))
        menu.happens(.store(.read(OverrideTable(revision: 1, overrides: [key: override]), error: nil)))
        menu.scenarios = ["first": [key: "three"], "second": [text: text]]
        return menu
    }

    /// Expects no control characters, and both halves of every wide character.
    private func expectSafe(_ frame: Frame, _ comment: @autoclosure () -> String) {
        let cell = frame.unsafeCell
        #expect(cell == nil, "\(comment())")
    }

    /// Only the item's row or header, and the category pane if it is shown, may differ; a name or a value also moves the
    /// columns of the list.
    private func expectEqualOutsideItem(_ frame: Frame, _ other: Frame, _ field: Field, _ comment: String) {
        let movesColumns = [.key, .title, .value, .option].contains(field)
        let itemRows = field == .category ? 1...1 : movesColumns ? 1...5 : 2...2
        for row in 0..<frame.size.rows where !itemRows.contains(row) {
            let first = field == .category && frame.size.columns >= 160 ? 31 : 0
            let isEqual = (first..<frame.size.columns).allSatisfy { frame[row, $0] == other[row, $0] }
            #expect(isEqual, "\(comment), row \(row): \(frame.text(ofRow: row))")
        }
    }
}
