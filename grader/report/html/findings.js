// Shows the findings, each with its location, its description, and a drawing of the accesses that nothing orders.
const lineId = (report, line) => `${report.key}-line-${whole(line)}`;
const sameFile = (report, site) => site && site.file === report.record.submission;
// Returns the text of a line of the submission: from the whole source if it is in the record, otherwise from the lines
// that the record quotes.
function lineText(report, line) {
    const quoted = (report.record.source || {})[`${report.record.submission}:${line}`];
    return report.text ? report.text[line - 1] : quoted;
}
const lineName = (report, site) => `${words(site.file).split("/").pop()}:${whole(site.line)}`;

// Returns each finding once, from the first test that has it.
function allFindings(record) {
    const seen = new Set(), all = [];
    for (const test of list(record.tests))
        for (const finding of list(test.findings)) {
            const other = finding.other || {},
                  key = JSON.stringify([finding.kind, finding.at.line, finding.at.file, other.line, finding.object]);
            if (!seen.has(key)) all.push(finding);
            seen.add(key);
        }
    return all;
}
const isQuotable = (report, site) => sameFile(report, site) && lineText(report, site.line) !== undefined;

// Returns the number and text of a source line, as a link to this line in the annotated source. For a line of another
// file, returns its name.
function quote(report, site) {
    if (!isQuotable(report, site)) return el("p", {class: "small muted"}, `at ${lineName(report, site)}`);
    return el("a", {class: "quote mono", href: `#${lineId(report, site.line)}`}, el("b", {}, String(site.line)),
        lineText(report, site.line).trim());
}

// ---- the drawing of two threads: time runs down, and the location that both access is between them
const VERBS = {
    "read": "reads",
    "wrote": "writes",
    "updated atomically": "updates"
};
function accessesOf(finding) {
    const found = /^(.*?) (read|wrote|updated atomically) (.+?) that (.*?) (read|wrote|updated atomically)\b/.exec(
        words(finding.message));
    if (!found) return null;
    return {what: found[3], late: VERBS[found[2]], early: VERBS[found[5]]};
}
const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
// How to draw a kind of finding (lanes, accesses or barrier), and what is missing between two accesses.
const drawingOf = (finding) =>
    CATALOG.findings[finding.kind] || {drawing: "lanes", between: "nothing orders these", plain: ""};
const gapOf = (finding, record) => {
    const {between, plain} = drawingOf(finding);
    return plain && !knows(record, between) ? plain : between;
};
// Names the warp of an access or, if the lab has not taught warps, only its block.
const whose = (site, blocks, record) =>
    (knowsWarps(record) ? (blocks ? `block ${whole(site.block)}, ` : "") + `warp ${whole(site.warp)}` :
                          `block ${whole(site.block)}`);
const whoAt = (site, record) => laneNames(site.lanes, knowsWarps(record) ? undefined : WARP * whole(site.warp));

// Draws the 32 lanes of a warp as a strip, with the lanes of the mask marked.
function laneStrip(mask, x, y, width) {
    const step = width / WARP;
    return svg("g", {},
        Array.from({length: WARP},
            (_, lane) => svg("rect",
                {class: has(mask, lane) ? "on" : "off", x: x + lane * step, y, width: step - 0.8, height: 9, rx: 1})));
}
function arrow(x1, x2, y) {
    const way = Math.sign(x2 - x1);
    return [
        svg("line", {class: "act", x1, x2: x2 - way * 5, y1: y, y2: y}),
        svg("path", {class: "tip", d: `M${x2} ${y}l${- way * 8} -4.5v9z`})
    ];
}
function raceDrawing(finding, record, room) {
    const access = accessesOf(finding), early = finding.other, late = finding.at;
    if (drawingOf(finding).drawing !== "accesses" || !access || !early) return null;
    const width = Math.max(280, Math.min(520, room)), strip = 0.32 * width, left = strip / 2, right = width - left,
          half = 0.13 * width, middle = width / 2;
    const blocks = early.block !== late.block, gap = gapOf(finding, record), plate = 3.5 * gap.length + 5;
    const one = (x,
        site) => [svg("text", {x, y: 14, "text-anchor": "middle", "font-weight": 600}, whose(site, blocks, record)),
        svg("text", {class: "quiet", x, y: 30, "text-anchor": "middle"}, whoAt(site, record)),
        laneStrip(site.lanes, x - strip / 2, 38, strip), svg("line", {class: "life", x1: x, x2: x, y1: 52, y2: 214})];
    const act = (x, y, word, site) => [svg("rect", {class: "plate", x: x - 28, y: y - 16, width: 56, height: 34}),
        svg("text", {x, y: y - 3, "text-anchor": "middle", "font-weight": 600}, word),
        svg("text", {class: "quiet", x, y: y + 12, "text-anchor": "middle"}, `line ${whole(site.line)}`)];
    const drawnWay = (thread, edge, y, verb) => (verb === "reads" ? arrow(edge, thread, y) : arrow(thread, edge, y));
    return svg("svg", {
        width,
        height: 218,
        viewBox: `0 0 ${width} 218`,
        role: "img",
        "aria-label": `${whose(early, blocks, record)} ${access.early} ${access.what} at line ${early.line}; ${
            whose(late, blocks, record)} ${access.late} it at line ${late.line}; ${gap}`
    },
        one(left, early), one(right, late),
        svg("rect", {class: "cell", x: middle - half, y: 74, width: 2 * half, height: 128, rx: 6}),
        svg("text", {class: "what", x: middle, y: 66, "text-anchor": "middle"},
            shortened(access.what, Math.floor((0.36 * width) / 8))),
        drawnWay(left + 32, middle - half, 96, access.early), act(left, 96, access.early, early),
        svg("line", {class: "gap", x1: 4, x2: width - 4, y1: 138, y2: 138}),
        svg("rect", {class: "plate", x: middle - plate, y: 127, width: 2 * plate, height: 22, rx: 4}),
        svg("text", {class: "warning", x: middle, y: 142, "text-anchor": "middle"}, gap),
        drawnWay(right - 32, middle + half, 180, access.late), act(right, 180, access.late, late));
}
// Draws a barrier that only some lanes of a warp reach. Each lane is a line that ends at the barrier or before it.
function barrierDrawing(finding, record, room) {
    const came = finding.at, mask = whole(came.lanes);
    if (drawingOf(finding).drawing !== "barrier" || !partial(mask)) return null;
    const width = Math.min(416, room), step = width / WARP, wall = 96, missing = WARP - lanesOf(mask);
    const others = missing === 1 ? "lane" : missing, of = knowsWarps(record) ? ` of warp ${whole(came.warp)}` : "",
          story = `${whoAt(came, record)}${of} at line ${whole(came.line)}, without the other ${
              knowsWarps(record) ? others : `${missing} of these ${WARP}`}`;
    const lane = (k) => {
        const x = (k + 0.5) * step, on = has(mask, k), end = on ? wall : wall - 38;
        return [
            svg("line", {class: on ? "came" : "stayed", x1: x, x2: x, y1: 24, y2: end - 4}),
            svg("circle", {class: on ? "on" : "open", cx: x, cy: end - 4, r: Math.min(4, 0.36 * step)})
        ];
    };
    return svg("svg", {width, height: 126, viewBox: `0 0 ${width} 126`, role: "img", "aria-label": story},
        svg("text", {x: 0, y: 14, "font-weight": 600}, whose(came, true, record)),
        Array.from({length: WARP}, (_, k) => lane(k)),
        svg("line", {class: "wall", x1: 0, x2: width, y1: wall + 1, y2: wall + 1}),
        svg("text", {x: 0, y: wall + 22}, story));
}
// Shows which lanes of the warp were involved, if there are no two accesses to draw.
function lanesDrawing(finding, record, room) {
    const sites = [finding.at, finding.other].filter((site) => site && whole(site.lanes)), width = Math.min(416, room);
    if (!sites.length) return null;
    const text = (site) => `line ${whole(site.line)}, ${whose(site, true, record)}: ${whoAt(site, record)}`;
    return svg("svg", {
        width,
        height: sites.length * 50,
        viewBox: `0 0 ${width} ${sites.length * 50}`,
        role: "img",
        "aria-label": sites.map(text).join("; ")
    },
        sites.map(
            (site,
                k) => [svg("text", {x: 0, y: 14 + 50 * k}, text(site)), laneStrip(site.lanes, 0, 22 + 50 * k, width)]));
}

// Shows two runs of the same launch whose results differ because of the finding. Without such runs, shows the command
// that repeats the launch.
function shownBy({witness, replay}) {
    const runs = list(witness && witness.runs);
    return [
        witness && el("p", {class: "witness"}, el("b", {}, "Shown: "), words(witness.message)),
        runs.length ? runs.map((run) => command(run.replay)) : replay && command(replay)
    ];
}

// Returns the root of a finding: the most severe finding with the same cause.
const rootOf = (all, {root}) => root && all.find(({kind, at}) => kind === root.kind && at.line === root.line);

part("findings", "Findings", null, (report) => {
    const all = allFindings(report.record);
    if (!all.length) return null;
    return all.map((finding, k) => {
        if (rootOf(all, finding)) return null;
        const followers = all.map((other, n) => [other, n]).filter(([other]) => rootOf(all, other) === finding);
        const other =
            finding.other && (finding.other.line !== finding.at.line || finding.other.file !== finding.at.file);
        return el("article", {class: "finding", id: `${report.key}-finding-${k}`, "data-kind": words(finding.kind)},
            el("div", {},
                el("h3", {}, (finding.severity || "error") !== "error" && `${words(finding.severity)}: `,
                    words(finding.title),
                    finding.count > 1 && el("span", {class: "pill"}, `${number(finding.count)} times`)),
                el("p", {}, words(finding.message)), quote(report, finding.at), other && quote(report, finding.other),
                shownBy(finding),
                followers.length > 0 &&
                    el("div", {class: "small"}, "Likely the same cause:",
                        el("ul", {},
                            followers.map(([other, n]) => el("li", {id: `${report.key}-finding-${n}`},
                                              `${lineName(report, other.at)}: ${words(other.title)}`))))),
            drawn(el("div", {class: "race"}),
                (width) => raceDrawing(finding, report.record, width) ||
                    barrierDrawing(finding, report.record, width) || lanesDrawing(finding, report.record, width) ||
                    []));
    });
});
