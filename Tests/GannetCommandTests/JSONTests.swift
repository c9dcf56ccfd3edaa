#if CommandLine
    import GannetCore
    import GannetSupport
    import Testing

    struct JSONTests {
        @Test func keepsOrderAndEscapes() {
            let value = JSON.object([
                ("b", .string("a\"\\\n\u{1}é")), ("a", .array([.integer(-1), .number(1.5), .null, .bool(true)])),
            ])
            #expect(value.text == #"{"b":"a\"\\\n\u0001é","a":[-1,1.5,null,true]}"#)
            #expect(JSON.string("\u{7F}\u{80}\u{9B}\u{9F}\u{A0}").text == "\"\\u007f\\u0080\\u009b\\u009f\u{A0}\"")
        }

        @Test(arguments: [
            (0, "0"), (2, "2"), (0.125, "0.125"), (1.0004, "1"), (-0.0001, "0"), (-2.5, "-2.5"), (123456.789, "123456.789"),
            (0.05, "0.05"),
        ])
        func numbersAreShort(value: Double, text: String) {
            #expect(JSON.number(value).text == text)
        }

        @Test func whatIsNoNumberIsNull() {
            #expect(JSON.number(.nan).text == "null")
            #expect(JSON.number(.infinity).text == "null")
        }

        @Test func columnsHaveFixedPlaces() {
            #expect(1.5.fixed(2) == "1.50")
            #expect(2.0.fixed(1) == "2.0")
            #expect(0.004.fixed(2) == "0.00")
        }
    }
#endif
