// Compares counts and steps with those of the reference and of the previous lab, and predictions with counts.
// Returns the figures for a table with these columns of counts: those in the first column whose terms the lab has
// taught, but rare ones only if a column has more than 0.
const figuresOf = (record, columns) =>
    CATALOG.figures.filter(({key, terms, rare}) => typeof columns[0][key] === "number" && knows(record, terms) &&
            (!rare || columns.some((counts) => counts && counts[key] > 0)));
const figureText = (figure, value) => (typeof value !== "number" ? "–" :
        figure.unit === "share"                                  ? percent(value) :
                                  number(value, figure.unit === "ratio" ? 2 : undefined));
const worse = (sense, mine, theirs) =>
    (sense === "less" && mine > theirs * 1.005) || (sense === "more" && mine < theirs * 0.995);

// Draws the active lanes of each step as bars.
function drawSteps(steps, threads, warps, width) {
    const height = 90, pitch = Math.min(36, width / Math.max(1, steps.length));
    return svg("svg", {
        width,
        height: height + 18,
        viewBox: `0 0 ${width} ${height + 18}`,
        role: "img",
        "aria-label": `Active ${warps ? "lanes" : "threads"} by step: ${
            steps.map((step) => `${whole(step.active_lanes)}${warps && step.divergent ? " (diverges)" : ""}`)
                .join(", ")}`
    },
        steps.map((step, k) => {
            const tall = Math.max(3, (height * whole(step.active_lanes)) / Math.max(1, threads)), x = k * pitch;
            return [
                svg("rect", {class: "off", x, y: 0, width: pitch - 2, height, rx: 2}), svg("rect", {
                    class: warps && step.divergent ? "split" : "busy",
                    x,
                    y: height - tall,
                    width: pitch - 2,
                    height: tall,
                    rx: 2
                }),
                k % Math.ceil(18 / pitch) === 0 &&
                    svg("text", {
                        class: "quiet",
                        x: x + pitch / 2 - 1,
                        y: height + 14,
                        "text-anchor": "middle",
                        style: "font-size: 11px"
                    },
                        String(k))
            ];
        }));
}
const stepsFigure = (name, measured, warps) => list(measured && measured.steps).length > 0 &&
    el("figure", {},
        el("figcaption", {class: "small"}, el("b", {}, name),
            warps ?
                ` · ${divergentSteps(whole(measured.counts.divergent_tree_steps), whole(measured.counts.tree_steps))}` :
                ` · ${whole(measured.counts.tree_steps)} tree steps`),
        drawn(el("div"), (width) => drawSteps(measured.steps, measured.block, warps, width)));

part("compare", "Compared with the reference",
    "Counts of one full block: yours, the reference's, and those of the previous lab's reference.", ({record}) => {
        const test = list(record.tests).find((t) => t.student && t.student.counts);
        if (!test) return null;
        const warps = knowsWarps(record), mine = test.student, theirs = test.reference || {counts: {}},
              before = record.previous && record.previous.counts ? record.previous : null;
        const rows = figuresOf(record, [mine.counts, theirs.counts, before && before.counts]);
        const other = before && before.elements !== mine.elements ? ` (${number(before.elements)} elements)` : "";
        const head = ["", "#Yours", "#Reference"].concat(before ? [`#${words(before.lab)}${other}`] : []);
        return [
            scrolling("Counts", table(null, head, rows.map((figure) => {
                const {key, label, better} = figure, bad = worse(better, mine.counts[key], theirs.counts[key]);
                return [
                    label.startsWith("of which") ? label : capital(label),
                    el("span", {class: bad ? "worse" : null}, figureText(figure, mine.counts[key]),
                        bad && el("span", {class: "hidden"}, " (worse)")),
                    figureText(figure, theirs.counts[key])
                ].concat(before ? [figureText(figure, before.counts[key])] : []);
            }))),
            el("div", {class: "columns steps"}, stepsFigure("Yours", mine, warps),
                stepsFigure("Reference", theirs, warps)),
            legend(warps ? [["busy", "active lanes, no warp diverges"], ["split", "a warp diverges"]] :
                           [["busy", "active threads"]])
        ];
    });

part("predictions", "Predictions", "Your predictions in predictions.txt, compared with the counts.", ({record}) => {
    const rows = list(record.tests).flatMap((test) => list(test.predictions));
    if (!rows.length) return null;
    const seals = list(record.tests).map((test) => test.seal).filter((seal) => seal && typeof seal === "object");
    return scrolling("Predictions and counts",
        seals.map(
            (seal) => el("p", {class: "muted"}, `${words(seal.words)}; digest `, el("code", {}, words(seal.digest)))),
        table(null, ["What", "#M", "#Predicted", "#Counted", ""],
            rows.map((row) => [el("code", {}, words(row.name)), number(row.block),
                         typeof row.predicted === "number" ? number(row.predicted) : "?",
                         typeof row.counted === "number" ? number(row.counted) : "–",
                         typeof row.predicted === "number" ?
                             el("span", {class: `pill ${row.right ? "good" : "bad"}`}, row.right ? "right" : "wrong") :
                             el("span", {class: "pill wait"}, "open")])));
});
