// Rounding errors: a sum of floats in three orders, and the error of each.
const ERROR_ORDERS =
    [["serial", "one after the other"], ["interleaved", "interleaved tree"], ["compacted", "compacted tree"]];
// Returns the error in units in the last place (ulp) of the sum.
function ulpsOff({buffers}) {
    return Math.abs(buffers.error[0]) / 2 ** (Math.floor(Math.log2(buffers.sum[0])) - 23);
}
const offText = (ulps) => (ulps ? `off by ${Number(ulps.toPrecision(2))} ulp` : "exact");

explorable({
    name: "error",
    title: "Rounding in three orders.",
    lead:
        "1 + 1/2 + 1/3 + … + 1/n, in float. Each addition rounds. How far from the exact sum is the result of each order?",
    lab: "lab2",
    figure: "error",
    controls: [{
        key: "n",
        text: "Elements, n:",
        kind: "slide",
        values: [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096],
        value: 1024
    }],
    legend: [["busy", "distance from the exact sum, in ulp"]],
    launches: ({n}) => ERROR_ORDERS.map(
        ([kernel]) => ({kernel, block: WARP, args: {n, x: `float[${n}]:0`, sum: "float[1]:0", error: "float[1]:0"}})),
    says(seen, {n}) {
        const errors =
            ERROR_ORDERS.map(([, name], k) => `${name}, ${seen[k].buffers.sum[0]}, ${offText(ulpsOff(seen[k]))}`);
        const path = `${number(n - 1)} additions, in a tree through ${number(Math.log2(n))}`;
        return `n = ${n}: ${errors.join("; ")}. An ulp (unit in the last place) is the distance to the next float. ` +
            `In sequence, a value passes through up to ${path}.`;
    },
    // Draws a dot per order, on a logarithmic scale.
    draw(seen, set, width) {
        const low = -2, high = 2, left = 140, room = width - left - 24, height = 150;
        const x = (ulps) => left + room * (Math.max(low, Math.min(high, Math.log10(ulps))) - low) / (high - low);
        const marks = Array.from({length: high - low + 1},
            (_, k) => [svg("line", {
                class: k === -low ? "wall" : "wall off",
                x1: x(10 ** (low + k)),
                x2: x(10 ** (low + k)),
                y1: 8,
                y2: 118
            }),
                svg("text", {class: "quiet", x: x(10 ** (low + k)), y: 140, "text-anchor": "middle"},
                    String(Number((10 ** (low + k)).toPrecision(1))))]);
        const rows = ERROR_ORDERS.map(([, name], k) => {
            const ulps = ulpsOff(seen[k]), y = 28 + 36 * k;
            return [
                svg("text", {x: 0, y: y + 4}, name),
                ulps ? svg("circle", {class: "busy", cx: x(ulps), cy: y, r: 8}) :
                       svg("text", {x: left, y: y + 4}, "exact")
            ];
        });
        return svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, marks, rows);
    }
});
