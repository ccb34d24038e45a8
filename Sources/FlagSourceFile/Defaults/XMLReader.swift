import CExpat
import FlagModel

/// Reads Firebase's in-app defaults from XML with expat: a property list (iOS) or a `defaultsMap` (Android). No other
/// files are read.
///
/// A document type may be named, as in property lists, but must not declare anything: declared entities and attributes
/// can make a few bytes expand to gigabytes, and external entities would read files.
final class XMLReader {
    /// The size limit in bytes. Real defaults are small, and parsed values take many times the memory of their text.
    static let sizeLimit = 16 << 20
    /// The maximum number of entries that are reported as left out.
    private static let issueLimit = 100

    private let parser: XML_Parser
    private let defaults = XMLDefaults()
    private var issue: String?
    private var entryIssues: [DocumentIssue] = []
    private var leftOutCount = 0

    /// Reads a whole document. Errors begin with line and column, counted from 1.
    ///
    /// - Returns: the values, and the errors of entries, which are left out.
    static func read(_ bytes: [UInt8]) throws(DocumentError) -> (values: ValueTable, issues: [DocumentIssue]) {
        guard bytes.count <= sizeLimit else {
            throw .unknownShape("the XML has \(bytes.count) bytes; at most \(sizeLimit) are read")
        }
        guard let parser = XML_ParserCreate(nil) else { throw .unknownShape("out of memory while reading XML") }
        let reader = XMLReader(parser)
        try reader.parse(bytes)
        guard let values = reader.defaults.values else {
            throw .unknownShape("the property list is empty; expected a dictionary")
        }
        var issues = reader.entryIssues
        if reader.leftOutCount > issueLimit {
            let words = (reader.leftOutCount - issueLimit).counted("more entry is", "more entries are")
            issues.append(DocumentIssue(sentence: "\(words) left out"))
        }
        return (values, issues)
    }

    private init(_ parser: XML_Parser) {
        self.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, _ in
                // The attributes are dropped: defaults do not use them.
                XMLReader.of(context)?.report { defaults throws(DefaultsError) in
                    try defaults.start(XMLReader.text(name))
                }
            },
            { context, name in
                XMLReader.of(context)?.report { defaults throws(DefaultsError) in
                    try defaults.end(XMLReader.text(name))
                }
            }
        )
        XML_SetCharacterDataHandler(parser) { context, start, count in
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
            XMLReader.of(context)?.report { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
        XML_SetEntityDeclHandler(parser) { context, name, _, value, _, _, _, _, _ in
            // An entity without a value is external, and harmless until it is used.
            guard value != nil else { return }
            XMLReader.of(context)?.reject("the entity \(XMLReader.quoted(name)) is declared, which is not supported")
        }
        XML_SetAttlistDeclHandler(parser) { context, _, name, _, _, _ in
            XMLReader.of(context)?.reject("the attribute \(XMLReader.quoted(name)) is declared, which is not supported")
        }
        XML_SetSkippedEntityHandler(parser) { context, name, _ in
            XMLReader.of(context)?.reject("the entity \(XMLReader.quoted(name)) is unknown")
        }
        XML_SetExternalEntityRefHandlerArg(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetExternalEntityRefHandler(parser) { context, name, _, _, _ in
            // `context` is the argument that was set above, although its type is that of a parser.
            let reader = XMLReader.of(context.map(UnsafeMutableRawPointer.init))
            reader?.reject("the entity \(XMLReader.quoted(name)) is external, which is not supported")
            return 0
        }
    }

    deinit { XML_ParserFree(parser) }

    private func parse(_ bytes: [UInt8]) throws(DocumentError) {
        let status = bytes.withUnsafeBytes {
            XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
        }
        if let issue { throw .unknownShape(issue) }
        guard status != XML_STATUS_OK else { return }
        let isUnsupportedEncoding = XML_GetErrorCode(parser) == XML_ERROR_UNKNOWN_ENCODING
        let sentence = isUnsupportedEncoding ? "unsupported encoding; expected UTF-8" : "this is not well-formed XML"
        throw .unknownShape("\(place): \(sentence)")
    }

    private func report(_ event: (XMLDefaults) throws(DefaultsError) -> Void) {
        // If the parser is stopped at the start of an empty element, Expat may still call the handler for the end.
        guard issue == nil else { return }
        do throws(DefaultsError) {
            try event(defaults)
        } catch  where error.isOfEntry {
            leftOutCount += 1
            guard leftOutCount <= Self.issueLimit else { return }
            entryIssues.append(
                DocumentIssue(
                    line: Int(XML_GetCurrentLineNumber(parser)), column: Int(XML_GetCurrentColumnNumber(parser)) + 1,
                    sentence: error.sentence))
        } catch {
            reject(error.sentence)
        }
    }

    private func reject(_ sentence: String) {
        guard issue == nil else { return }
        issue = "\(place): \(sentence)"
        XML_StopParser(parser, 0)
    }

    /// The position of the current event, or of the first error. Expat counts columns from 0.
    private var place: String {
        "line \(XML_GetCurrentLineNumber(parser)), column \(XML_GetCurrentColumnNumber(parser) + 1)"
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func text(_ name: UnsafePointer<CChar>?) -> String { name.map { String(cString: $0) } ?? "" }

    private static func quoted(_ name: UnsafePointer<CChar>?) -> String { JSONOutput.quoted(text(name), limit: 60) }
}
