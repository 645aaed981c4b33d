// Draws the lane map: steps across, the lanes of all warps down, and one enlarged step with a row per warp.
function drawColumns(map, runs, width, chosen, choose) {
    const left = 56, top = 22, lanes = map.warps * WARP,
          pitch = Math.max(4, Math.min(64, (width - left) / runs.length));
    const height = Math.max(160, Math.min(640, lanes)), tall = height / lanes, gap = pitch > 12 ? 2 : 0.5;
    const box = (x, [first, n]) => `M${x.toFixed(1)} ${(top + first * tall).toFixed(3)}h${(pitch - gap).toFixed(1)}v${
        (n * tall).toFixed(3)}h${(gap - pitch).toFixed(1)}z`;
    const rectsOf = (look, found, x) => {
        const d = found.map((run) => box(x, run)).join("");
        return svg("path", {class: look, "data-look": look, "data-lanes": runLanes(found), d});
    };
    const column = (looks, k) => {
        const x = left + k * pitch;
        const rects = LOOKS.map((look) => rectsOf(look, looks[look], x));
        return svg("g", {class: k === chosen ? "column chosen" : "column", "data-step": k, click: () => choose(k)},
            svg("title", {}, `step ${k}`), rects,
            svg("rect", {class: "frame", x: x - gap / 2, y: top - 1, width: pitch, height: height + 2}),
            k % Math.ceil(24 / pitch) === 0 &&
                svg("text", {class: "quiet", x: x + pitch / 2, y: 14, "text-anchor": "middle"}, String(k)));
    };
    const columns = runs.map(column);
    const marks = [];
    const every = map.warps > 8 ? 8 : Math.max(1, map.warps >> 1);
    for (let warp = 0; warp < map.warps; warp += every)
        marks.push(svg("text", {class: "quiet", x: 0, y: top + (warp * WARP + Math.min(16, 2 * every)) * tall + 8},
            `warp ${warp}`));
    return svg("svg",
        {width, height: height + top + 4, viewBox: `0 0 ${width} ${height + top + 4}`, "aria-hidden": "true"}, marks,
        columns);
}
const stepName = (step, k) => `Step ${k}: ${KINDS[step.kind] || "step"}${step.line ? `, line ${step.line}` : ""}`;
function lookText(looks) {
    const busy = runLanes(looks.busy) + runLanes(looks.split), held = runLanes(looks.held);
    return `${count(busy, "active lane")}${held ? `, ${number(held)} inactive` : ""}, ${
        number(runLanes(looks.idle))} idle`;
}
function mapTable(map, runs) {
    const titles = [
        "Step", "What", "#Line", "#Active lanes", "#In divergent warps", "#Inactive", "#Idle", "#Active warps",
        "#Divergent warps"
    ];
    const lanes = ({busy,
        split,
        held,
        idle}) => [runLanes(busy) + runLanes(split), runLanes(split), runLanes(held), runLanes(idle)];
    const warps = (step) => [list(step.active).filter((mask) => whole(mask) !== 0).length,
        list(step.divergent).filter(Boolean).length];
    const row =
        (step, k) => [k, KINDS[step.kind] || "", step.line || "", ...lanes(runs[k]), ...warps(step)].map(String);
    return detailsTable("The lane map as a table", titles, list(map.steps).map(row));
}

part("map", "Lane map",
    "A full block: steps run across, and the lanes of every warp run down. A divergent warp takes at least as much time as a warp without idle lanes.",
    (report) => {
        const map = (report.record.pictures || {}).lane_map, steps = list(map && map.steps);
        if (!knowsWarps(report.record)) return null;
        if (!steps.length) return null;
        const warps = map.warps || list(steps[0].active).length, sized = {...map, warps},
              runs = steps.map((step) => lookRuns(step, warps));
        const splitSteps = steps.filter((step) => step.kind === "tree" && list(step.divergent).some(Boolean)).length,
              tree = steps.filter((step) => step.kind === "tree").length;
        const firstTree = steps.findIndex((step) => step.kind === "tree");
        let chosen = Math.min(steps.length - 1, Math.max(0, firstTree) + 1);
        const picture = el("div", {class: "columns-box"}), square = el("div"),
              saying = el("p", {class: "small", "aria-live": "polite"}), heading = el("h3");
        const slider = el("input", {
            type: "range",
            min: 0,
            max: steps.length - 1,
            value: chosen,
            "aria-label": "Step of the lane map",
            input: () => choose(Number(slider.value))
        });
        function choose(k) {
            chosen = k;
            slider.value = k;
            slider.setAttribute("aria-valuetext", `${stepName(steps[k], k)}: ${lookText(runs[k])}`);
            heading.textContent = stepName(steps[k], k);
            saying.textContent = `${lookText(runs[k])}; ${number(list(steps[k].divergent).filter(Boolean).length)} of ${
                count(warps, "warp")} divergent.`;
            for (const column of picture.querySelectorAll(".column"))
                column.classList.toggle("chosen", Number(column.dataset.step) === k);
            square.redraw();
        }
        drawn(picture, (width) => drawColumns(sized, runs, width, chosen, choose));
        drawn(square, (width) => drawSquare(sized, steps[chosen], width));
        choose(chosen);
        return [
            el("p", {class: "summary"}, el("b", {}, divergentSteps(splitSteps, tree)),
                `: ${number(map.block)} threads on ${number(map.elements)} elements, kernel `,
                el("code", {}, words(map.kernel)), "."),
            el("div", {class: "map", role: "group", "aria-label": "Lane map"},
                el("div", {}, legend(LANE_LEGEND), picture),
                el("div", {class: "enlarged"}, heading, slider, square, saying)),
            mapTable(map, runs)
        ];
    });
