import FlagModel
import TerminalUI

// The names of keys in sentences.
extension UserSettings {
    /// The name of an action's first key in the user's keymap. If the action has no key: the key of the palette
    /// (outside the list, of help), followed by the words that find the action there.
    func keyName(of id: Action.ID, in part: MenuPart = .list) -> String {
        func firstKey(of id: Action.ID) -> String? {
            keymap.action(id, in: part)?.keys.first?.displayName(charset: charset)
        }
        if let key = firstKey(of: id) { return key }
        let words = keymap.action(id, in: part).map(wordsToFind) ?? id.rawValue
        let finder = (part == .list ? firstKey(of: .palette) : nil) ?? firstKey(of: .help)
        return finder.map { "\($0) \(words)" } ?? words
    }

    /// The words that find an action in the palette: the first of its names that is not the first synonym of another
    /// action without a key.
    private func wordsToFind(_ action: Action) -> String {
        let reservedWords = keymap.actions(in: .list).filter { $0.keys.isEmpty && $0.id != action.id }
            .compactMap(\.words.first)
        let words = [LineModeCommands.name(of: action)] + action.words
        return words.first { !reservedWords.contains($0) } ?? action.id.rawValue
    }

    /// ``keyName(of:in:)`` for the start of a sentence: capitalized, unless it is a single character.
    func keyWord(of id: Action.ID, in part: MenuPart = .list) -> String {
        let name = keyName(of: id, in: part)
        return name.count > 1 ? name.capitalized : name
    }
}
