// The step with offset 8 in one warp, in which lanes read words that other lanes overwrite in the same step.
const TRAP_LANES = 16, TRAP_OFFSET = 8, FINGER = 24 /* pixels */;
const trapOrders =
    [["rising", "all lanes together"], ...Array.from({length: TRAP_LANES}, (_, k) => [`lane=${k}`, `lane ${k} ahead`])];
// Returns, for each working lane, the value that it read, the value there before the step, and the value that it
// wrote.
const trapReads = ([{buffers}], {lanes}) => Array.from({length: lanes}, (_, lane) => ({
    lane,
    from: lane + TRAP_OFFSET,
    read: buffers.read[lane],
    due: lane + TRAP_OFFSET + 1,
    left: buffers.after[lane]
}));

explorable({
    name: "trap",
    title: "Read, then write: the step with offset 8.",
    lead:
        "Word k holds k + 1. Lane k adds word k + 8 to its own. Click or tap a lane to make it run ahead of the others. Which " +
        "lanes must run ahead to make the sum wrong, and what prevents this?",
    lab: "lab5",
    figure: "trap",
    controls: [
        {key: "order", text: "Order of the lanes", kind: "choose", options: trapOrders, value: "lane=8"}, {
            key: "lanes",
            text: "Lanes that work",
            kind: "choose",
            options: [["16", "lanes 0 to 15"], ["8", "lanes 0 to 7"]],
            value: "16"
        },
        {key: "wait", text: "A wait between reading and writing", kind: "switch", value: false}
    ],
    legend: [["busy", "runs ahead"], ["right", "read the value before the step"], ["wrong", "read a new value"]],
    launches: ({order, lanes, wait}) => [{
        kernel: "trap",
        block: WARP,
        schedule: order,
        args: {lanes: Number(lanes), wait: Number(wait), read: "int[32]:0", after: "int[32]:0"}
    }],
    says(seen, {order, lanes, wait}) {
        const reads = trapReads(seen, {lanes: Number(lanes)}), bad = reads.filter(({read, due}) => read !== due);
        const chosen = capital(trapOrders.find(([key]) => key === order)[1]), [{findings}] = seen;
        const found = findings.length ? ` The simulator finds: ${findings[0].title}.` : "";
        if (bad.length) {
            const [{lane, from, read, due, left}] = bad;
            return `${chosen}. Lane ${from} has written ${read} to word ${from} before lane ${lane} reads it: lane ${
                lane} gets ${left}, not ${lane + 1 + due}.${found}`;
        }
        const why = wait ? "Every lane reads before any lane writes." :
            found        ? `This is luck: nothing orders the writes of lanes 8 to 15 after these reads.${found}` :
                           "Lanes 8 to 15 do not write, so words 8 to 15 keep their values.";
        return `${chosen}. Every lane reads the value before the step; lane 0 gets ${reads[0].left}. ${why}`;
    },
    draw(seen, {order, lanes, wait}, width) {
        const working = Number(lanes), reads = trapReads(seen, {lanes: working}), words = TRAP_LANES + TRAP_OFFSET,
              all = Math.max(width, words * FINGER), pitch = all / words, half = Math.min(24, pitch / 2 - 1),
              x = (word) => (word + 0.5) * pitch, high = 26, low = 112;
        const box = (word, y, text, look) => svg("g", {},
            svg("rect", {class: `box ${look}`, x: x(word) - half, y, width: 2 * half, height: high, rx: 4}),
            svg("text", {x: x(word), y: y + 17, "text-anchor": "middle"}, text));
        const before = Array.from({length: words}, (_, word) => box(word, 4, String(word + 1), ""));
        const lane = (k) => {
            const on = order === `lane=${k}`, idle = k >= working;
            return svg("g", {class: "finger", "data-choice": `order lane=${k}`},
                svg("rect", {x: k * pitch, y: low - 30, width: pitch, height: high + 60, fill: "transparent"}),
                svg("rect", {
                    class: `head ${on ? "busy" : "idle"}`,
                    x: x(k) - half,
                    y: low,
                    width: 2 * half,
                    height: high,
                    rx: 13,
                    opacity: idle ? 0.4 : null
                }),
                svg("text", {class: on ? "on" : "", x: x(k), y: low + 17, "text-anchor": "middle"}, String(k)));
        };
        const ways = reads.map(({lane: k, from, read, due}) => {
            const look = read === due ? "good" : "bad";
            return svg("path", {
                class: `way ${look}`,
                d: `M${x(from)} ${4 + high}C${x(from)} ${low - 24} ${x(k)} ${low - 48} ${x(k)} ${low}`
            });
        });
        const results =
            reads.map(({lane: k, read, due, left}) => box(k, low + 62, String(left), read === due ? "good" : "bad"));
        const wall =
            svg("line", {class: wait ? "wall" : "wall off", x1: 2, x2: x(TRAP_LANES), y1: low + 44, y2: low + 44});
        const height = low + 62 + high + 4;
        return [
            el("p", {class: "small muted"},
                "Words of shared memory before the step, the lanes, and the words afterward."),
            scrolling("Words and lanes",
                svg("svg", {width: all, height, viewBox: `0 0 ${all} ${height}`, "aria-hidden": "true"}, ways, before,
                    Array.from({length: TRAP_LANES}, (_, k) => lane(k)), wall, results))
        ];
    }
});
