import TestSupport
import Testing

@testable import FlagStorage

/// Completion of a typed path.
@Suite struct PathCompletionTests {
    private let workplace = Workplace()

    @Test(arguments: [
        ("", ["config/", "link/", "remote.json", "remote.plist", "zwölf.json"]),
        ("re", ["remote.json", "remote.plist"]),
        ("remote.j", ["remote.json"]), ("remote.json", ["remote.json"]), ("conf", ["config/"]),
        ("config/", ["config/a.json", "config/b.json"]), ("config/b", ["config/b.json"]), ("link/a", ["link/a.json"]),
        ("./re", ["./remote.json", "./remote.plist"]), (".", [".hidden.json"]), ("zw", ["zwölf.json"]),
        ("nosuch", []), ("nosuch/", []), ("remote.json/", []), ("~", ["~/"]), ("~/o", ["~/own.json"]),
    ])
    func `completion keeps the typed text and ends folders with a slash`(typed: String, paths: [String]) {
        for name in ["remote.json", "remote.plist", ".hidden.json", "config/a.json", "config/b.json", "zwölf.json"] {
            workplace.write("{}", to: name)
        }
        workplace.write("{}", to: "\(workplace.home)/own.json")
        #expect(workplace.shell("ln -s config link").status == 0)
        let found = PathCompletion.paths(completing: typed, home: workplace.home, in: workplace.path)
        #expect(found == paths)
    }
}
