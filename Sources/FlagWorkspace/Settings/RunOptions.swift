/// The options of every command, as values.
package struct RunOptions {
    package var source: [String] = []
    package var sample = false
    package var defaults: String?
    package var team: String?
    package var app: String?
    package var store: String?
    package var launch: [String] = []
    package var config: String?
    package var readOnly = false
    package var json = false
    package var noColor = false
    package var quiet = false

    package init() {}
}
