import Platform

/// The ways a Swift program can crash, by the key that triggers each.
enum Ending: String {
    case fatalError = "F"
    case outOfBounds = "B"
    case overflow = "V"
    case stackOverflow = "S"
    case nullPointer = "N"
    case abort = "A"

    func die() {
        switch self {
        case .fatalError: Swift.fatalError("on request")
        case .outOfBounds: _ = [1][one + one]
        case .overflow: _ = Int.max - 1 + one + one
        case .stackOverflow: _ = deeper(one)
        case .nullPointer: UnsafeMutablePointer<Int>(bitPattern: 8 * one)?.pointee = 1
        case .abort: endByAbort()
        }
    }

    /// The number 1, but the compiler does not know that.
    private var one: Int { CommandLine.arguments.isEmpty ? 0 : 1 }

    private func deeper(_ depth: Int) -> Int {
        depth == 0 ? 0 : deeper(depth + 1) + deeper(depth + 2)
    }
}

private func endByAbort() -> Never { abort() }
