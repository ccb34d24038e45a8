import FlagModel
import FlagRemote
import Testing

/// The context values of an app, as services receive them.
@Suite struct ContextValueTests {
    @Test func `literals of every kind are written as JSON with sorted members`() {
        let value: ContextValue = [
            "teams": ["a", "b"], "plan": "pro \("plus")", "age": 42, "share": 0.5, "beta": true,
            "address": ["city": "Paris"],
        ]
        #expect(
            value.json.text(indented: false)
                == #"{"address":{"city":"Paris"},"age":42,"beta":true,"plan":"pro plus","share":0.5,"teams":["a","b"]}"#
        )
    }

    @Test func `infinity is written as null, and the last value of a duplicate name wins`() {
        #expect(ContextValue.number(.infinity).json.text(indented: false) == "null")
        #expect((["a": 1, "a": 2] as ContextValue).json.text(indented: false) == #"{"a":2}"#)
    }
}
