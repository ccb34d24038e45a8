import CYAML
import FlagModel

/// A value of a YAML document.
struct YAMLNode {
    typealias Member = (key: YAMLNode, value: YAMLNode)

    enum Content {
        /// A text, a number, a bool or null, as JSON.
        case scalar(String)
        case array([YAMLNode])
        case object([Member])
    }

    /// The key whose value is a mapping, or a list of mappings, with further members.
    static let mergeKey = "<<"

    /// The line and column in the YAML, from 0.
    private let line: Int
    private let column: Int
    private let content: Content
    /// The text of a scalar, as the key of a member; `nil` for containers.
    let text: String?
    /// The size in bytes with all that is in the value, as if every alias were written out.
    let size: Int
    /// The number of levels in the value, as if every alias were written out; 0 for a scalar.
    let depth: Int

    init(_ start: yaml_mark_t, _ content: Content, size: Int, depth: Int = 0, text: String? = nil) {
        (line, column, self.content, self.text) = (start.line, start.column, content, text)
        (self.size, self.depth) = (size, depth)
    }

    /// The members of a mapping, or of all mappings in a list; `nil` for other values.
    var mappings: [Member]? {
        switch content {
        case .object(let members): members
        case .array(let nodes):
            nodes.reduce(into: [Member]?.some([])) { all, node in
                if case .object(let members) = node.content { all?.append(contentsOf: members) } else { all = nil }
            }
        case .scalar: nil
        }
    }

    /// Writes nodes as JSON, each on its line of the YAML.
    struct Writer {
        private(set) var bytes: [UInt8] = []
        private var line = 0

        mutating func write(_ node: YAMLNode) {
            moveTo(node)
            switch node.content {
            case .scalar(let json): append(json)
            case .array(let nodes): write(nodes, "[", "]") { $0.write($1) }
            case .object(let members):
                write(members, "{", "}") { writer, member in
                    writer.moveTo(member.key)
                    writer.append(JSONOutput.quoted(member.key.text ?? "") + ":")
                    writer.write(member.value)
                }
            }
        }

        private mutating func write<Item>(
            _ items: [Item], _ opening: String, _ closing: String, _ writeItem: (inout Writer, Item) -> Void
        ) {
            append(opening)
            for (index, item) in items.enumerated() {
                if index > 0 { append(",") }
                writeItem(&self, item)
            }
            append(closing)
        }

        /// Moves to the line of a node and, if that is a new line, to its column. A node that an alias repeats is
        /// written where the alias is.
        private mutating func moveTo(_ node: YAMLNode) {
            guard line < node.line else { return }
            bytes += repeatElement(UInt8(ascii: "\n"), count: node.line - line)
            bytes += repeatElement(UInt8(ascii: " "), count: node.column)
            line = node.line
        }

        private mutating func append(_ text: String) { bytes += text.utf8 }
    }
}
