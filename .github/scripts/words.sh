#!/usr/bin/env bash
# Fails on the banned words of the vocabulary (.github/VOCABULARY.md): in names, and in the text of messages, comments
# and documentation.
#
# usage: words.sh
set -euo pipefail
cd "$(dirname "$0")/../.."

# Parts of names in Swift and C, in lower case.
names='problem|remark|objection|obstacle|refusal|hindrance|complaint|doubt|mend|news|told|heard|shelf|lender|lending|patience'
names+='|forbearance|restraint|question|answer|asked|asking|whom|lingering|deed|struck|examination|verdict|dialogue|heldKeys'

# Words and phrases of any text.
phrases='problems?|remark(s|ed)?|objections?|obstacles?|hindrances?|complaints?|doubts?|mend(s|ed|ing)?|news|shelf|lenders?'
phrases+='|patience|forbearance|restraints?|lingering|deeds?|anew|aloud|whoever|once more|of now|of before|lets? in|in vain'
phrases+='|there is nothing to|stands twice|left alone|dialogues?|verdicts?|takes (it|them|this) for'

# "mend" as a name of its own, as in `mend(`, `mendSource` or `canMend`.
capitals=$(tr '|' '\n' <<<"$names" | awk '{ print toupper(substr($0, 1, 1)) substr($0, 2) }' | paste -sd '|' -)
declared="\b(let|var|func|case|class|struct|enum|protocol|actor|typealias|import) \`?($names)s?\b"
parts="\b($names)s?[A-Z][A-Za-z]*|[a-z]($capitals)(s|[A-Z][A-Za-z]*)?\b|\b($capitals)s?([A-Z][A-Za-z]*)?\b *[:({=]|\b($names)s?:"

found=0
# search WHAT PATTERN OPTIONS... -- PATHS...: prints each match; WHAT says where a banned word is.
search() {
    local what=$1
    shift
    if git grep -n "$@"; then
        echo "The lines above have a banned word in $what: see .github/VOCABULARY.md." >&2
        found=1
    fi
}

search "a name" -E "$declared|$parts" -- '*.swift' '*.c' '*.h'
# The vocabulary names them, the changelog lists what was renamed, and libyaml has names of its own.
search "a text" -iwE "$phrases" -- Sources Tests README.md '*.md' \
    ':!.github/VOCABULARY.md' ':!.github/CHANGELOG.md' ':!Sources/CYAML'
exit "$found"
