import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
    /// Takes seconds of processor time, such as thousands of inputs or every fault: not among the tests that a contributor
    /// runs before each commit. `check.sh --all` and `swift test` run it.
    public static var slow: Self { .disabled(if: getenv("SKIP_SLOW") != nil, "slow, and left to check.sh --all") }
}
