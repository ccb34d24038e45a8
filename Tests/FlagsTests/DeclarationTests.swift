import Flags
import Testing

#if DEBUG
/// Declaring a key twice.
struct DeclarationTests {
    @Test func `declaring a key with two types stops a debug build and names the key and both types`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlagKey("declared_twice", default: false)
            _ = FlagKey("declared_twice", default: 1)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let sentence = #"The flag "declared_twice" is declared as Bool (bool) and as Int (int). Declare it once"#
        #expect(text.contains(sentence))
    }

    @Test func `declaring a key as string and as JSON stops a debug build`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FlagKey("declared_twice", default: "a")
            _ = FlagKey("declared_twice", default: JSONText("1"))
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("is declared as String (string) and as JSONText (json)"))
    }

    @Test func `declaring a key twice with the same type and default is allowed`() async {
        await #expect(processExitsWith: .success) {
            for _ in 1...2 { _ = FlagKey("declared_twice", default: true) }
        }
    }
}
#endif
