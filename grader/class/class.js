// The page of a class, from its facts (class.json). All words come from outside: they are put in as text. Control
// characters become blanks, but the line ends of sources; names are held together whatever their direction.
const CONTROL = /[\u0000-\u001f\u007f]/g, WITHIN_LINES = /[\u0000-\u0009\u000b-\u001f\u007f]/g;
const plain = (key, value) =>
    (typeof value === "string" ? value.replace(key === "source" ? WITHIN_LINES : CONTROL, " ") : value);
const read = (id) => JSON.parse(document.getElementById(id).textContent, plain);
const facts = read("data"), kinds = read("attention");
const name = (text) => el("bdi", {}, words(text));
const figure = (value) => (typeof value === "number" ? value.toFixed(1) : "0.0");
const tableOf = (title, head, rows) => el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": title},
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
const column = (text, style) => el("th", {scope: "col", class: style}, text);
const section = (style, id, title, ...children) =>
    el("section", {class: style, id, "aria-labelledby": `${id}-title`}, el("h2", {id: `${id}-title`}, title), children);

// ---- scores as bars
const BIN = 30, CHART = {
    width: 350,
    height: 170,
    base: 140,
    tallest: 110,
    left: 10
};
function scores(lab) {
    const bins = list(lab.scores).map(whole), most = Math.max(1, ...bins), last = bins.length - 1;
    const said = bins.map((n, k) => `${10 * k}${k < last ? " or more" : ""}: ${n}`).join(", ");
    const bars = bins.map((n, k) => {
        const x = CHART.left + k * BIN, tall = n * CHART.tallest / most, middle = x + BIN / 2;
        return [
            n > 0 && svg("rect", {
                class: `bar${10 * k < whole(lab.pass) ? " below" : ""}`,
                x: x + 2,
                y: figure(CHART.base - tall),
                width: BIN - 4,
                height: figure(tall)
            }),
            n > 0 && svg("text", {x: middle, y: figure(CHART.base - tall - 4)}, String(n)),
            svg("text", {class: "quiet", x: middle, y: CHART.base + 16}, String(10 * k))
        ];
    });
    const at = figure(CHART.left + whole(lab.pass) / 10 * BIN);
    return el("figure", {class: "marks"},
        el("figcaption", {class: "muted small"},
            "Submissions by points; the last bar is full marks, the broken line is where it counts as passed."),
        svg("svg", {
            viewBox: `0 0 ${CHART.width} ${CHART.height}`,
            role: "img",
            "aria-label": `Submissions by points: ${said}`
        },
            bars,
            svg("line", {class: "axis", x1: CHART.left, y1: CHART.base, x2: CHART.width - CHART.left, y2: CHART.base}),
            svg("line", {class: "pass", x1: at, y1: 8, x2: at, y2: CHART.base})));
}

// ---- one lab
// What became of submissions: its words and its color.
const ENDS = {
    full: ["full marks", "good"],
    partial: ["some points", "wait"],
    build: ["does not build", "bad"],
    refused: ["not a text file", "bad"],
    setup: ["set-up failed", "bad"],
    ungraded: ["not graded", "bad"],
    missing: ["no submission", ""]
};
const ends = (lab) => el("ul", {class: "ends"},
    Object.entries(ENDS).filter(([end]) => whole((lab.ends || {})[end])).map(([end,
        [text, style]]) => el("li", {class: `pill ${style}`}, `${lab.ends[end]} ${text}`)));
const MOST_ROWS = 12, MOST_LINES = 4;
function findings(lab) {
    if (!list(lab.findings).length) return null;
    const line = (l) =>
        el("li", {}, el("span", {}, `line ${whole(l.line)}: ${whole(l.students)}`), el("code", {}, words(l.text)));
    return [
        el("h3", {}, "What was found most often"),
        el("p", {class: "muted small"},
            "A submission counts once for each kind. Lines are those of the skeleton that the student's stand for."),
        tableOf("Findings", [column("submissions", "number"), column("finding")],
            lab.findings.slice(0, MOST_ROWS)
                .map((f) => el("tr", {}, el("td", {class: "number"}, String(whole(f.students))),
                         el("td", {}, el("b", {}, words(f.title)),
                             el("ul", {class: "where"}, list(f.lines).slice(0, MOST_LINES).map(line))))))
    ];
}
function checks(lab) {
    if (!list(lab.tests).length) return null;
    const row = (test) => {
        const status = test.status || {}, all = Object.values(status).reduce((sum, n) => sum + whole(n), 0);
        const most = all * whole(test.max_points), share = Math.round(most > 0 ? 100 * whole(test.points) / most : 0);
        const cell = (...children) => el("td", {class: "number"}, children);
        return el("tr", {}, el("th", {scope: "row"}, words(test.title)), cell(`${whole(status.pass)} of ${all}`),
            cell(String(whole(status.blocked))),
            cell(`${share} %`, el("span", {class: "share"}, el("i", {style: `width:${share}%`}))));
    };
    return [
        el("h3", {}, "Checks"),
        tableOf("Checks",
            [
                column("check"), column("have it", "number"), column("waited", "number"),
                column("points of all", "number")
            ],
            lab.tests.map(row))
    ];
}
function labSection(lab) {
    const id = words(lab.id), hardest = list(lab.cases)[0], due = words(lab.deadline);
    return section("lab", id, `${id} ${words(lab.title)}`,
        el("p", {class: "muted"},
            `${whole(lab.submissions)} submissions, mean ${figure(lab.mean)}, median ${figure(lab.median)} points${
                due ? `, due ${due}` : ""}`),
        ends(lab), scores(lab), findings(lab),
        hardest &&
            [
                el("h3", {}, "The hardest case"),
                el("p", {}, `First wrong in ${whole(hardest.students)} checks: `, el("code", {}, words(hardest.case)))
            ],
        checks(lab));
}

// ---- similar pairs, side by side
function source(side) {
    const shared = new Set();
    for (const [first, last] of list(side.lines))
        for (let line = whole(first); line <= whole(last); line++) shared.add(line);
    const lines = words(side.source).split("\n");
    if (!lines[lines.length - 1]) lines.pop();
    return el("pre", {tabindex: 0, "aria-label": `the file of ${words(side.id)}`},
        lines.map((text, k) => el(shared.has(k + 1) ? "mark" : "span", {}, text + "\n")));
}
function similar() {
    const all = list(facts.labs).flatMap((lab) => list((lab.similar || {}).pairs).map((pair) => ({lab, pair})));
    if (!all.length) return null;
    const one = ({lab, pair}) => {
        const [a, b] = list(pair.students);
        const title =
            [`${words(lab.id)}: `, name(a.id), " and ", name(b.id), `, ${whole(pair.percent)} %, ${words(pair.how)}`];
        return el("details", {}, el("summary", {}, title), el("div", {class: "sides"}, source(a), source(b)));
    };
    return section("similar", "similar", "Similar, side by side",
        el("p", {class: "muted small"},
            "The share of what is particular in one of the two that the other has, too; what the skeleton gives or most of the " +
                "class wrote hardly counts. Marked are the lines that both have. ",
            list(facts.labs)
                .filter((lab) => list((lab.similar || {}).pairs).length)
                .map((lab) => `In ${words(lab.id)} half of the class has nobody nearer than ${
                         whole(lab.similar.middle)} %. `),
            "Similar files prove nothing: ask."),
        all.map(one));
}

// ---- what to look at, and all students
const OPEN = 5;  // of the kinds, by urgency
function look() {
    const all = list(facts.attention);
    const item = (a) => el("li", {}, `${words(a.lab)} `, name(a.id), words(a.name) && [" (", name(a.name), ")"],
        words(a.text) && [": ", name(a.text)]);
    const group = ({what, title, remedy}, k) => {
        const some = all.filter((a) => a.what === what);
        return some.length > 0 &&
            el("details", {open: k < OPEN}, el("summary", {}, `${title} (${some.length})`),
                el("p", {class: "muted small"}, remedy), el("ul", {}, some.map(item)));
    };
    return section("look", "look", "To look at", !all.length && el("p", {}, "Nothing."), kinds.map(group));
}
const byHand = (one) => one.override &&
    el("span", {class: "muted small"}, " by hand", one.graded === undefined ? "" : `, graded ${whole(one.graded)}`,
        words(one.comment) && [": ", name(one.comment)]);
const lateness = (one) => one && one.late ? el("span", {class: "muted small"}, ` ${words(one.lateness) || "late"}`,
                                                one.penalty && !one.override ? `, graded ${whole(one.graded)}` : "") :
                                                                               null;
function mark(one) {
    const status = words((one || {}).status), [text, style] = ENDS[status] || ENDS.missing;
    if (one && one.score !== undefined)
        return el("td", {class: "number"}, el("span", {class: `pill ${style}`}, String(whole(one.score))),
            status === "build" ? " does not build" : "", lateness(one), byHand(one));
    return el("td", {class: "number muted"}, text, lateness(one));
}
function students() {
    const labs = list(facts.labs), all = list(facts.students), one = labs.length === 1;  // room for what to do first
    const row = (s) => {
        const marks = s.labs || {};
        return el("tr", {},
            el("th", {scope: "row"}, name(s.name || s.id),
                words(s.name) && [" ", el("span", {class: "muted"}, name(s.id))]),
            labs.map((lab) => mark(marks[lab.id])),
            typeof s.total === "number" ? el("td", {class: "number"}, `${figure(s.total)} %`) : el("td"),
            one && el("td", {class: "first"}, name((marks[labs[0].id] || {}).advice)));
    };
    return section("students", "students", `${all.length} students`,
        tableOf("Students",
            [
                column("student"), labs.map((lab) => column(words(lab.id), "number")), column("in all", "number"),
                one && column("what to do first", "first")
            ],
            all.map(row)));
}

// ---- the page
const title = words(facts.title) || "Class", compared = similar();
const link = (id, text) => el("li", {}, el("a", {href: `#${id}`}, text));
document.title = title;
document.getElementById("top").append(el("div", {class: "bar"}, el("span", {class: "brand"}, title),
    el("nav", {"aria-label": "Parts"},
        el("ul", {}, list(facts.labs).map((lab) => link(words(lab.id), words(lab.id))), link("look", "to look at"),
            compared && link("similar", "similar"), link("students", "students")))));
document.getElementById("main").replaceChildren(el("h1", {class: "hidden"}, "The class"),
    ...[...list(facts.labs).map(labSection), look(), compared, students()].filter(Boolean));
