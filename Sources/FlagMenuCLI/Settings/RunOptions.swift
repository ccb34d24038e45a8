/// The options of every command, as values.
struct RunOptions {
    var source: [String] = []
    var sample = false
    var defaults: String?
    var team: String?
    var app: String?
    var store: String?
    var launch: [String] = []
    var config: String?
    var readOnly = false
    var json = false
    var noColor = false
    var quiet = false

    init() {}
}
