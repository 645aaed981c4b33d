// The interleaved and the compacted tree side by side: the active lanes of each step.
const treeSteps = ({steps}) => steps.filter(({kind}) => kind === "tree");
const TREES = [["interleaved", (k) => 2 ** k], ["compacted", (k, block) => block / 2 ** k]];

function treeSays(name, seen, k, stride) {
    const step = treeSteps(seen)[k];
    if (!step) return `${name}, stride ${stride}: no lane`;
    return `${name}, stride ${stride}: ${count(step.active_lanes, "active lane")} in ${
        count(step.active_warps,
            "warp")}, ${step.divergent_warps ? `${number(step.divergent_warps)} divergent` : "none divergent"}`;
}
// Draws each step as a row of lanes, with a frame around the selected step.
function treeRows(seen, chosen, width, strides) {
    const warps = seen.steps[0].active.length, lanes = warps * WARP, left = 44, tall = 13,
          scale = (width - left) / lanes;
    const box = (y, [first, n]) =>
        `M${(left + first * scale).toFixed(2)} ${y}h${(n * scale).toFixed(2)}v${tall}h${(-n * scale).toFixed(2)}z`;
    const path = (look, runs, y) => svg("path", {class: look, d: runs.map((run) => box(y, run)).join("")});
    const row = (step, k) => {
        const looks = lookRuns(step, warps), y = 2 + k * (tall + 4);
        const stride = {class: k === chosen ? "" : "quiet", x: left - 6, y: y + 11, "text-anchor": "end"};
        return svg("g", {"data-choice": `step ${k}`}, svg("text", stride, String(strides(k))),
            LOOKS.map((look) => path(look, looks[look], y)),
            k === chosen &&
                svg("rect", {class: "frame", x: left - 1, y: y - 1, width: width - left, height: tall + 2}));
    };
    const rows = treeSteps(seen).map(row);
    const height = rows.length * (tall + 4) + 4;
    return svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, rows);
}

explorable({
    name: "trees",
    title: "The two trees side by side.",
    lead: "Both trees compute the same sum. Go through the steps: which lanes are active, and which warps diverge?",
    lab: "lab2",
    figure: "lanes-compacted",
    controls: [
        {
            key: "step",
            text: "Step:",
            kind: "slide",
            values: ({block}) => Array.from({length: Math.log2(block) + 1}, (_, k) => k),
            value: 2,
            word: (k, {block}) =>
                `${k + 1} of ${Math.log2(block) + 1}, strides ${TREES[0][1](k)} and ${TREES[1][1](k, block)}`
        },
        {
            key: "block",
            text: "Threads in the block, M:",
            kind: "slide",
            values: [32, 64, 128, 256, 512, 1024],
            value: 256
        },
        {
            key: "n",
            text: "Elements, n:",
            kind: "slide",
            values: ({block}) => Array.from({length: 64}, (_, k) => Math.max(2, (k + 1) * block / 32)),
            value: 512
        }
    ],
    legend: LANE_LEGEND,
    launches: ({block, n}) => TREES.map(([kernel]) => ({kernel, block, args: {levels: `int[${2 * block}]:0`, n}})),
    says(seen, {step, block}) {
        const now = TREES.map(([name, stride], k) => treeSays(name, seen[k], step, stride(step, block))),
              all = seen.map(({counts}) => `${counts.divergent_tree_steps} of ${counts.tree_steps}`);
        return `Step ${step + 1}. ${capital(now[0])}. ${capital(now[1])}. In total, ${
            all[0]} steps diverge in the interleaved tree, ${all[1]} in the compacted one.`;
    },
    draw(seen, {step, block}, width) {
        const beside = width > 620, room = beside ? (width - 28) / 2 : width;
        const tree = ([name, stride], k) => {
            const now = treeSteps(seen[k])[step], warps = seen[k].steps[0].active.length;
            return el("div", {}, el("p", {class: "name"}, capital(name)),
                treeRows(seen[k], step, room, (row) => stride(row, block)),
                el("p", {class: "small muted"}, "This step, one warp per row:"),
                now && drawSquare({warps}, now, Math.min(room, 30 * (WARP + 2.2))));
        };
        return el("div", {class: beside ? "beside" : ""}, TREES.map(tree));
    }
});
