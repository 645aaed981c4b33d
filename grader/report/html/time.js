// Shows the times: modeled from counts and, if there was a GPU, measured.
function drawBars(rows, unit, width) {
    const most = Math.max(...rows.map(([, value]) => value)), left = 84, room = width - left - 110;
    return svg("svg", {
        width,
        height: rows.length * 34,
        viewBox: `0 0 ${width} ${rows.length * 34}`,
        class: "bars",
        role: "img",
        "aria-label": rows.map(([name, value]) => `${name}: ${number(value, 0)} ${unit}`).join("; ")
    },
        rows.map(
            ([name, value, style], k) => [svg("text", {x: 0, y: 34 * k + 19}, name), svg("rect", {
                class: style,
                x: left,
                y: 34 * k + 4,
                width: Math.max(2, (room * value) / most),
                height: 22,
                rx: 4
            }),
                svg("text", {x: left + (room * value) / most + 8, y: 34 * k + 19}, `${number(value, 0)} ${unit}`)]));
}

// Draws the bars of the submission and the reference.
const twoBars = (own, reference, ratio, unit) => drawn(el("div", {class: "times"}),
    (width) => drawBars([["yours", own, ratio > 1.05 ? "split" : "busy"], ["reference", reference, "held"]], unit,
        Math.min(width, 720)));
const measuredTime =
    (timed) => [el("p", {},
                    `Measured on ${timed.device}: ${number(timed.elements)} elements, ${
                        number(timed.block)} threads per block, ${number(timed.gbs, 0)} GB/s: `,
                    el("b", {}, `${number(timed.ratio, 2)} times the reference's`),
                    `, between ${number(timed.low, 2)} and ${number(timed.high, 2)} after ${
                        number(timed.pairs)} pairs of runs${timed.end === "noisy" ? ", too noisy to be graded" : ""}.`),
        twoBars(timed.ns / 1000, timed.reference_ns / 1000, timed.ratio, "us")];

part("times", "Time",
    "Modeled times are computed from operation counts. They are the same on every machine and are not measurements. Measured times need a GPU.",
    ({record}) => {
        const of = (field) => list(record.tests).map((test) => test[field]).find((m) => m && m.ratio > 0);
        const modeled = of("modeled"), timed = of("timed"), named = of("modeled_on");
        if (!modeled) return null;
        return [
            el("p", {}, `Modeled: ${number(modeled.elements)} elements, ${number(modeled.block)} threads per block: `,
                el("b", {}, `${number(modeled.ratio, 2)} times the reference's`), "."),
            twoBars(modeled.cycles, modeled.reference_cycles, modeled.ratio, "cycles"),
            named ? el("p", {}, `Modeled for ${named.gpu}: ${number(named.us, 2)} us, `,
                        `${number(named.ratio, 2)} times the reference's. This does not affect the points.`) :
                    null,
            timed ? measuredTime(timed) : null
        ];
    });
