// Shows the source, line by line, with the cost of each line.
const TOKENS =
    /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(^\s*#.*)|\b(\d[\w.]*)|([A-Za-z_]\w*)/g;
const KEYWORDS = new Set(
    ("auto bool break case char const constexpr continue default do double else enum extern float for if inline int " +
        "long return short signed sizeof static struct switch template typedef typename union unsigned void volatile " +
        "while true false value_t uint32_t uint64_t int64_t " +
        "__global__ __device__ __shared__ __constant__ __restrict__ __forceinline__")
        .split(" "));
const BUILT_IN = /^(threadIdx|blockIdx|blockDim|gridDim|warpSize|combine|identity|atomic\w*|__\w+)$/;

// Returns a line of code as an array: a span for each colored token, and the text between them as strings.
function colored(text) {
    const out = [];
    let at = 0;
    for (const m of text.matchAll(TOKENS)) {
        const [token, comment, string, directive, numeral, name] = m;
        const style = comment || directive ? "c" :
            string                         ? "s" :
            numeral                        ? "n" :
            KEYWORDS.has(name)             ? "k" :
            BUILT_IN.test(name)            ? "b" :
                                             "";
        if (!style) continue;
        out.push(text.slice(at, m.index), el("span", {class: style}, token));
        at = m.index + token.length;
    }
    return [...out, text.slice(at)];
}

function measuredOf(record) {
    const test = list(record.tests).find((t) => t.student && list(t.student.lines).length);
    return test ? test.student : null;
}
const bankConflicts = (line) => whole(line.shared_wavefronts) - whole(line.shared_ideal_wavefronts);
const spareSectors = (line) => whole(line.global_sectors) - whole(line.global_ideal_sectors);

// The columns: heading, value for a line or "", and whether the value is a warning. A report has only the columns whose
// terms have been taught.
const COLUMNS = [
    {
        head: "Warp-instr.",
        title: "instructions executed by warps on this line",
        text: (l) => number(l.warp_instructions),
        bar: true
    },
    {
        head: "Lanes",
        title: "SIMD efficiency: share of active lanes",
        text: (l) => percent(l.simd_efficiency),
        bad: (l) => l.simd_efficiency < 0.5
    },
    {
        head: "Diverges",
        title: "steps in which a warp diverges here",
        text: (l) => (l.divergent_steps ? number(l.divergent_steps) : ""),
        bad: (l) => l.divergent_steps > 0
    },
    {
        head: "Sectors",
        title: "32-byte sectors of global memory moved, and how many were needed",
        text: (l) =>
            (l.global_sectors ? `${number(l.global_sectors)}\u202f/\u202f${number(l.global_ideal_sectors)}` : ""),
        bad: (l) => spareSectors(l) > 0
    },
    {
        head: "Bank conflicts",
        title: "shared-memory wavefronts beyond those needed",
        text: (l) => (l.shared_wavefronts ? number(bankConflicts(l)) : ""),
        bad: (l) => bankConflicts(l) > 0
    },
];

const columnsOf = ({record}) => COLUMNS.filter(({head, title: says}) => knows(record, `${head}, ${says}`));

function sourceRow(report, text, n, line, most, notes) {
    const columns = columnsOf(report), cells = columns.map((column) => {
        const value = line ? column.text(line) : "";
        const bad = line && column.bad && column.bad(line);
        const bar = line && column.bar &&
            el("i", {class: "heat", style: `width: ${Math.max(2, Math.round(100 * line.warp_instructions / most))}%`});
        return el("td", {class: `number${bad ? " bad" : ""}`, "data-head": value && column.head}, value, bar);
    });
    return [
        el("tr", {id: lineId(report, n), class: line ? "run" : null},
            el("th", {scope: "row", class: "number"}, String(n)), el("td", {class: "code mono"}, colored(text)), cells),
        notes.map(([k, finding]) => el("tr", {class: "note"}, el("td"),
                      el("td", {colspan: columns.length + 1},
                          el("a", {href: `#${report.key}-finding-${k}`}, words(finding.title)), " · ",
                          words(finding.message))))
    ];
}

part("source", "Source", "What each line cost in the observed block. Lines without numbers were not executed.",
    (report) => {
        const measured = measuredOf(report.record),
              lines = new Map(list(measured && measured.lines).map((line) => [line.line, line]));
        const findings = allFindings(report.record), notes = new Map();
        findings.forEach((finding, k) => {
            for (const site of new Set(
                     [finding.at, finding.other].filter((s) => s && sameFile(report, s)).map((s) => s.line)))
                notes.set(site, [...(notes.get(site) || []), [k, finding]]);
        });
        const quoted = Object.keys(report.record.source || {})
                           .filter((key) => key.startsWith(`${report.record.submission}:`))
                           .map((key) => Number(key.split(":").pop()));
        const shown = report.text ? report.text.map((_, k) => k + 1) : quoted.sort((a, b) => a - b);
        if (!shown.length) return null;
        const most = Math.max(1, ...[...lines.values()].map((line) => line.warp_instructions));
        return [
            measured &&
                el("p", {class: "small muted"},
                    `One block of ${number(measured.block)} threads on ${number(measured.elements)} elements.`),
            el("table", {class: "source"}, el("caption", {class: "hidden"}, "Your submission, line by line"),
                el("thead", {},
                    el("tr", {}, el("th", {scope: "col", class: "number"}, el("span", {class: "hidden"}, "Line")),
                        el("th", {scope: "col"}, words(report.record.submission).split("/").pop()),
                        columnsOf(report).map(
                            (column) => el("th", {scope: "col", class: "number", title: column.title}, column.head)))),
                el("tbody", {},
                    shown.map(
                        (n) => sourceRow(report, lineText(report, n), n, lines.get(n), most, notes.get(n) || []))))
        ];
    });
