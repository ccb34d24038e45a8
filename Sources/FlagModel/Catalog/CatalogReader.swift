/// Decodes `config_categories`: an array of categories with their items.
///
/// Malformed parts are left out and reported. As little as possible is left out: a member rather than its item, an item
/// rather than its category.
struct CatalogReader {
    private var catalog = Catalog()
    private var log: IssueLog

    private init(_ log: IssueLog) { self.log = log }

    /// Decodes the catalog in `root`, an array. `part` becomes the ``DocumentIssue/part`` of each issue.
    static func catalog(_ root: JSONValue, part: String?) -> Catalog {
        var reader = CatalogReader(IssueLog(root.document, part: part))
        reader.read(root)
        reader.catalog.issues = reader.log.issues
        return reader.catalog
    }

    private mutating func read(_ root: JSONValue) {
        catalog.reserveCapacity(root.elements.reduce(0) { $0 + ($1["items"]?.count ?? 0) })
        for category in root.elements where isObject(category, named: "a category") { readCategory(category) }
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
        for item in items.elements where isObject(item, named: "an item") { readItem(item) }
    }

    private mutating func isObject(_ value: JSONValue, named name: String) -> Bool {
        if value.kind == .object { return true }
        log.add("\(name) that is \(value.kindWords) was left out; expected an object", at: value)
        return false
    }

    private mutating func readItem(_ object: JSONValue) {
        var item = FlagItem(key: "")
        guard let key = readMembers(of: object, into: &item) else {
            return log.add("an item without a string \"key\" was left out", at: object)
        }
        item.key = key
        if !catalog.append(item) { log.add("duplicate key \(key.quoted); the first is used", at: object) }
    }

    /// Reads all members but the key, which is returned.
    private mutating func readMembers(of object: JSONValue, into item: inout FlagItem) -> FlagText? {
        var key: FlagText?
        var (minimum, maximum): (FlagText?, FlagText?)
        object.forEachMember { member, value in
            switch member {
            case "key": key = value.text
            case "value": if let options = text(value, named: "value") { item.optionSource = .text(options) }
            case "title": item.title = text(value, named: "title")
            case "description": item.details = text(value, named: "description")
            case "type": item.declaredType = type(value)
            case "owner": item.attributes.owner = text(value, named: "owner")
            case "expires": item.attributes.expires = text(value, named: "expires")
            case "requires": item.attributes.requires = requirements(value)
            case "min": minimum = number(value, named: "min")
            case "max": maximum = number(value, named: "max")
            case "restart": item.attributes.needsRestart = bool(value, named: "restart") ?? false
            // A value that is not valid is no reason to share what may be secret.
            case "secret": item.attributes.isSecret = bool(value, named: "secret") ?? (value.kind != .null)
            default: break
            }
        }
        if minimum != nil || maximum != nil {
            let bounds = NumberBounds(minimum: minimum, maximum: maximum)
            if bounds == nil {
                log.add("\"min\" is above \"max\"; both were ignored", at: object)
            } else if let type = item.declaredType, type != .int, type != .double {
                log.add("\"min\" and \"max\" do not apply to the type \(type.rawValue) and were ignored", at: object)
            } else {
                item.attributes.bounds = bounds
            }
        }
        checkOptions(item.optionSource, at: object)
        return key
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

    private mutating func bool(_ value: JSONValue, named name: String) -> Bool? {
        if value.bool == nil, value.kind != .null { ignore(value, named: name, expected: "true or false") }
        return value.bool
    }

    private mutating func number(_ value: JSONValue, named name: String) -> FlagText? {
        if value.kind == .number, FlagReading.double(value.source) != nil { return value.flagText }
        if value.kind != .null { ignore(value, named: name, expected: "a number") }
        return nil
    }

    private mutating func checkOptions(_ source: FlagItem.OptionSource, at object: JSONValue) {
        // So many options have at least as many bytes, mostly one for each bar.
        guard case .text(let options) = source, options.range.count >= FlagOption.limit,
            FlagOption.list(in: options).count > FlagOption.limit
        else { return }
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
