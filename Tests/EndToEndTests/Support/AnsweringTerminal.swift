/// The answers of a terminal to the queries of a program.
///
/// It answers in the order of the queries, and once for each query.
struct AnsweringTerminal {
    /// Question and answer.
    let answers: [(question: String, answer: String)]
    private var read = 0

    init(_ answers: [(question: String, answer: String)]) {
        self.answers = answers
    }

    /// Returns the answers to the output since the last call.
    mutating func answer(to output: [UInt8]) -> String {
        var said = ""
        while read < output.count {
            let rest = output[read...]
            let asked = answers.first { rest.starts(with: $0.question.utf8) }
            said += asked?.answer ?? ""
            read += asked?.question.utf8.count ?? 1
        }
        return said
    }

    static let kitty = AnsweringTerminal([
        ("\u{1B}[>q", "\u{1B}P>|kitty(0.47.4)\u{1B}\\"), ("\u{1B}[16t", "\u{1B}[6;18;9t"),
        ("\u{1B}]11;?", "\u{1B}]11;rgb:1c1c/2020/2828\u{1B}\\"), ("\u{1B}[5n", "\u{1B}[0n"),
        ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"), ("\u{1B}P+q5463", "\u{1B}P1+r5463\u{1B}\\"),
        ("\u{1B}_Gi=72463001,a=q", "\u{1B}_Gi=72463001;OK\u{1B}\\"),
        ("\u{1B}_Gi=72463002,a=q", "\u{1B}_Gi=72463002;OK\u{1B}\\"),
        ("\u{1B}_Gi=72463003,a=q", "\u{1B}_Gi=72463003;OK\u{1B}\\"),
        ("\u{1B}[c", "\u{1B}[?62;52;c"),
    ])

    static let foot = AnsweringTerminal([
        ("\u{1B}[>q", "\u{1B}P>|foot(1.13.1)\u{1B}\\"), ("\u{1B}[16t", "\u{1B}[6;18;9t"),
        ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"), ("\u{1B}[c", "\u{1B}[?62;4;22c"),
        ("\u{1B}P+q524742", "\u{1B}P1+r524742=38\u{1B}\\"),
    ])

    static let xterm = AnsweringTerminal([
        ("\u{1B}[>q", "\u{1B}P>|XTerm(379)\u{1B}\\"), ("\u{1B}[>c", "\u{1B}[>19;379;0c"),
        ("\u{1B}[c", "\u{1B}[?63;1;2;4;6;9;15;16;22;28c"), ("\u{1B}P$qm", "\u{1B}P1$r0m\u{1B}\\"),
    ])

    static let silent = AnsweringTerminal([])
}
