import Flags
import Observation

// The parts of SwiftUI that the article's view uses, with the same isolation: SwiftUI does not exist on every system.
@MainActor protocol View {
    associatedtype Body
    var body: Body { get }
}

struct Text: Equatable {
    let content: String

    init(_ content: String) { self.content = content }
}

@propertyWrapper
struct Environment<Value: AnyObject & Observable> {
    let wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
