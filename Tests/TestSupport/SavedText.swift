/// A text to compare with a snapshot: its name, and how to produce it.
public struct SavedText: Sendable, CustomStringConvertible {
    /// The file name of the snapshot, without the extension.
    public let name: String
    private let text: @Sendable () -> String

    /// Creates a text that is produced on demand.
    public init(name: String, _ text: @escaping @Sendable () -> String) {
        (self.name, self.text) = (name, text)
    }

    /// The name that identifies the test case.
    public var description: String { name }

    /// The difference between the text and its snapshot beside the calling test, or `nil` if they are equal.
    public func mismatch(testFile: String = #filePath) -> String? {
        Snapshot.mismatch(text(), named: name, testFile: testFile)
    }
}
