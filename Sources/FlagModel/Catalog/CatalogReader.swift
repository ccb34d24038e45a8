/// Decodes `config_categories`: an array of categories with their items.
///
/// Malformed parts are left out and reported. As little as possible is left out: a member rather than its item, an item
/// rather than its category.
struct CatalogReader {
    private var catalog = Catalog()
    private var log: IssueLog

    private init(_ log: IssueLog) { self.log = log }

    /// Decodes the catalog in `root`, an array. `part` becomes the ``DocumentIssue/part`` of each issue.
    static func catalog(in document: JSONDocument, root: JSONValue, part: String?) -> Catalog {
        var reader = CatalogReader(IssueLog(document, part: part))
        reader.read(root)
        reader.catalog.issues = reader.log.issues
        return reader.catalog
    }

    private mutating func read(_ root: JSONValue) {
        catalog.reserveCapacity(root.elements.reduce(0) { $0 + ($1["items"]?.count ?? 0) })
        for category in root.elements {
            if category.kind == .object {
                readCategory(category)
            } else {
                log.add("a category that is \(category.kindWords) was left out; expected an object", at: category)
            }
        }
    }

    private mutating func readCategory(_ category: JSONValue) {
        if category["category"]?.text == nil {
            log.add("a category without a string \"category\" is listed as \"Other\"", at: category)
        }
        let details = category["description"].flatMap { text($0, named: "description") }
        catalog.beginCategory(category["category"]?.text ?? Catalog.otherName, details: details)
        guard let items = category["items"], items.kind == .array else {
            return log.add("a category without an array \"items\" has no flags", at: category)
        }
        for item in items.elements {
            if item.kind == .object {
                readItem(item)
            } else {
                log.add("an item that is \(item.kindWords) was left out; expected an object", at: item)
            }
        }
    }

    private mutating func readItem(_ object: JSONValue) {
        var draft = ItemDraft()
        let tape = object.tape
        // A loop, because a closure that captures the draft would copy the draft's texts for each of 100,000 items.
        var member = object.index + 1
        let end = Int(object.node.extent)
        while member < end {
            if !readText(member + 1, of: member, on: tape, into: &draft) {
                read(JSONValue(tape: tape, index: member + 1), of: tape.string(at: member), into: &draft)
            }
            member = tape.next(after: member + 1)
        }
        // Called only for items that need these checks: passing a draft retains its texts, which is slow for 100,000
        // items.
        if draft.minimum != nil || draft.maximum != nil { checkBounds(of: draft, at: object) }
        if let options = draft.options, options.range.count >= FlagOption.limit {
            checkOptions(options, at: object)
        }
        guard let key = draft.key else {
            return log.add("an item without a string \"key\" was left out", at: object)
        }
        if !catalog.append(draft.finished(key)) {
            log.add("duplicate key \(key.quoted); the first is used", at: object)
        }
    }

    /// Reads a member that nearly every item has, without the slower checks of `read`. Returns `false` for any other
    /// member, and for a value that is not a string. `value` and `key` are indices on the tape.
    private func readText(_ value: Int, of key: Int, on tape: JSONTape, into draft: inout ItemDraft) -> Bool {
        guard tape.isString(at: value) else { return false }
        if tape.isWord("key", at: key) {
            draft.key = tape.string(at: value)
        } else if tape.isWord("value", at: key) {
            draft.options = tape.string(at: value)
        } else if tape.isWord("title", at: key) {
            draft.title = tape.string(at: value)
        } else if tape.isWord("description", at: key) {
            draft.details = tape.string(at: value)
        } else {
            return false
        }
        return true
    }

    private mutating func read(_ value: JSONValue, of key: FlagText, into draft: inout ItemDraft) {
        if key.isWord("key") {
            draft.key = value.text
        } else if key.isWord("value") {
            draft.options = text(value, named: "value")
        } else if key.isWord("title") {
            draft.title = text(value, named: "title")
        } else if key.isWord("description") {
            draft.details = text(value, named: "description")
        } else {
            readExtension(value, of: key, into: &draft)
        }
    }

    /// Reads a member that other parsers of `config_categories` do not know.
    private mutating func readExtension(_ value: JSONValue, of key: FlagText, into draft: inout ItemDraft) {
        if key.isWord("type") {
            draft.type = type(value)
        } else if key.isWord("owner") {
            draft.owner = text(value, named: "owner")
        } else if key.isWord("expires") {
            draft.expires = text(value, named: "expires")
        } else if key.isWord("requires") {
            draft.requires = requirements(value)
        } else if key.isWord("min") {
            draft.minimum = number(value, named: "min")
        } else if key.isWord("max") {
            draft.maximum = number(value, named: "max")
        } else if key.isWord("restart") {
            draft.needsRestart = value.bool ?? false
            if value.bool == nil, value.kind != .null { ignore(value, named: "restart", expected: "true or false") }
        }
    }

    private mutating func type(_ value: JSONValue) -> FlagType? {
        guard let name = text(value, named: "type") else { return nil }
        let type = FlagType(rawValue: name.string)
        if type == nil {
            let typeNames = FlagType.allCases.map(\.rawValue).joined(separator: ", ")
            log.add("the type \(name.quoted) was ignored; the types are \(typeNames)", at: value)
        }
        return type
    }

    private mutating func requirements(_ value: JSONValue) -> [FlagText] {
        guard value.kind == .array else { return text(value, named: "requires").map { [$0] } ?? [] }
        var keys: [FlagText] = []
        for element in value.elements {
            if let key = element.text {
                keys.append(key)
            } else {
                ignore(element, named: "requires", expected: "a key or a list of keys")
            }
        }
        return keys
    }

    private mutating func number(_ value: JSONValue, named name: String) -> FlagText? {
        if value.kind == .number, FlagReading.double(value.source) != nil { return value.flagText }
        if value.kind != .null { ignore(value, named: name, expected: "a number") }
        return nil
    }

    private mutating func checkBounds(of draft: ItemDraft, at object: JSONValue) {
        if draft.bounds == nil {
            log.add("\"min\" is above \"max\"; both were ignored", at: object)
        } else if let type = draft.type, type != .int, type != .double {
            log.add("\"min\" and \"max\" do not apply to the type \(type.rawValue) and were ignored", at: object)
        }
    }

    private mutating func checkOptions(_ options: FlagText, at object: JSONValue) {
        guard FlagOption.list(in: options).count > FlagOption.limit else { return }
        log.add(
            "\"value\" lists more than \(FlagOption.limit) options; the first \(FlagOption.limit) are offered, and any value can be set",
            at: object)
    }

    private mutating func text(_ value: JSONValue, named name: String) -> FlagText? {
        if let text = value.text { return text }
        if value.kind != .null { ignore(value, named: name, expected: "a string") }
        return nil
    }

    private mutating func ignore(_ value: JSONValue, named name: String, expected: String) {
        log.add("\"\(name)\" is \(value.kindWords) and was ignored; expected \(expected)", at: value)
    }
}

/// The members of an item that is being read.
private struct ItemDraft {
    var key: FlagText?
    var options: FlagText?
    var title: FlagText?
    var details: FlagText?
    var type: FlagType?
    var owner: FlagText?
    var expires: FlagText?
    var requires: [FlagText] = []
    var needsRestart = false
    var minimum: FlagText?
    var maximum: FlagText?

    var bounds: NumberBounds? { NumberBounds(minimum: minimum, maximum: maximum) }

    /// The item with this key and the draft's members. Moves the draft's references into the item.
    @inline(__always)
    consuming func finished(_ key: FlagText) -> FlagItem {
        FlagItem(
            key: key, title: title, details: details, optionSource: options.map { .text($0) } ?? .list([]),
            declaredType: type, owner: owner, expires: expires, requires: requires, needsRestart: needsRestart,
            bounds: bounds)
    }
}
