// Times: modelled from counts, and the ladder of all labs where one was made.
function drawBars(rows, width) {
    const most = Math.max(...rows.map(([, value]) => value)), left = 84, room = width - left - 110;
    return svg("svg", {
        width,
        height: rows.length * 34,
        viewBox: `0 0 ${width} ${rows.length * 34}`,
        class: "bars",
        role: "img",
        "aria-label": rows.map(([name, value]) => `${name}: ${number(value, 0)} cycles`).join("; ")
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
                svg("text", {x: left + (room * value) / most + 8, y: 34 * k + 19}, `${number(value, 0)} cycles`)]));
}

part("times", "Modelled time", "From counted work: the same on every machine, and not a measurement.", ({record}) => {
    const modelled = list(record.tests).map((test) => test.modelled).find((m) => m && m.cycles > 0);
    if (!modelled) return null;
    const rows = [
        ["yours", modelled.cycles, modelled.ratio > 1.05 ? "split" : "busy"],
        ["reference", modelled.reference_cycles, "held"]
    ];
    return [
        el("p", {}, `${number(modelled.elements)} elements, ${number(modelled.block)} threads a block: `,
            el("b", {}, `${number(modelled.ratio, 2)} times the reference's`), "."),
        drawn(el("div", {class: "times"}), (width) => drawBars(rows, Math.min(width, 720)))
    ];
});
