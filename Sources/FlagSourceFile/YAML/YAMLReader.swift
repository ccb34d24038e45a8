import CYAML
import FlagModel

/// Parses YAML with libyaml and translates each document to the JSON that it means.
///
/// Every value is on the line of the JSON that it has in the YAML, so that warnings name the right line. Plain texts are
/// numbers only as JSON spells them, and bools and null only as YAML 1.2 does: `on` and `01067` are texts, so that no
/// code, version or variant of that name changes.
struct YAMLReader {
    /// The size limit in bytes, of a text and of its values when all aliases are replaced by what they refer to: a few
    /// bytes of aliases can mean gigabytes.
    static let sizeLimit = 16 << 20
    /// How many directives `%TAG` a text may have: libyaml compares each with all before it.
    private static let tagDirectiveLimit = 100

    /// A mapping or a sequence that is not closed yet.
    private struct Container {
        let start: yaml_mark_t
        let anchor: String?
        let isMapping: Bool
        var elements: [YAMLNode] = []
        var keys: [YAMLNode] = []
        var names: Set<FlagText> = []
        var size = 1
        var depth = 1
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeBufferPointer<UInt8>
    private var open: [Container] = []
    private var anchors: [String: YAMLNode] = [:]
    private var documents: [YAMLNode] = []
    /// The size of all documents, with the empty lines that are written before each.
    private var size = 0

    /// The JSON of each document.
    ///
    /// - Throws: the error with its line and column, counted from 1.
    static func documents(in bytes: [UInt8]) throws(DocumentError) -> [[UInt8]] {
        guard bytes.count <= sizeLimit else {
            throw .unknownShape("the YAML has \(bytes.count) bytes; at most \(sizeLimit) are read")
        }
        let directives = bytes.split(separator: UInt8(ascii: "\n")).lazy.filter { $0.starts(with: "%TAG".utf8) }
        guard directives.dropFirst(tagDirectiveLimit).isEmpty else {
            throw .unknownShape("the YAML has more than \(tagDirectiveLimit) %TAG directives")
        }
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { throw .unknownShape("out of memory while reading YAML") }
        defer { yaml_parser_delete(parser) }
        let result = bytes.withUnsafeBufferPointer { text in
            // The address is nil only for an empty text, of which libyaml needs one too.
            yaml_parser_set_input_string(parser, text.baseAddress ?? UnsafePointer(bitPattern: 1), text.count)
            var reader = YAMLReader(parser: parser, text: text)
            return Result { () throws(DocumentError) in try reader.read() }.map { reader.documents }
        }
        return try result.get().map { node in
            var writer = YAMLNode.Writer()
            writer.write(node)
            return writer.bytes
        }
    }

    private init(parser: UnsafeMutablePointer<yaml_parser_t>, text: UnsafeBufferPointer<UInt8>) {
        (self.parser, self.text) = (parser, text)
    }

    private mutating func read() throws(DocumentError) {
        var isAtEnd = false
        while !isAtEnd {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError }
            defer { yaml_event_delete(&event) }
            isAtEnd = event.type == YAML_STREAM_END_EVENT
            try read(event)
        }
    }

    private mutating func read(_ event: yaml_event_t) throws(DocumentError) {
        let start = event.start_mark
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: anchors = [:]
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let node = YAMLNode(start, .scalar(Self.json(scalar)), size: 1 + scalar.length, text: Self.text(scalar))
            try add(node, anchor: Self.string(scalar.anchor), at: start)
        case YAML_ALIAS_EVENT:
            let name = Self.string(event.data.alias.anchor) ?? ""
            guard let node = anchors[name] else {
                throw error("the alias \(JSONOutput.quoted(name, limit: 60)) refers to nothing before it", at: start)
            }
            try add(node, anchor: nil, at: start)
        case YAML_MAPPING_START_EVENT:
            try push(start, anchor: Self.string(event.data.mapping_start.anchor), isMapping: true)
        case YAML_SEQUENCE_START_EVENT:
            try push(start, anchor: Self.string(event.data.sequence_start.anchor), isMapping: false)
        case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT:
            guard let closed = open.popLast() else { return }
            let members = zip(closed.keys, closed.elements).map { (key: $0, value: $1) }
            let content = closed.isMapping ? .object(Self.merged(members)) : YAMLNode.Content.array(closed.elements)
            let node = YAMLNode(closed.start, content, size: closed.size, depth: closed.depth)
            try add(node, anchor: closed.anchor, at: closed.start)
        default: break
        }
    }

    private func requireDepth(_ depth: Int, at place: yaml_mark_t) throws(DocumentError) {
        guard depth <= JSONDocument.depthLimit else {
            throw error("nested more than \(JSONDocument.depthLimit) levels deep", at: place)
        }
    }

    private mutating func push(_ start: yaml_mark_t, anchor: String?, isMapping: Bool) throws(DocumentError) {
        try requireDepth(open.count + 1, at: start)
        open.append(Container(start: start, anchor: anchor, isMapping: isMapping))
    }

    /// Adds a finished node to the innermost container, or to the documents.
    private mutating func add(_ node: YAMLNode, anchor: String?, at place: yaml_mark_t) throws(DocumentError) {
        if let anchor { anchors[anchor] = node }
        guard let last = open.indices.last else { return try addDocument(node, at: place) }
        try requireDepth(open.count + node.depth, at: place)
        open[last].depth = max(open[last].depth, node.depth + 1)
        open[last].size += node.size
        guard open[last].size <= Self.sizeLimit else {
            throw error("the aliases expand to more than \(Self.sizeLimit) bytes", at: place)
        }
        if open[last].isMapping, open[last].keys.count == open[last].elements.count {
            guard let key = node.text else { throw error("a key that is not a text", at: place) }
            guard key == YAMLNode.mergeKey || open[last].names.insert(FlagText(key)).inserted else {
                throw error("duplicate key \(JSONOutput.quoted(key, limit: 60))", at: place)
            }
            open[last].keys.append(node)
        } else {
            open[last].elements.append(node)
        }
    }

    /// Adds a finished document. An empty one, such as after a last `---`, is none.
    private mutating func addDocument(_ node: YAMLNode, at place: yaml_mark_t) throws(DocumentError) {
        guard node.text != "" else { return }
        size += node.size + place.line
        guard size <= Self.sizeLimit else {
            throw error("the documents expand to more than \(Self.sizeLimit) bytes", at: place)
        }
        documents.append(node)
    }

    /// The members with those of the mappings that the key `<<` names, unless a mapping has the key itself.
    private static func merged(_ members: [YAMLNode.Member]) -> [YAMLNode.Member] {
        guard members.contains(where: { $0.key.text == YAMLNode.mergeKey }) else { return members }
        var result = members.filter { $0.key.text != YAMLNode.mergeKey || $0.value.mappings == nil }
        var names = Set(result.compactMap { $0.key.text.map { FlagText($0) } })
        for member in members.lazy.filter({ $0.key.text == YAMLNode.mergeKey }).flatMap({ $0.value.mappings ?? [] })
        where names.insert(FlagText(member.key.text ?? "")).inserted {
            result.append(member)
        }
        return result
    }

    private var syntaxError: DocumentError {
        let issue = yaml_parser_issue(parser).map { String(cString: $0) } ?? "it cannot be parsed"
        var mark = yaml_parser_issue_mark(parser)
        // For bytes that are not text, libyaml gives only their offset.
        if let offset = Int(exactly: yaml_parser_issue_offset(parser)), parser.pointee.error == YAML_READER_ERROR {
            let before = text.prefix(offset)
            mark.line = before.count { $0 == UInt8(ascii: "\n") }
            mark.column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
        }
        return error("this is not well-formed YAML, \(issue)", at: mark)
    }

    private func error(_ sentence: String, at mark: yaml_mark_t) -> DocumentError {
        .unknownShape("line \(mark.line + 1), column \(mark.column + 1): \(sentence)")
    }

    // The texts of events.

    private typealias Scalar = yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar

    private static func string(_ name: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        name.map { String(cString: $0) }
    }

    private static func text(_ scalar: Scalar) -> String {
        String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    }

    /// The scalar as JSON: a plain text is a number if JSON spells it the same, and a bool or null as in YAML 1.2.
    private static func json(_ scalar: Scalar) -> String {
        let text = text(scalar)
        let tag = string(scalar.tag)
        let isText = tag.map { $0 == "!" || $0.hasSuffix(":str") } ?? (scalar.plain_implicit == 0)
        guard !isText else { return JSONOutput.quoted(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return "null"
        case "true", "True", "TRUE": return "true"
        case "false", "False", "FALSE": return "false"
        default: return FlagReading.double(text) == nil ? JSONOutput.quoted(text) : text
        }
    }
}
