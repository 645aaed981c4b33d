// Divergence and barriers on a time axis: how long each warp works in each step, and how long it waits for the
// others.
const WAITS_WARPS = 8;
const WAITS_WHO = [
    ["0", "every 2nd, then 4th, then 8th thread"], ["1", "the first half, quarter, eighth of the block"],
    ["2", "every second warp, in turn"], ["3", "thread 0 alone"]
];
// Returns the bars of each warp in order, {at, whole, split, wait}, and the positions of the barriers. Without
// barriers, there is a single step in which no warp waits.
function timeline([{steps}]) {
    const bars = Array.from({length: WAITS_WARPS}, () => []), barriers = [];
    let at = 0;
    for (const {instructions, split_instructions: split} of steps) {
        const longest = Math.max(...instructions);
        instructions.forEach(
            (all, warp) => bars[warp].push({at, whole: all - split[warp], split: split[warp], wait: longest - all}));
        barriers.push(at += longest);
    }
    return {bars, barriers, end: at};
}
const inAll = (bars, key) => bars.flat().reduce((sum, bar) => sum + bar[key], 0);

explorable({
    name: "waits",
    title: "Warps on a time axis.",
    lead:
        "Eight warps execute three steps. In each, some threads take the long path of a branch, the others the short " +
        "path. Which warps diverge, and which wait at the barrier?",
    lab: "lab1",
    figure: "waits",
    controls: [
        {key: "who", text: "Threads on the long path", kind: "choose", options: WAITS_WHO, value: "3"}, {
            key: "length",
            text: "Iterations of the long path:",
            kind: "slide",
            values: Array.from({length: 12}, (_, k) => 2 * (k + 1)),
            value: 12
        },
        {key: "barrier", text: "A barrier after each step", kind: "switch", value: true}
    ],
    legend:
        [["busy", "executes, all lanes active"], ["split", "executes, divergent"], ["idle", "waits at the barrier"]],
    launches: ({who, length, barrier}) => [{
        kernel: "waits",
        block: WAITS_WARPS * WARP,
        args: {out: `int[${WAITS_WARPS * WARP}]:0`, who: Number(who), length, barrier: Number(barrier)}
    }],
    says(seen, {who, barrier}) {
        const {bars, end} = timeline(seen), split = bars.filter((all) => all.some((bar) => bar.split)).length,
                     work = inAll(bars, "whole") + inAll(bars, "split"), waiting = inAll(bars, "wait");
        const diverge =
            split ? `${split} of ${WAITS_WARPS} warps ${split === 1 ? "diverges" : "diverge"}` : "no warp diverges";
        const divergent = split ? ` A divergent warp executes both paths: ${
                                      percent(inAll(bars, "split") / work)} of all instructions have inactive lanes.` :
                                  "";
        const chosen = WAITS_WHO.find(([key]) => key === who)[1];
        const wait = barrier ?
            `The last warp is done after ${number(end)} instructions; on average, a warp waits for ${
                percent(waiting / (end * WAITS_WARPS))} of that time.` :
            `Without barriers no warp waits for another; the slowest warp executes ${number(end)} instructions.`;
        return `On the long path: ${chosen}; ${diverge}. The warps execute ${number(work)} instructions.${divergent} ${
            wait}`;
    },
    draw(seen, {barrier}, width) {
        const {bars, barriers, end} = timeline(seen), left = 56, tall = 18, pitch = 24, top = 20,
                               scale = (width - left - 4) / end, x = (at) => (left + at * scale).toFixed(1),
                               low = top + WAITS_WARPS * pitch;
        const part = (look, at, length, y) =>
            length > 0 && svg("rect", {class: look, x: x(at), y, width: (length * scale).toFixed(1), height: tall});
        const rows = bars.map((all, warp) => {
            const y = top + warp * pitch;
            return [
                svg("text", {class: "quiet", x: left - 6, y: y + 13, "text-anchor": "end"}, `warp ${warp}`),
                all.map(({at, whole, split, wait}) => [part("busy", at, whole, y), part("split", at + whole, split, y),
                            part("idle", at + whole + split, wait, y)])
            ];
        });
        const lines = barrier ? barriers.slice(0, -1) : [], close = lines.some((at) => (end - at) * scale < 36);
        const walls = lines.map((at) => svg("line", {class: "wall", x1: x(at), x2: x(at), y1: top - 4, y2: low}));
        const marks = [...lines, ...(close ? [] : [end])].map(
            (at) => svg("text",
                {class: "quiet", x: x(at), y: 12, "text-anchor": (end - at) * scale < 14 ? "end" : "middle"},
                String(at)));
        return [
            el("p", {class: "small muted"},
                "Time runs to the right, in instructions of a warp. Vertical lines are barriers."),
            svg("svg", {width, height: low + 2, viewBox: `0 0 ${width} ${low + 2}`, "aria-hidden": "true"}, rows, walls,
                marks)
        ];
    }
});
