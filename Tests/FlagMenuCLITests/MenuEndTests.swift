import FlagTesting
import TestSupport
import Testing

/// Without flags to show, the menu exits with the same code as `list`.
@Suite struct MenuEndTests {
    private let workplace = Workplace()

    @Test func `an unreachable service exits with 5, and invalid defaults exit with 2`() async throws {
        let server = try await LoopbackServer { _ in .status(503) }
        await server.refuse()
        expectSame("--source ofrep:\(server.url)", status: 5)
        workplace.write("{", to: "defaults.json")
        expectSame("--source ofrep:\(server.url) --defaults defaults.json", status: 2)
    }

    @Test(arguments: ["--source gone.json", "--source ofrep:nonsense", "--source firebase:shop"])
    func `invalid settings exit with 2`(options: String) { expectSame(options, status: 2) }

    @Test func `an error that ends with a question mark has no period after it`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        for line in ["list", "fetch", "doctor", "--accessible"] {
            let run = workplace.flagmenu("\(line) --source ofrep:\(server.url)", input: "q\n")
            let reported = run.text + run.errorText
            #expect(reported.contains("is this the URL of an OFREP server?"), "\(line): \(reported)")
            #expect(!reported.contains("?."), "\(line): \(reported)")
        }
    }

    private func expectSame(_ options: String, status: Int32) {
        let list = workplace.flagmenu("list \(options)")
        let menu = workplace.flagmenu("--accessible \(options)", input: "q\n")
        #expect(list.status == status, "\(list.errorText)")
        #expect(menu.status == status, "\(menu.text)\(menu.errorText)")
    }
}
