// Draws the lanes of a step, for all pictures in reports and on the site.

const FULL = 2 ** WARP - 1;
const partial = (mask) => whole(mask) !== 0 && whole(mask) !== FULL;
// Returns whether a warp diverged in a step, and which of its lanes were active or present.
function warpInStep(step, warp) {
    const active = whole(list(step.active)[warp]), present = whole(list(step.present)[warp]);
    // per warp: `split` in the player, `divergent` in the map
    const split = Boolean((Array.isArray(step.divergent) ? step.divergent : list(step.split))[warp]);
    return {active, present, split};
}
function laneLook({active, present, split}, lane) {
    if (has(active, lane)) return split ? "split" : "busy";
    return split && present ? "held" : "idle";
}
const divergentSteps = (split, all) =>
    `${number(split)} of ${number(all)} tree steps ${split === 1 ? "diverges" : "diverge"}`;
const LANE_LEGEND = [
    ["busy", "active, in a whole warp"], ["split", "active, in a divergent warp"], ["held", "inactive"],
    ["idle", "idle"]
];

const LOOKS = ["busy", "split", "held", "idle"];

// Returns the lanes of one step by state: for each of LOOKS, a list of runs [first lane, length] in thread order.
// Caches the result.
const lookedAt = new WeakMap();
function lookRuns(step, warps) {
    if (lookedAt.has(step)) return lookedAt.get(step);
    const runs = {busy: [], split: [], held: [], idle: []};
    let last = null, run = null;
    for (let warp = 0; warp < warps; warp++) {
        const at = warpInStep(step, warp);
        for (let lane = 0; lane < WARP; lane++) {
            const look = laneLook(at, lane);
            if (look === last)
                run[1]++;
            else
                runs[look].push(run = [warp * WARP + lane, 1]);
            last = look;
        }
    }
    lookedAt.set(step, runs);
    return runs;
}
const runLanes = (runs) => runs.reduce((n, [, length]) => n + length, 0);

// Draws one step as a square, with a row per warp and a column per lane. Draws all lanes in the same state as a single
// path, because drawing 1024 rectangles would take longer than a frame.
function drawSquare(map, step, width) {
    const size = Math.min(width, 420) / (WARP + 2.2), left = 2.2 * size;
    const boxes = {busy: "", split: "", held: "", idle: ""}, side = (size - 1).toFixed(2);
    const marks = Array.from({length: map.warps}, (_, warp) => {
        const at = warpInStep(step, warp), y = (warp * size).toFixed(2);
        for (let lane = 0; lane < WARP; lane++)
            boxes[laneLook(at, lane)] += `M${(left + lane * size).toFixed(2)} ${y}h${side}v${side}h-${side}z`;
        return warp % 4 === 0 &&
            svg("text",
                {class: "quiet", x: left - 5, y: (warp + 0.8) * size, "text-anchor": "end", style: "font-size: 10px"},
                String(warp));
    });
    return svg("svg", {width: left + WARP * size, height: map.warps * size, "aria-hidden": "true"}, marks,
        LOOKS.map((look) => boxes[look] && svg("path", {class: look, d: boxes[look]})));
}
