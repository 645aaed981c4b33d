// Shows the score card: points, verdict, what to do first, and each test.
const STATES = {
    pass: ["good", "pass"],
    fail: ["bad", "fail"],
    error: ["bad", "error"],
    blocked: ["wait", "skipped"],
    setup: ["wait", "setup"],
    skipped: ["", "skipped"],
};

function verdict(record) {
    if (record.end === "build") return "The submission does not build";
    if (record.end === "setup") return "The machine is at fault, not the submission";
    if (record.replay)
        return record.end === "full" ? "The selected cases are correct" : "The selected cases are not all correct";
    return record.end === "full" ? "Full credit" : record.score > 0 ? "Not full credit yet" : "No points yet";
}

function gauge(score, most) {
    const share = most > 0 ? Math.min(1, Math.max(0, score / most)) : 0, length = 2 * Math.PI * 52;
    const ring = {cx: 64, cy: 64, r: 52, fill: "none", "stroke-width": 9};
    const style = share >= 1 ? "--good" : "--accent";
    return svg("svg", {class: "gauge", viewBox: "0 0 128 128", role: "img", "aria-label": `${score} of ${most} points`},
        svg("circle", {...ring, style: "stroke: var(--idle)"}), share > 0 && svg("circle", {
            ...ring,
            style: `stroke: var(${style})`,
            "stroke-linecap": "round",
            transform: "rotate(-90 64 64)",
            "stroke-dasharray": `${share * length} ${length}`
        }),
        svg("text", {class: "points", x: 64, y: 72}, String(score)),
        svg("text", {class: "of", x: 64, y: 92}, `of ${most}`));
}

function testRow(test) {
    const [style, word] = STATES[test.status] || ["", words(test.status)];
    const share = test.max_points > 0 ? test.points / test.max_points : 0;
    return el("li", {"data-test": words(test.id)}, el("div", {}, el("span", {class: `pill ${style}`}, word)),
        el("div", {class: "points"}, `${whole(test.points)} / ${whole(test.max_points)}`,
            el("div", {class: "track"}, el("i", {style: `width: ${Math.round(100 * share)}%`}))),
        el("div", {}, el("div", {}, words(test.title)), words(test.message) && el("p", {}, test.message),
            test.status === "fail" && !list(test.findings).length && test.replay && command(test.replay)));
}

// Shows what to do first, with a link to the finding or to the line of the file.
function firstThing(record, key) {
    const at = /^(\S+?)(?::|, line )(\d+):/.exec(record.advice), line = at && Number(at[2]);
    const finding = at ? allFindings(record).findIndex(({at: site}) => site.file === at[1] && site.line === line) : -1;
    const there = finding >= 0 ? `#${key}-finding-${finding}` :
        at && at[1] === record.submission && words(record.text) ? `#${key}-line-${line}` :
                                                                  null;
    return el(
        "p", {class: "advice"}, el("b", {}, "First: "), there ? el("a", {href: there}, record.advice) : record.advice);
}
// Shows the edit of a tested fix, if the course allows it. It is collapsed at first.
const fixDiff = ({fix}) => fix && list(fix.diff).length > 0 &&
    el("details", {class: "fix"}, el("summary", {}, "Show the tested edit"),
        el("pre", {tabindex: 0}, fix.at && fix.at !== fix.line ? `on line ${fix.at}:\n` : "",
            fix.diff.map((line) => el("span", {class: line[0] === "+" ? "new" : "old"}, `${line}\n`))));
const facts = (rows) => el("dl", {class: "facts"},
    rows.filter(([, text]) => text).map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))));

part("score", "Score", null, ({record, key}) => {
    const build = record.build || {}, course = record.course || {};
    const printed = list(record.tests).filter((test) => words(test.printed));
    return [
        el("div", {class: "score"}, record.replay ? el("div") : gauge(whole(record.score), whole(record.max_score)),
            el("div", {}, el("h1", {}, `${words(record.lab.id)} · ${words(record.lab.title)}`),
                words(course.points) && el("p", {class: "verdict"}, el("b", {}, course.points)),
                el("p", {class: "verdict"}, verdict(record)), facts([
                    ["file", words(record.submission)], ["compiler", words(record.compiler)],
                    ["device", words(record.device)], ["seed", words(record.seed)],
                    ["due", [words(course.deadline), words(course.late)].filter(Boolean).join("; ")],
                    ["attempts", words(course.attempts)]
                ]),
                words(record.message) && record.end === "setup" && el("p", {class: "advice"}, record.message),
                words(record.advice) && firstThing(record, key), fixDiff(record))),
        words(build.log) && record.end === "build" && el("pre", {class: "log"}, build.log),
        list(build.warnings)
            .map((w) => el("div", {}, el("p", {}, `Line ${w.line}: the compiler warns: ${words(w.message)}`),
                     el("pre", {class: "log"}, words(w.code)), words(w.note) && el("p", {}, words(w.note)))),
        el("ul", {class: "tests"}, list(record.tests).map((test) => testRow(test))),
        printed.map((test) => el("details", {open: true}, el("summary", {}, "The kernel printed"),
                        el("pre", {class: "log"}, test.printed))),
    ];
});
