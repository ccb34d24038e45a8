import FlagModel

/// A request whose response needs the flags.
package struct AgentCall: Sendable {
    package let tool: AgentTool
    /// The name of the client in the history. Clients name themselves, so it proves nothing.
    package let author: String
    /// Distinguishes calls whose requests have the same id.
    let number: Int
    let message: AgentMessage

    /// Whether the resource with all flags is read, and not a page of them.
    package var isResource: Bool { message.method == "resources/read" }

    /// An argument of a tool, which was checked. Reading the resource has none.
    private func argument(_ name: String) -> JSONValue? { isResource ? nil : message.params?["arguments"]?[name] }

    /// A text, or JSON as the text of a flag.
    package func text(_ name: String) -> String? { argument(name)?.flagText?.string }

    package func bool(_ name: String) -> Bool { argument(name)?.bool ?? false }

    package func integer(_ name: String) -> Int? { argument(name)?.wholeNumber }

    package func texts(_ name: String) -> [String]? {
        argument(name).map { $0.elements.compactMap { $0.text?.string } }
    }
}
