import DeveloperMenu
import FlagModel
import FlagQueries
import FlagStorage

/// The last menu session of an app: `session.json` in the app's state folder. It is not in the store's folder, because
/// several people may share a store.
package struct SessionFile: Sendable {
    /// The version of the file format.
    private static let format = 1

    package let path: String
    /// Whether to start without the last session.
    package var isFresh = false

    /// The file in a folder.
    package init(in folder: String) { path = FilePath.join(folder, "session.json") }

    /// Saves a session. Errors are ignored: they are not worth interrupting the user.
    func keep(_ session: MenuSession) {
        let text = JSONOutput.object([("format", .integer(Self.format))] + session.members).text() + "\n"
        _ = try? DurableFile.replace(path, with: Array(text.utf8), durability: .atomicOnly)
    }

    /// Reads the last session; `nil` if there is none. A file that cannot be used stays unchanged.
    ///
    /// - Returns: the event about it, and whether the file can be replaced.
    func read() -> (event: SettingsEvent?, isUsable: Bool) {
        do {
            guard let bytes = try DurableFile.read(path) else { return (nil, true) }
            let root = try JSONDocument(parsing: bytes).root
            guard root["format"]?.source == String(Self.format) else {
                let reason = "\(path) has another version; it was not changed, and nothing was restored."
                return (.sessionNotRead(reason: reason), false)
            }
            return (isFresh ? nil : .sessionRestored(MenuSession(root)), true)
        } catch {
            let place = error is JSONError ? "\(path): " : ""
            let reason = "\(place)\(error.asSentence) Nothing was restored; remove the file to start over."
            return (.sessionNotRead(reason: reason), false)
        }
    }
}

extension MenuSession {
    fileprivate var members: [(String, JSONOutput)] {
        var members: [(String, JSONOutput)] = [("pins", .array(pins.map(JSONOutput.string)))]
        if let order { members.append(("order", .string(order.rawValue))) }
        if !folded.isEmpty { members.append(("folded", .array(folded.sorted().map(JSONOutput.string)))) }
        if let selectedKey { members.append(("selected", .string(selectedKey))) }
        if let theme { members.append(("theme", .string(theme.rawValue))) }
        if let mouse { members.append(("mouse", .bool(mouse))) }
        return members
    }

    /// Parses a session: missing and invalid members get the values of a first start.
    fileprivate init(_ root: JSONValue) {
        func text(_ name: String) -> String? { root[name]?.text?.string }
        func texts(_ name: String) -> [String] { root[name]?.elements.compactMap { $0.text?.string } ?? [] }
        self.init(
            selectedKey: text("selected"), order: text("order").flatMap(ListOrder.init), folded: Set(texts("folded")),
            pins: texts("pins"),
            theme: text("theme").flatMap(Preferences.ThemeChoice.init), mouse: root["mouse"]?.bool)
    }
}
