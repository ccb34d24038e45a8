import FlagModel
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Firebase's in-app defaults: a property list (iOS) or a `defaultsMap` (Android).
///
/// Both are walked as XML, and a binary property list is turned into XML first, because only there a truth value can be
/// told from the number 1 on every platform, and a number keeps its spelling.
enum DefaultsXML {
    /// Defaults are small, and the XML reader is not built for more.
    static let sizeLimit = 16 << 20

    static func values(in bytes: [UInt8]) throws(DocumentError) -> ValueTable {
        guard bytes.count <= sizeLimit else {
            throw .unknownShape("the XML has \(bytes.count) bytes; at most \(sizeLimit) are read")
        }
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        let walker = DefaultsWalker()
        parser.delegate = walker
        let isWellFormed = parser.parse()
        if let problem = walker.problem { throw .unknownShape(problem) }
        guard isWellFormed, let values = walker.values else {
            let place = "line \(max(1, parser.lineNumber)), column \(max(1, parser.columnNumber))"
            throw .unknownShape("\(place): this is not well-formed XML")
        }
        return values
    }

    static func values(inBinary bytes: [UInt8]) throws(DocumentError) -> ValueTable {
        guard bytes.count <= sizeLimit else {
            throw .unknownShape("the property list has \(bytes.count) bytes; at most \(sizeLimit) are read")
        }
        guard let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
            let xml = try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        else { throw .unknownShape("the binary property list is damaged") }
        return try values(in: Array(xml))
    }
}

/// Follows the elements and builds the value of each; the open containers are a stack of its own, not recursion.
private final class DefaultsWalker: NSObject, XMLParserDelegate {
    /// A container that is not closed yet.
    private struct Container {
        let element: String
        var members: [(String, JSONOutput)] = []
        var elements: [JSONOutput] = []
        var keys: Set<FlagText> = []
        var key: String?
    }

    private(set) var values: ValueTable?
    private(set) var problem: String?
    private var open: [Container] = []
    private var text = ""
    private var root: String?

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        text = ""
        guard let root else {
            root = name
            if !["plist", "defaultsMap", "defaults"].contains(name) {
                refuse(parser, "the root element is <\(name)>; expected <plist> or <defaultsMap>")
            }
            if name != "plist" { open.append(Container(element: name)) }
            return
        }
        switch (root, name) {
        case ("plist", "dict"), ("plist", "array"): push(name, parser)
        case ("plist", "key"), ("plist", "string"), ("plist", "true"), ("plist", "false"), ("plist", "integer"),
            ("plist", "real"), ("plist", "date"), ("plist", "data"):
            break
        case ("plist", _): refuse(parser, "<\(name)> does not belong in a property list")
        case (_, "entry"): push(name, parser)
        case (_, "key"), (_, "value"): break
        default: refuse(parser, "<\(name)> does not belong in a map of defaults")
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, foundCDATA block: Data) { text += String(decoding: block, as: UTF8.self) }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch name {
        case "key": if !open.isEmpty { open[open.count - 1].key = text }
        case "string": add(.string(text), parser)
        case "value": add(.string(text), parser)
        case "true", "false": add(.bool(name == "true"), parser)
        case "integer", "real": add(Self.number(trimmed), parser)
        case "date": add(.string(trimmed), parser)
        case "data": add(.string(Self.text(ofBase64: trimmed)), parser)
        case "dict", "array", "entry", "defaultsMap", "defaults": close(parser)
        default: break
        }
        text = ""
    }

    private func push(_ name: String, _ parser: XMLParser) {
        guard open.count < JSONDocument.depthLimit else {
            return refuse(parser, "nested more than \(JSONDocument.depthLimit) levels deep")
        }
        open.append(Container(element: name))
    }

    private func add(_ value: JSONOutput, _ parser: XMLParser) {
        guard let last = open.indices.last else {
            return refuse(parser, "the property list is a single value; expected a dictionary")
        }
        guard open[last].element != "array" else { return open[last].elements.append(value) }
        guard let key = open[last].key else { return refuse(parser, "a value without a key before it") }
        guard open[last].keys.insert(FlagText(key)).inserted else {
            return refuse(parser, "the key \(JSONOutput.quoted(key, limit: 60)) stands twice")
        }
        open[last].members.append((key, value))
        open[last].key = nil
    }

    private func close(_ parser: XMLParser) {
        guard let closed = open.popLast() else { return }
        if closed.element == "entry", let home = open.indices.last {
            guard let member = closed.members.first else { return refuse(parser, "an entry without a key and a value") }
            open[home].key = member.0
            add(member.1, parser)
        } else if !open.isEmpty {
            add(closed.element == "array" ? .array(closed.elements) : .object(closed.members), parser)
        } else if closed.element == "array" {
            refuse(parser, "the property list is an array; expected a dictionary")
        } else {
            values = ValueTable(closed.members.lazy.map { (key: FlagText($0.0), value: FlagText($0.1.flagText)) })
        }
    }

    private func refuse(_ parser: XMLParser, _ sentence: String) {
        guard problem == nil else { return }
        problem = "line \(max(1, parser.lineNumber)), column \(max(1, parser.columnNumber)): \(sentence)"
        parser.abortParsing()
    }

    /// A number in its own spelling; text that is none must not become part of a JSON value as it is.
    private static func number(_ text: String) -> JSONOutput {
        FlagReading.double(text) == nil ? .string(text) : .raw(text)
    }

    /// Firebase reads data as UTF-8; what is none keeps its base64 text.
    private static func text(ofBase64 text: String) -> String {
        let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        return data.flatMap { String(data: $0, encoding: .utf8) } ?? text
    }
}

extension JSONOutput {
    /// How the value travels as a flag.
    fileprivate var flagText: String {
        switch self {
        case .string(let text), .raw(let text): text
        default: text(indented: false)
        }
    }
}
