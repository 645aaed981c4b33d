// Shows earlier runs of the same lab, oldest first.
function drawHistory(runs, most, width) {
    const height = 120, left = 8, right = 44,
          x = (k) => left + ((width - left - right) * k) / Math.max(1, runs.length - 1),
          y = (run) => 12 + (height - 24) * (1 - Math.min(1, whole(run.score) / most));
    const last = runs.length - 1;
    return svg("svg", {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `Points of your runs, oldest first: ${runs.map((run) => whole(run.score)).join(", ")}`
    },
        [0, 0.5, 1].map((share) => svg("line", {
            class: "grid",
            x1: 0,
            x2: width - right + 8,
            y1: 12 + (height - 24) * share,
            y2: 12 + (height - 24) * share
        })),
        svg("path", {
            class: "line",
            d: runs.map((run, k) => `${k ? "L" : "M"}${x(k).toFixed(1)} ${y(run).toFixed(1)}`).join("")
        }),
        runs.map((run, k) => svg("circle", {cx: x(k), cy: y(run), r: k === last ? 4.5 : 2.5},
                     svg("title", {}, `${whole(run.score)} points, ${when(run.time)}`))),
        svg("text", {x: x(last) + 10, y: y(runs[last]) + 4, "font-weight": 700}, String(whole(runs[last].score))));
}
const when = (time) =>
    (Number.isFinite(time) ? new Date(1000 * time).toISOString().replace("T", " ").slice(0, 16) : "");

part("history", "Your runs", null, ({record}) => {
    const runs = list(record.history);
    const told = (_, column) => column !== 2 || knowsWarps(record);
    if (runs.length < 2) return null;
    return [
        el("div", {class: "history"},
            drawn(el("div"), (width) => drawHistory(runs, Math.max(1, whole(record.max_score)), Math.min(width, 720)))),
        detailsTable("Runs as a table",
            ["When (UTC)", "#Points", "#Divergent tree steps", "#Modeled cycles"].filter(told),
            runs.map((run) => [when(run.time), number(run.score), number(run.divergent), number(run.cycles, 0)].filter(
                         told)))
    ];
});
