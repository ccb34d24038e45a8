import CExpat
import FlagModel

/// An event of an XML document.
enum XMLEvent {
    /// An element begins. Its attributes are dropped: defaults do not use them.
    case elementStarted(String)
    /// A part of the text inside an element, with XML's own entities and CDATA resolved.
    case textRead(String)
    /// An element ends.
    case elementEnded(String)
}

/// Parses XML with expat and reports events. It is strict about well-formedness and opens nothing but the given bytes.
///
/// A document type may be named, as in property lists, but not extended: entities and attributes that a document
/// declares can make a few bytes expand to gigabytes, and external entities would read files.
final class XMLReader {
    typealias Follower = (XMLEvent) throws(Refusal) -> Void

    private let parser: XML_Parser
    private let follow: Follower
    private var problem: String?

    /// Reads a whole document; `follow` may reject it at any event. Errors begin with line and column, counted from 1.
    static func read(_ bytes: [UInt8], _ follow: @escaping Follower) throws(DocumentError) {
        guard let parser = XML_ParserCreate(nil) else { throw .unknownShape("out of memory while reading XML") }
        let reader = XMLReader(parser, follow)
        reader.followElements()
        reader.refuseDeclarations()
        try reader.parse(bytes)
    }

    private init(_ parser: XML_Parser, _ follow: @escaping Follower) {
        self.parser = parser
        self.follow = follow
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { XML_ParserFree(parser) }

    private func parse(_ bytes: [UInt8]) throws(DocumentError) {
        guard let count = Int32(exactly: bytes.count) else { throw .unknownShape("the XML is too long") }
        let status = bytes.withUnsafeBytes {
            XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), count, 1)
        }
        if let problem { throw .unknownShape(problem) }
        guard status != XML_STATUS_OK else { return }
        let isOfForeignEncoding = XML_GetErrorCode(parser) == XML_ERROR_UNKNOWN_ENCODING
        let sentence = isOfForeignEncoding ? "unsupported encoding; expected UTF-8" : "this is not well-formed XML"
        throw .unknownShape("\(place): \(sentence)")
    }

    private func followElements() {
        XML_SetElementHandler(
            parser,
            { context, name, _ in XMLReader.of(context)?.tell(.elementStarted(XMLReader.text(name))) },
            { context, name in XMLReader.of(context)?.tell(.elementEnded(XMLReader.text(name))) }
        )
        XML_SetCharacterDataHandler(parser) { context, start, count in
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
            XMLReader.of(context)?.tell(.textRead(String(decoding: bytes, as: UTF8.self)))
        }
    }

    private func refuseDeclarations() {
        XML_SetEntityDeclHandler(parser) { context, name, _, value, _, _, _, _, _ in
            // Without a value it is external, which does no harm until it is used.
            guard value != nil else { return }
            XMLReader.of(context)?.refuse("the entity \(XMLReader.quoted(name)) is declared, which is not supported")
        }
        XML_SetAttlistDeclHandler(parser) { context, _, name, _, _, _ in
            XMLReader.of(context)?.refuse("the attribute \(XMLReader.quoted(name)) is declared, which is not supported")
        }
        XML_SetSkippedEntityHandler(parser) { context, name, _ in
            XMLReader.of(context)?.refuse("the entity \(XMLReader.quoted(name)) is unknown")
        }
        XML_SetExternalEntityRefHandlerArg(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetExternalEntityRefHandler(parser) { context, name, _, _, _ in
            // This is the argument set above, although it is declared as a parser.
            let reader = XMLReader.of(context.map(UnsafeMutableRawPointer.init))
            reader?.refuse("the entity \(XMLReader.quoted(name)) is external, which is not supported")
            return 0
        }
    }

    private func tell(_ event: XMLEvent) {
        // Expat may still end an empty element after it was stopped at its beginning.
        guard problem == nil else { return }
        do throws(Refusal) { try follow(event) } catch { refuse(error.sentence) }
    }

    private func refuse(_ sentence: String) {
        guard problem == nil else { return }
        problem = "\(place): \(sentence)"
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
