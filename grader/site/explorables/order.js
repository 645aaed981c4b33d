// The order of operands: eight lanes concatenate digits, which is not commutative, or add them, which is.
const ORDER_LANES = 8, ORDER_STEPS = 3;
const offsetsFrom = (first) => (first === "4" ? [4, 2, 1] : [1, 2, 4]);
const afterStep = ({buffers}, step) => (step ? buffers.after.slice(ORDER_LANES * (step - 1), ORDER_LANES * step) :
                                               Array.from({length: ORDER_LANES}, (_, lane) => lane + 1));
// Returns, for each step, the lanes whose values contribute to lane 0's result.
function lanesThatCount(offsets) {
    let lanes = [0];
    const all = [lanes];
    for (const offset of [...offsets].reverse()) all.unshift(lanes = [...lanes, ...lanes.map((lane) => lane + offset)]);
    return all;
}

explorable({
    name: "order",
    title: "The order of the operands.",
    lead:
        "Eight lanes hold 1 to 8. In each step, lane k takes the value of lane k + offset and appends it to its own. Which " +
        "offsets keep the order?",
    lab: "lab6",
    figure: "order",
    controls: [
        {key: "first", text: "Offsets", kind: "choose", options: [["4", "4, 2, 1"], ["1", "1, 2, 4"]], value: "4"},
        {key: "join", text: "Join digits instead of adding them", kind: "switch", value: true}
    ],
    legend: [["busy", "contributes to the result"], ["idle", "never used"]],
    launches: ({
        first,
        join
    }) => [{kernel: "order", block: WARP, args: {after: "int[24]:0", first: Number(first), join: Number(join)}}],
    says([seen], {first, join}) {
        const result = afterStep(seen, ORDER_STEPS)[0],
              steps = Array.from({length: ORDER_STEPS}, (_, k) => afterStep(seen, k + 1)[0]);
        const verdict = !join   ? "Addition commutes: every order gives 36." :
            result === 12345678 ? "The order is kept: only neighbors are joined, the left one first." :
                                  "All digits are present, but not in order.";
        return `Offsets ${offsetsFrom(first).join(", ")}: lane 0 holds 1, then ${steps.join(", ")}. ${verdict}`;
    },
    draw([seen], {first}, width) {
        const pitch = width / ORDER_LANES, row = 66, high = 28, x = (lane) => (lane + 0.5) * pitch,
              half = Math.min(46, pitch / 2 - 2), offsets = offsetsFrom(first), counted = lanesThatCount(offsets);
        const way = (step, lane, y) => {
            const from = lane + offsets[step], down = `M${x(lane)} ${y + high}V${y + row}`;
            const across =
                `M${x(from)} ${y + high}C${x(from)} ${y + row - 12} ${x(lane)} ${y + high + 12} ${x(lane)} ${y + row}`;
            return [svg("path", {class: "way", d: down}), svg("path", {class: "way", d: across})];
        };
        const cell = (step, value, lane) => {
            const on = counted[step].includes(lane), y = 4 + step * row, text = String(value);
            const left = x(lane) - half, long = on ? Math.max(2 * half, 7.5 * text.length + 8) : 2 * half;
            if (step === ORDER_STEPS && lane && left < x(0) - half + 68) return null;  // would overlap the result
            const said = on || pitch > 70 ? text : "·";
            const box = {class: `head ${on ? "busy" : "idle"}`, x: left, y, width: long, height: high};
            return svg("g", {}, step < ORDER_STEPS && counted[step + 1].includes(lane) && way(step, lane, y),
                svg("rect", {...box, rx: 6}),
                svg("text", {class: on ? "on" : "quiet", x: left + long / 2, y: y + 19, "text-anchor": "middle"},
                    said));
        };
        const line = (step) => afterStep(seen, step).map((value, lane) => cell(step, value, lane));
        const cells = Array.from({length: ORDER_STEPS + 1}, (_, step) => line(step));
        const height = 4 + ORDER_STEPS * row + high + 4;
        return svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, cells.flat());
    }
});
