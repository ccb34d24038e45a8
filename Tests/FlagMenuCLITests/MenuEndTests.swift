import FlagTesting
import TestSupport
import Testing

/// The menu without anything to show ends with the number that a command ends with.
@Suite struct MenuEndTests {
    private let workplace = Workplace()

    @Test func `an unreachable service is no mistake of whoever starts the menu`() async throws {
        let server = try await LoopbackServer { _ in .status(503) }
        await server.refuse()
        expectSame("--source ofrep:\(server.url)", status: 5)
        workplace.write("{", to: "defaults.json")
        expectSame("--source ofrep:\(server.url) --defaults defaults.json", status: 2)
    }

    @Test(arguments: ["--source gone.json", "--source ofrep:nonsense", "--source firebase:shop"])
    func `what is wrong with settings is`(options: String) { expectSame(options, status: 2) }

    @Test func `a failure that asks something back ends with its question`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        for line in ["list", "fetch", "doctor", "--accessible"] {
            let run = workplace.flagmenu("\(line) --source ofrep:\(server.url)", input: "q\n")
            let told = run.text + run.words
            #expect(told.contains("is this the URL of an OFREP server?"), "\(line): \(told)")
            #expect(!told.contains("?."), "\(line): \(told)")
        }
    }

    private func expectSame(_ options: String, status: Int32) {
        let list = workplace.flagmenu("list \(options)")
        let menu = workplace.flagmenu("--accessible \(options)", input: "q\n")
        #expect(list.status == status, "\(list.words)")
        #expect(menu.status == status, "\(menu.text)\(menu.words)")
    }
}
