/// A text that is kept beside the tests: its name, and how it is made now.
public struct KeptText: Sendable, CustomStringConvertible {
    /// The name of its file, without the ending.
    public let name: String
    private let text: @Sendable () -> String

    /// A text that is made when it is asked for.
    public init(name: String, _ text: @escaping @Sendable () -> String) {
        (self.name, self.text) = (name, text)
    }

    /// What tests are told apart by.
    public var description: String { name }

    /// What stands between the text and its snapshot beside the calling test, as a sentence; `nil` when they are equal.
    public func mismatch(testFile: String = #filePath) -> String? {
        Snapshot.mismatch(text(), named: name, testFile: testFile)
    }
}
