#if Network
import FlagTesting
import TestSupport
import Testing

/// Without any source the menu opens with the error; `list` prints the same error and exits with its code.
@Suite(.mayBlock) struct MenuEndTests {
    private let workplace = Workplace()

    @Test func `the menu opens if a service is unreachable, and exits with 2 if the defaults are invalid`() async throws
    {
        let server = try await LoopbackServer { _ in .status(503) }
        await server.refuse()
        expectOpen("--source ofrep:\(server.url)", listStatus: 5, error: "refused the connection")
        workplace.write("{", to: "defaults.json")
        workplace.flagmenu(
            "--accessible --source ofrep:\(server.url) --defaults defaults.json", input: "q\n"
        ).expect(2)
    }

    @Test(arguments: [
        ("--source gone.json", "no such file"), ("--source ofrep:nonsense", "ofrep:nonsense"),
        ("--source firebase:shop", "firebase:shop"),
    ])
    func `the menu opens if the settings of a source are invalid`(options: String, error: String) {
        expectOpen(options, listStatus: 2, error: error)
    }

    @Test func `an error that ends with a question mark has no period after it`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        for line in ["list", "fetch", "doctor"] {
            workplace.flagmenu("\(line) --source ofrep:\(server.url)").expect(
                anywhere: "is this the URL of an OFREP server?", without: "?.", comment: line)
        }
    }

    private func expectOpen(_ options: String, listStatus: Int32, error: String) {
        workplace.flagmenu("list \(options)").expect(listStatus, errors: error)
        workplace.flagmenu("--accessible \(options)", input: "q\n").expect(0, text: error)
    }
}
#endif
