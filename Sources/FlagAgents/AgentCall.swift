import FlagModel

/// A request whose response needs the flags.
package struct AgentCall: Sendable {
    package let tool: AgentTool
    /// The name of the client in the history. Clients name themselves, so it proves nothing.
    package let author: String
    /// Distinguishes calls whose requests have the same id.
    package let number: Int
    let id: JSONOutput
    /// Whether the resource with all flags is read, and not a page of them.
    package let isResource: Bool
    let isModern: Bool
    private let arguments: JSONValue?

    init(
        _ tool: AgentTool, _ arguments: JSONValue?, by author: String, number: Int, id: JSONOutput,
        isResource: Bool, isModern: Bool
    ) {
        (self.tool, self.arguments, self.author, self.number) = (tool, arguments, author, number)
        (self.id, self.isResource, self.isModern) = (id, isResource, isModern)
    }

    /// A text, or JSON as the text of a flag.
    package func text(_ name: String) -> String? { arguments?[name]?.flagText?.string }

    package func bool(_ name: String) -> Bool { arguments?[name]?.bool ?? false }

    package func integer(_ name: String) -> Int? { arguments?[name]?.wholeNumber }

    package func texts(_ name: String) -> [String]? {
        arguments?[name].map { $0.elements.compactMap { $0.text?.string } }
    }
}
