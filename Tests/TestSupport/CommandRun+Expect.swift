public import Testing

extension CommandRun {
    /// Expects an exit code, and facts in the output. A failure shows all output.
    ///
    /// - Parameters:
    ///   - status: the exit code; `nil` for any.
    ///   - output: the whole standard output.
    ///   - text: what standard output contains.
    ///   - errors: what standard error contains.
    ///   - facts: what one of them contains.
    ///   - secrets: what neither of them contains.
    ///   - isSilent: whether nothing is expected in standard error.
    ///   - comment: what differs between several runs of a test, such as the command.
    @discardableResult public func expect(
        _ status: Int32? = nil, exactly output: String? = nil, text: String..., errors: String...,
        anywhere facts: String..., without secrets: String..., isSilent: Bool = false, comment: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> CommandRun {
        let shown = "\(comment): exit code \(self.status)\n\(self.text)\(errorText)"
        func check(_ isMet: Bool) { #expect(isMet, "\(shown)", sourceLocation: sourceLocation) }
        if let status { check(self.status == status) }
        if let output { check(self.text == output) }
        if isSilent { check(errorText.isEmpty) }
        let all = self.text + errorText
        for (expected, actual) in [(text, self.text), (errors, errorText), (facts, all)] {
            for fact in expected where !actual.contains(fact) {
                Issue.record("\(fact.debugDescription) is missing. \(shown)", sourceLocation: sourceLocation)
            }
        }
        for secret in secrets { check(!all.contains(secret)) }
        return self
    }
}
