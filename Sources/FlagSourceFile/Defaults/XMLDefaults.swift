import Essentials
import FlagModel

/// Builds values from XML events. A stack of the open containers replaces recursion.
final class XMLDefaults {
    /// A container that is not closed yet.
    private struct Container {
        let element: String
        var members: [(String, JSONOutput)] = []
        var elements: [JSONOutput] = []
        var keys: Set<FlagText> = []
        var key: String?
        /// The value of an entry.
        var value: JSONOutput?
    }

    /// The defaults; `nil` until the outermost map has ended.
    private(set) var values: ValueTable?
    private var open: [Container] = []
    private var text = ""
    private var root: String?
    /// The number of open elements that are left out.
    private var skippedDepth = 0

    /// Handles a part of the text inside an element, with XML's own entities and CDATA resolved.
    func append(_ part: String) { if skippedDepth == 0 { text += part } }

    /// Handles the start of an element.
    func start(_ name: String) throws(DefaultsError) {
        guard skippedDepth == 0 else { return skippedDepth += 1 }
        defer { if skippedDepth == 0 { text = "" } }
        guard let root else { return try startRoot(name) }
        switch (root, name) {
        case ("plist", "dict"), ("plist", "array"): try push(name)
        case ("plist", "key"), ("plist", "string"), ("plist", "true"), ("plist", "false"), ("plist", "integer"),
            ("plist", "real"), ("plist", "date"), ("plist", "data"):
            break
        case ("plist", _): throw skipping(name, in: "a property list")
        case (_, "entry"): try push(name)
        case (_, "key"), (_, "value"): break
        default: throw skipping(name, in: "a map of defaults")
        }
    }

    private func skipping(_ name: String, in place: String) -> DefaultsError {
        skippedDepth = 1
        return .leftOut("<\(name)>, which does not belong in \(place),")
    }

    private func startRoot(_ name: String) throws(DefaultsError) {
        guard ["plist", "defaultsMap", "defaults"].contains(name) else {
            throw DefaultsError(sentence: "the root element is <\(name)>; expected <plist> or <defaultsMap>")
        }
        root = name
        if name != "plist" { open.append(Container(element: name)) }
    }

    /// Handles the end of an element.
    func end(_ name: String) throws(DefaultsError) {
        guard skippedDepth == 0 else { return skippedDepth -= 1 }
        let trimmed = Self.trimmed(text)
        switch name {
        case "key":
            if let last = open.indices.last {
                let previous = open[last].key
                open[last].key = text
                if let previous { throw .leftOut("the key \(JSONOutput.quoted(previous, limit: 60)) without a value") }
            }
        case "string", "value": try add(.string(text))
        case "true", "false": try add(.bool(name == "true"))
        case "integer", "real":
            guard let number = JSONOutput.number(spelled: trimmed, isReal: name == "real") else {
                let key = open.last?.key.map { "\(JSONOutput.quoted($0, limit: 60)), " } ?? ""
                if let last = open.indices.last { open[last].key = nil }
                throw .leftOut("\(key)whose <\(name)> \(JSONOutput.quoted(trimmed, limit: 60)) is not a number,")
            }
            try add(number)
        case "date": try add(.string(trimmed))
        case "data": try add(.data(Data(base64Encoded: text.filter { !$0.isWhitespace }), base64: trimmed))
        case "dict", "array", "entry", "defaultsMap", "defaults": try close()
        default: break
        }
        text = ""
    }

    private func push(_ name: String) throws(DefaultsError) {
        guard values == nil else { throw DefaultsError(sentence: "<\(name)> after the property list's dictionary") }
        guard open.count < JSONDocument.depthLimit else { throw .tooDeep }
        open.append(Container(element: name))
    }

    private func add(_ value: JSONOutput) throws(DefaultsError) {
        guard let last = open.indices.last else { throw .notADictionary("a single value") }
        guard open[last].element != "array" else { return open[last].elements.append(value) }
        guard open[last].element != "entry" else {
            let isSecond = open[last].value != nil
            open[last].value = value
            if isSecond { throw .leftOut("the first of two values of an entry") }
            return
        }
        guard let key = open[last].key else { throw .leftOut("a value without a key before it") }
        open[last].key = nil
        guard open[last].keys.insert(FlagText(key)).inserted else {
            let sentence = "duplicate key \(JSONOutput.quoted(key, limit: 60)); the first is used"
            throw DefaultsError(sentence: sentence, isOfEntry: true)
        }
        open[last].members.append((key, value))
    }

    private func close() throws(DefaultsError) {
        guard let closed = open.popLast() else { return }
        if closed.element == "entry", let parent = open.indices.last {
            guard let key = closed.key, let value = closed.value else {
                throw .leftOut("an entry without a key and a value")
            }
            open[parent].key = key
            try add(value)
        } else if !open.isEmpty {
            try add(closed.element == "array" ? .array(closed.elements) : .object(closed.members))
        } else if closed.element == "array" {
            throw .notADictionary("an array")
        } else {
            values = ValueTable(flags: closed.members)
        }
        if closed.element == "dict", let key = closed.key {
            throw .leftOut("the key \(JSONOutput.quoted(key, limit: 60)) without a value")
        }
    }

    /// The text without surrounding white space, as XML defines it.
    private static func trimmed(_ text: String) -> String {
        let isNotSpace: (UInt8) -> Bool = { !" \t\r\n".utf8.contains($0) }
        guard let first = text.utf8.firstIndex(where: isNotSpace), let last = text.utf8.lastIndex(where: isNotSpace)
        else {
            return ""
        }
        return String(decoding: text.utf8[first...last], as: UTF8.self)
    }
}
