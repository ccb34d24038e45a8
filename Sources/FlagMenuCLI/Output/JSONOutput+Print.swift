import FlagModel
import FlagWorkspace

extension JSONOutput {
    /// Writes the value and a newline to standard output.
    func print(indented: Bool = true) {
        StandardOutput.write(text(indented: indented) + "\n")
    }
}
