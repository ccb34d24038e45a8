/// A hundred texts with widths that are easy to miscount: wide, joined, stacked, right-to-left or invisible.
public enum ManyScripts {
    /// The texts.
    public static let texts: [String] = [
        // Wide, and halves of wide letters.
        "日本語のフラグ", "中文功能开关", "繁體中文設定", "한국어 설정", "한자모", "ﾊﾝｶｸｶﾅ", "ＦＵＬＬＷＩＤＴＨ", "ひらがな と カタカナ", "「括弧」、。", "㍿㎏㋿",
        // Right to left, with marks.
        "\u{627}\u{644}\u{639}\u{631}\u{628}\u{64A}\u{629}",
        "\u{671}\u{644}\u{652}\u{639}\u{64E}\u{631}\u{64E}\u{628}\u{650}\u{64A}\u{64E}\u{651}\u{629}",
        "\u{5E2}\u{5D1}\u{5E8}\u{5D9}\u{5EA}", "\u{5E9}\u{5B8}\u{5C1}\u{5DC}\u{5D5}\u{5B9}\u{5DD}",
        "\u{641}\u{627}\u{631}\u{633}\u{6CC}", "\u{627}\u{631}\u{62F}\u{648} \u{632}\u{628}\u{627}\u{646}",
        "\u{78B}\u{7A8}\u{788}\u{7AC}\u{780}\u{7A8}", "\u{723}\u{718}\u{72A}\u{71D}\u{71D}\u{710}",
        "\u{7D2}\u{7DE}\u{7CF}",
        // Other directions and joined consonants of South and East Asia.
        "ⵜⴰⵎⴰⵣⵉⵖⵜ", "ह\u{93F}न\u{94D}द\u{940}", "नमस\u{94D}त\u{947} क\u{94D}ष\u{93F} त\u{94D}र",
        "स\u{902}स\u{94D}क\u{943}तम\u{94D}", "ব\u{9BE}\u{982}ল\u{9BE}", "ਪ\u{A70}ਜ\u{A3E}ਬ\u{A40}",
        "ગ\u{AC1}જર\u{ABE}ત\u{AC0}", "ଓଡ\u{B3C}\u{B3F}ଆ", "தம\u{BBF}ழ\u{BCD}", "త\u{C46}ల\u{C41}గ\u{C41}",
        "ಕನ\u{CCD}ನಡ", "മലയ\u{D3E}ള\u{D02}", "ස\u{DD2}\u{D82}හල", "ไทย ภาษา", "กำล\u{E31}งท\u{E35}\u{E48}", "ลาว ລາວ",
        "བ\u{F7C}ད་ས\u{F90}ད", "မ\u{103C}န\u{103A}မ\u{102C}", "ខ\u{17D2}ម\u{17C2}រ", "ᠮᠣᠩᠭᠣᠯ",
        // Other alphabets and syllables.
        "ქართული", "Հայերեն", "Ελληνικά", "ἄνθρωπος", "Русский", "Українська", "Ѳ\u{483}\u{489}", "ᏣᎳᎩ", "ᐃᓄᒃᑎᑐᑦ",
        "አማርኛ", "ꦧꦱꦗꦮ",
        // Stacked marks, ligatures and special letters.
        "e\u{301}a\u{308}o\u{302}", "Z\u{351}\u{36B}\u{343}\u{36A}\u{302}\u{369}", "q\u{307}\u{323}",
        "ạ\u{308}\u{301}\u{308}\u{307}", "\u{301}start", "n\u{303}\u{303}\u{303}\u{303}\u{303}\u{303}", "ﬀﬁﬂﬃ",
        "ǅ ǈ ß ẞ", "ı İ ş", "Tiếng Việt",
        // Emoji, joined and with another presentation.
        "\u{1F44D}", "\u{1F44D}🏽", "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}",
        "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}\u{1F1EF}\u{1F1F5}", "\u{1F1E9}",
        "1\u{FE0F}\u{20E3}#\u{FE0F}\u{20E3}*\u{FE0F}\u{20E3}", "❤\u{FE0F}", "❤",
        "☎\u{FE0E} ☎\u{FE0F}", "\u{1F9D1}🏿\u{200D}\u{1F680}", "\u{1F468}🏻\u{200D}\u{1F91D}\u{200D}\u{1F468}🏾",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "\u{1F600}\u{1F603}\u{1F604}",
        "\u{1FAE0}\u{1FAE1}\u{1FABF}", "⌚⏰⏳", "☀☁☂",
        // Symbols whose width depends on the terminal, and rare planes.
        "→←↔⇒", "■□▲△", "│─┌┐└┘", "½¼¾", "①②③", "ⅣⅧ", "℃℉№™", "€£¥₹", "∑∫√∞", "𝒜𝔅ℂ", "𐍈𐌰", "𒀀𒁀", "𓀀𓁀",
        // Invisible and control characters.
        "zero\u{200B}width", "soft\u{AD}hyphen", "rtl\u{202E}override", "bom\u{FEFF}mark", "join\u{200D}er",
        "tab\u{9}new\u{A}line", "bell\u{7}esc\u{1B}[1m", "nul\u{0}del\u{7F}", "c1\u{85}\u{9B}2J",
        "tag\u{E0041}\u{2028}sep",
    ]
}
