import TestSupport
import Testing

extension CommandRun {
    /// Expects an exit code, and facts in the output. A failure shows all output.
    ///
    /// - Parameters:
    ///   - status: the exit code; `nil` for any.
    ///   - output: the whole standard output.
    ///   - text: what standard output contains.
    ///   - errors: what standard error contains.
    ///   - secrets: what neither of them contains.
    ///   - comment: what differs between several runs of a test, such as the command.
    @discardableResult func expect(
        _ status: Int32? = nil, exactly output: String? = nil, text: String..., errors: String...,
        without secrets: String..., comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) -> CommandRun {
        let shown: Comment = "\(comment): exit code \(self.status)\n\(self.text)\(errorText)"
        if let status { #expect(self.status == status, shown, sourceLocation: sourceLocation) }
        if let output { #expect(self.text == output, shown, sourceLocation: sourceLocation) }
        for fact in text { #expect(self.text.contains(fact), shown, sourceLocation: sourceLocation) }
        for fact in errors { #expect(errorText.contains(fact), shown, sourceLocation: sourceLocation) }
        for secret in secrets {
            #expect(!(self.text + errorText).contains(secret), shown, sourceLocation: sourceLocation)
        }
        return self
    }
}
