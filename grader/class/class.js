// Shows the page of a class from its facts (class.json). All text is untrusted: it is inserted as text, never as
// HTML. Control characters become spaces, except for newlines in sources. Names are isolated, so that their writing
// direction does not affect the surrounding text.
const CONTROL = /[\u0000-\u001f\u007f]/g, WITHIN_LINES = /[\u0000-\u0009\u000b-\u001f\u007f]/g;
const plain = (key, value) =>
    (typeof value === "string" ? value.replace(key === "source" ? WITHIN_LINES : CONTROL, " ") : value);
const read = (id) => JSON.parse(document.getElementById(id).textContent, plain);
const facts = read("data"), kinds = read("attention");
const name = (text) => el("bdi", {}, words(text));
const figure = (value) => (typeof value === "number" ? value.toFixed(1) : "0.0");
const tableOf = (title, head, rows) =>
    scrolling(title, el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
const column = (text, style) => el("th", {scope: "col", class: style}, text);
const section = (style, id, title, ...children) =>
    el("section", {class: style, id, "aria-labelledby": `${id}-title`}, el("h2", {id: `${id}-title`}, title), children);

// ---- scores as bars
const MAX_ROWS = 12;
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
            "Students by final points. The last bar is full credit; the dashed line is the passing score."),
        svg("svg", {
            viewBox: `0 0 ${CHART.width} ${CHART.height}`,
            role: "img",
            "aria-label": `Students by final points: ${said}`
        },
            bars,
            svg("line", {class: "axis", x1: CHART.left, y1: CHART.base, x2: CHART.width - CHART.left, y2: CHART.base}),
            svg("line", {class: "pass", x1: at, y1: 8, x2: at, y2: CHART.base})));
}

// ---- one lab
// Outcomes of submissions, each with a label and a color.
const ENDS = {
    full: ["full credit", "good"],
    partial: ["incomplete", "wait"],
    build: ["does not build", "bad"],
    refused: ["no file that can be graded", "bad"],
    setup: ["setup failed", "bad"],
    ungraded: ["not graded", "bad"],
    missing: ["no submission", ""]
};
const ends = (lab) => el("ul", {class: "ends"},
    list(facts.students).some((s) => ((s.labs || {})[lab.id] || {}).graded !== undefined) &&
        el("li", {class: "muted small"}, "before lateness and overrides:"),
    Object.entries(ENDS).filter(([end]) => whole((lab.ends || {})[end])).map(([end,
        [text, style]]) => el("li", {class: `pill ${style}`}, `${lab.ends[end]} ${text}`)));
const numbered = (n, one, many) => `${n} ${n === 1 ? one : many}`;
function sentence(lab) {
    const all = list(facts.students), marks = all.map((s) => (s.labs || {})[lab.id] || {});
    const missing = marks.filter((m) => (words(m.status) || "missing") === "missing").length;
    const points = marks.filter((m) => m.score !== undefined).map((m) => whole(m.score)).sort((a, b) => a - b);
    const half = points.length ? points[Math.floor(points.length / 2)] : 0, pass = whole(lab.pass);
    const full = marks.filter((m) => m.score !== undefined && m.score === m.max).length;
    const below = points.filter((n) => n < pass).length;
    const held = list(lab.causes).slice(0, 2).map(({cause, students}) => `${words(cause)} (${whole(students)})`);
    const said = [
        `${all.length - missing} of ${numbered(all.length, "student", "students")} submitted ${words(lab.id)}`,
        points.length > 0 && `half of them have ${half} points${half < 100 ? " or more" : ""}`,
        full > 0 && `${numbered(full, "has", "have")} full credit`,
        below > 0 && `${numbered(below, "has", "have")} fewer than the ${pass} points that are needed to pass`
    ].filter(Boolean);
    const first = said.length > 1 ? `${said.slice(0, -1).join(", ")} and ${said[said.length - 1]}` : said[0];
    return el("p", {class: "sentence"},
        `${first}${held.length ? `; the most frequent causes of lost points are ${held.join(" and ")}` : ""}.`);
}
const who = (s) => name(s.name || s.id);
// An id next to a name. A mail address is cut, because the page may be shown to others.
const idOf = (s) => name(words(s.name) ? words(s.id).replace(/@.*/s, "@…") : s.id);
const linked = (one, ...children) =>
    (words((one || {}).report) ? el("a", {href: encodeURI(one.report)}, children) : children);
// Lists the causes of lost points, each with its students.
function causes(lab) {
    if (!list(lab.causes).length) return null;
    const row = ({cause, students: n, points}) => {
        const some = list(facts.students).filter((s) => ((s.labs || {})[lab.id] || {}).cause === cause);
        return el("tr", {}, el("td", {class: "number"}, String(whole(n))),
            el("td", {},
                el("details", {}, el("summary", {}, el("b", {}, words(cause))),
                    el("ul", {class: "people"}, some.map((s) => el("li", {}, linked(s.labs[lab.id], who(s))))))),
            el("td", {class: "number"}, figure(n > 0 ? whole(points) / n : 0)));
    };
    return [
        el("h3", {}, "Main obstacles"),
        el("p", {class: "muted small"},
            "Each submission counts once: under its most serious error or, if it has none, under its first failed check. Points " +
                "are the grader's, before lateness and overrides."),
        tableOf("Main obstacles", [column("submissions", "number"), column("cause"), column("mean points", "number")],
            lab.causes.slice(0, MAX_ROWS).map(row))
    ];
}
// Lists how many submissions each kind of edit fixes, with an example. The grader tested each edit on its submission.
function fixes(lab) {
    const {searched, mended, edits} = lab.fixes || {};
    if (!list(edits).length) return null;
    const row = ({idea, students: n, diff}) => el("tr", {}, el("td", {class: "number"}, String(whole(n))),
        el("td", {},
            el("details", {}, el("summary", {}, el("b", {}, words(idea))),
                el("pre", {tabindex: 0}, list(diff).map((line) => `${words(line)}\n`)))));
    return [
        el("h3", {}, "Which edit would have fixed them"),
        el("p", {class: "muted small"},
            `An edit of the student's own lines would have fixed ${whole(mended)} of the ${
                whole(searched)} submissions with less than full credit.`),
        tableOf("Which edit would have fixed them", [column("submissions", "number"), column("edit")],
            edits.slice(0, MAX_ROWS).map(row))
    ];
}
const MAX_LINES = 4;
function findings(lab) {
    if (!list(lab.findings).length) return null;
    const line = (l) =>
        el("li", {}, el("span", {}, `line ${whole(l.line)}: ${whole(l.students)}`), el("code", {}, words(l.text)));
    return [
        el("h3", {}, "Most frequent findings"),
        el("p", {class: "muted small"},
            "A submission counts once for each kind of finding. Line numbers refer to the corresponding lines of the skeleton."),
        tableOf("Findings", [column("submissions", "number"), column("finding")],
            lab.findings.slice(0, MAX_ROWS)
                .map((f) => el("tr", {}, el("td", {class: "number"}, String(whole(f.students))),
                         el("td", {}, el("b", {}, words(f.title)),
                             el("ul", {class: "where"}, list(f.lines).slice(0, MAX_LINES).map(line))))))
    ];
}
// Draws a check as a bar of the students with all points, some points, no points, or no judgment.
const PARTS = [["busy", "all points"], ["held", "some"], ["split", "none"], ["idle", "not judged"]];
function picture(test) {
    const status = test.status || {}, all = Object.values(status).reduce((sum, n) => sum + whole(n), 0);
    const waited = whole(status.blocked) + whole(status.skipped), pass = whole(status.pass), some = whole(test.some);
    const sizes = [pass, some, Math.max(0, all - pass - some - waited), waited];
    let x = 0;
    const parts = sizes.map((n, k) => {
        const from = x;
        x += all > 0 ? 100 * n / all : 0;
        return n > 0 && svg("rect", {class: PARTS[k][0], x: figure(from), y: 0, width: figure(x - from), height: 10});
    });
    return svg("svg", {
        viewBox: "0 0 100 10",
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": sizes.map((n, k) => `${n} ${PARTS[k][1]}`).join(", ")
    },
        parts);
}
function checks(lab) {
    if (!list(lab.tests).length) return null;
    const row = (test) => {
        const status = test.status || {}, all = Object.values(status).reduce((sum, n) => sum + whole(n), 0);
        const most = all * whole(test.max_points), share = Math.round(most > 0 ? 100 * whole(test.points) / most : 0);
        return el("tr", {}, el("th", {scope: "row"}, words(test.title)),
            el("td", {class: "picture"}, picture(test),
                el("span", {class: "muted small"},
                    `${whole(status.pass)} of ${all} have all ${whole(test.max_points)} points`)),
            el("td", {class: "number"}, `${share}%`));
    };
    return [
        el("h3", {}, "Checks"), legend(PARTS),
        tableOf("Checks", [column("check"), column("submissions"), column("points of all students", "number")],
            lab.tests.map(row))
    ];
}
function labSection(lab) {
    const id = words(lab.id), hardest = list(lab.cases)[0], due = words(lab.deadline);
    return section("lab", id, `${id} ${words(lab.title)}`,
        el("p", {class: "muted"},
            `${numbered(whole(lab.submissions), "submission", "submissions")}; final points: mean ${
                figure(lab.mean)}, median ${figure(lab.median)}${due ? `; due ${due}` : ""}`),
        sentence(lab), ends(lab), scores(lab), causes(lab), fixes(lab), findings(lab),
        hardest &&
            [
                el("h3", {}, "The hardest case"),
                el("p", {}, `The first wrong case in ${whole(hardest.students)} checks: `,
                    el("code", {}, words(hardest.case)))
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
    const short = list(facts.labs).filter((lab) => (lab.similar || {}).renamed === false).map((lab) => words(lab.id));
    if (!all.length && !short.length) return null;
    const one = ({lab, pair}) => {
        const [a, b] = list(pair.students);
        const title = [
            `${words(lab.id)}: `, name(words(a.name) || a.id), " and ", name(words(b.name) || b.id),
            `, ${whole(pair.percent)}%, ${words(pair.how)}`
        ];
        return el("details", {}, el("summary", {}, title), el("div", {class: "sides"}, source(a), source(b)));
    };
    return section("similar", "similar", "Similar, side by side",
        el("p", {class: "muted small"},
            "The percentage is the share of one file's distinctive parts that the other file also contains. Parts that " +
                "the skeleton gives, or that most of the class wrote, hardly count. Lines in both files are marked. ",
            list(facts.labs)
                .filter((lab) => list((lab.similar || {}).pairs).length)
                .map((lab) => `In ${words(lab.id)}, half of the submissions share at most ${
                         whole(lab.similar.middle)}% with any other. `),
            short.length > 0 &&
                `In ${short.join(" and ")}, equal code is no evidence, because so many submissions differ only in ` +
                    "names. There, copies are recognized by their names and comments: copies without comments are not " +
                    "listed, and copies with renamed variables may be missing. ",
            "Similarity proves nothing: ask."),
        all.map(one));
}

// ---- attention list, and all students
const OPEN = 5;  // number of the most urgent kinds whose lists are initially open
function look() {
    const all = list(facts.attention);
    const item = (a) => el("li", {}, `${words(a.lab)} `, idOf(a), words(a.name) && [" (", name(a.name), ")"],
        words(a.text) && [words(a.id) && ": ", name(words(a.text).replace(/@[^\s,()]+(?= \()/g, "@…"))]);
    const group = ({what, title, remedy}, k) => {
        const some = all.filter((a) => a.what === what);
        return some.length > 0 &&
            el("details", {open: k < OPEN}, el("summary", {}, `${title} (${some.length})`),
                el("p", {class: "muted small"}, remedy), el("ul", {}, some.map(item)));
    };
    return section("look", "look", "Needs attention", !all.length && el("p", {}, "Nothing."), kinds.map(group));
}
// The notes next to a mark: the attempt, the lateness, and the instructor's points and comment.
function remarks(one) {
    const before = one.graded === undefined ? "" : `, graded ${whole(one.graded)}`;
    const all = [
        words(one.attempt) && `attempt ${one.attempt}`,
        one.late && [words(one.lateness) || "late", one.penalty && !one.override ? before : ""],
        one.override && ["by hand", before], words(one.comment) && ["comment: ", name(one.comment)]
    ];
    return all.filter(Boolean).map((one, k) => el("span", {class: "muted small"}, k ? ", " : " ", one));
}
function mark(one, lab) {
    const status = words((one || {}).status), [text, style] = ENDS[status] || ENDS.missing;
    const cell = (kind, ...children) => el("td", {class: kind, "data-label": words(lab.id)}, children);
    if (one && one.score !== undefined)
        return cell("number", linked(one, el("span", {class: `pill ${style}`}, String(whole(one.score)))),
            status === "build" ? " does not build" : "", remarks(one));
    return cell("number muted", text, remarks(one || {}));
}
const markOf = (s, lab) => (s.labs || {})[lab.id] || {};
function studentRow(s, labs) {
    const only =
        labs.length === 1 ? markOf(s, labs[0]) : null;  // a single lab leaves room for the cause and the next step
    return el("tr", {},
        el("th", {scope: "row"}, linked(only, who(s)),
            words(s.name) && s.name !== s.id && [" ", el("span", {class: "muted"}, idOf(s))]),
        labs.map((lab) => mark(markOf(s, lab), lab)),
        el("td", {class: "number", "data-label": "total"}, typeof s.total === "number" ? `${figure(s.total)}%` : ""),
        only &&
            el("td", {class: "first"}, words(only.cause) && el("b", {}, words(only.cause)),
                words(only.cause) && el("br"), name(only.advice)));
}
// Sort keys of the table, which are functions from a student to a number or text. Empty values sort last.
const score = (lab) => (s) => markOf(s, lab).score;
const keysOf = (labs) => [["student", (s) => words(s.name) || words(s.id)],
    ...labs.map((lab) => [words(lab.id), score(lab), "number"]), ["total", (s) => s.total, "number"],
    ...(labs.length === 1 ?
            [["cause, and what to do first", (s) => words(markOf(s, labs[0]).cause) || undefined, "first"]] :
            [])];
function compare(a, b) {
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
    return typeof a === "number" ? a - b : a.localeCompare(b);
}
// Returns whether every word of the query occurs in the student's row.
function answers(s, labs, question) {
    const said =
        [
            s.name, s.id, ...labs.flatMap((lab) => {
                const one = markOf(s, lab), status = words(one.status) || "missing";
                return [
                    one.cause, one.advice, one.comment, (ENDS[status] || ENDS.missing)[0], one.late ? "late" : "",
                    one.lateness, one.override ? "by hand" : ""
                ];
            })
        ].map(words)
            .join(" ")
            .toLowerCase();
    return question.toLowerCase().split(/\s+/).every((word) => said.includes(word));
}
function students() {
    const labs = list(facts.labs), all = list(facts.students), keys = keysOf(labs);
    const body = el("tbody", {}), told = el("p", {class: "muted small", role: "status"});
    let by = 0, down = false, question = "";
    const heads = keys.map(([title, , style], k) => el("th", {scope: "col", class: style},
                               el("button", {type: "button", class: "sort", click: () => order(k)}, title)));
    const draw = () => {
        const shown = all.filter((s) => answers(s, labs, question)), value = keys[by][1];
        shown.sort((a, b) => {
            const last = (value(a) === undefined) - (value(b) === undefined);
            return last || (down ? -1 : 1) * compare(value(a), value(b));
        });
        body.replaceChildren(...shown.map((s) => studentRow(s, labs)));
        heads.forEach((head, k) => {
            if (k === by)
                head.setAttribute("aria-sort", down ? "descending" : "ascending");
            else
                head.removeAttribute("aria-sort");
        });
        told.textContent = question ? `${shown.length} of ${all.length} shown` : "";
    };
    const order = (k) => {
        down = k === by ? !down : false;
        by = k;
        draw();
    };
    const ask = (event) => {
        question = event.target.value.trim();
        draw();
    };
    draw();
    return section("students", "students", numbered(all.length, "student", "students"),
        el("label", {class: "filter"}, "Show only rows with ", el("input", {
            type: "search",
            "aria-label": "Show only rows with",
            input: ask,
            placeholder: "a name, a cause, late, no submission"
        })),
        told, scrolling("Students", el("table", {}, el("thead", {}, el("tr", {}, heads)), body)));
}

// ---- the page
const title = words(facts.title) || "Class", compared = similar();
const link = (id, text) => el("li", {}, el("a", {href: `#${id}`}, text));
document.title = title;
document.getElementById("top").append(el("div", {class: "bar"}, el("span", {class: "brand"}, title),
    el("nav", {"aria-label": "Parts"},
        el("ul", {}, list(facts.labs).map((lab) => link(words(lab.id), words(lab.id))), link("look", "needs attention"),
            compared && link("similar", "similar"), link("students", "students")))));
document.getElementById("main").replaceChildren(el("h1", {class: "hidden"}, "The class"),
    ...[...list(facts.labs).map(labSection), look(), compared, students()].filter(Boolean));
