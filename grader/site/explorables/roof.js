// Modeled times of the ladder's rows at any n, and the roof: the time that memory alone takes. LADDER is
// ladder.json.
const LADDER_POWERS = LADDER.rows[0].us.map((_, k) => LADDER.first + k);
const roofUs = (n) => n * 4 / LADDER.bytes_per_second * 1e6;
const timesAt = (power) => LADDER.rows.map(({id, name, us}) => ({id, name, us: us[power - LADDER.first]}));
const microseconds = (us) => number(Number(us.toPrecision(3)));

explorable({
    name: "roof",
    title: "The ladder and the roof.",
    lead:
        "Modeled times of the course's reductions, for sums of floats on an H200. Change n: which reductions come close to the " +
        "time that memory alone takes?",
    lab: "lab9",
    figure: "roof",
    controls: [
        {
            key: "power",
            text: "Elements, n:",
            kind: "slide",
            values: LADDER_POWERS,
            value: 20,
            word: (power) => `2^${power} = ${number(2 ** power)}`
        },
        {
            key: "scale",
            text: "Scale",
            kind: "choose",
            options: [["time", "time"], ["share", "percent of peak bandwidth"]],
            value: "time"
        }
    ],
    legend: [["busy", "a reduction"], ["split", "the roof: memory bandwidth"]],
    launches: () => [],
    says(seen, {power}) {
        const n = 2 ** power, roof = roofUs(n), rows = timesAt(power).sort((a, b) => a.us - b.us), [best] = rows,
              worst = rows[rows.length - 1];
        const bound = best.us > 4 * roof ?
            "Fixed costs (launches and trees), not memory, determine which kernel is fastest." :
            best.us > 1.5 * roof ? "Fixed costs and memory both matter." :
                                   "Memory determines the time: no kernel can be much faster.";
        return `n = 2^${power}: memory alone takes ${microseconds(roof)} us. The fastest is ${best.id}, ${best.name}: ${
            microseconds(best.us)} us, ${percent(roof / best.us)} of peak bandwidth. The slowest is ${worst.id}, ${
            worst.name}: ${microseconds(worst.us)} us, ${number(worst.us / best.us, 1)} times as long. ${bound}`;
    },
    // Draws a dot per row, on a logarithmic time scale that is the same for all n, or on a linear scale of
    // percentages.
    draw(seen, {power, scale}, width) {
        const rows = timesAt(power), roof = roofUs(2 ** power), beside = width > 560, left = beside ? 290 : 30,
              pitch = beside ? 22 : 34, top = 24, bottom = top + rows.length * pitch, room = width - left - 34,
              low = -3, high = 4.5;
        const timed = scale === "time";
        const x = timed ? (us) => left + room * (Math.log10(us) - low) / (high - low) : (us) => left + room * roof / us;
        const ticks = timed ? Array.from({length: Math.floor(high) - low + 1}, (_, k) => 10 ** (low + k)) :
                              [0, 0.2, 0.4, 0.6, 0.8, 1];
        const text = (tick) => (timed ? (tick >= 1000 ? `${tick / 1000} ms` : `${tick} us`) : percent(tick));
        const every = width > 480 ? 1 : 2;
        const marks = ticks.map((tick, k) => {
            const at = timed ? x(tick) : left + room * tick;
            return [
                svg("line", {class: "wall off", x1: at, x2: at, y1: top - 4, y2: bottom}),
                k % every === 0 && svg("text", {class: "quiet", x: at, y: 12, "text-anchor": "middle"}, text(tick))
            ];
        });
        const dots = rows.map(({id, name, us}, k) => {
            const y = top + (k + 0.5) * pitch;
            return [
                svg("text", {class: "over", x: 0, y: beside ? y + 4 : y - 4}, `${id}  ${name}`),
                svg("circle", {class: "busy", cx: x(us), cy: beside ? y : y + 8, r: 6})
            ];
        });
        return svg("svg", {width, height: bottom + 6, viewBox: `0 0 ${width} ${bottom + 6}`, "aria-hidden": "true"},
            marks, svg("rect", {class: "split", x: x(roof) - 1.5, y: top - 4, width: 3, height: bottom - top + 4}),
            dots);
    }
});
