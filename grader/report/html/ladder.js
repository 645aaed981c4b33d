// Draws all reductions of the course side by side (./grade ladder), by elements per second on a logarithmic scale, with
// the memory roofline.
function drawLadder(ladder, rows, width) {
    const height = 20 * rows.length + 44, named = width > 560, left = named ? 270 : 40, room = width - left - 56,
          roof = ladder.bytes_per_second / ladder.bytes_an_element, low = 6,
          high = Math.log10(Math.max(roof, 1e9)) + 0.15,
          x = (rate) => left + (room * Math.max(0, Math.log10(rate) - low)) / (high - low);
    const decades = [];
    const every = room / (high - low) < 40 ? 2 : 1;
    for (let d = Math.ceil(low); d <= high; d += every) decades.push(d);
    return svg("svg", {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        class: "bars",
        role: "img",
        "aria-label": "Billions of elements per second for every reduction; the table below has the numbers"
    },
        decades.map((d) => [svg("line", {class: "grid", x1: x(10 ** d), x2: x(10 ** d), y1: 0, y2: height - 40}),
                        svg("text", {x: x(10 ** d) - 8, y: height - 24}, String(10 ** (d - 9)))]),
        rows.map(
            (row, k) => [svg("text", {x: 0, y: 20 * k + 15}, named ? `${row.id}  ${row.name}` : String(row.id)),
                svg("line", {class: "grid", x1: left, x2: left + room, y1: 20 * k + 10, y2: 20 * k + 10}),
                svg("circle", {class: row.cpu ? "held" : "busy", cx: x(row.elements_per_second), cy: 20 * k + 10, r: 5},
                    svg("title", {}, `${row.name}: ${number(row.elements_per_second / 1e9, 3)} G elements per second`)),
                svg("text", {x: x(row.elements_per_second) + 9, y: 20 * k + 15},
                    number(row.elements_per_second / 1e9, row.elements_per_second < 1e10 ? 2 : 0))]),
        svg("line", {class: "roof", x1: x(roof), x2: x(roof), y1: 0, y2: height - 40}),
        svg("text", {x: Math.max(0, x(roof) - 118), y: height - 6}, "dashed: memory bandwidth"));
}

part("ladder", "The ladder",
    "Billions of elements per second for every reduction in the course, from your last ./grade ladder. Kernel times are modeled unless they were measured.",
    ({record}) => {
        const ladder = record.ladder || {}, rows = list(ladder.rows).filter((row) => row.elements_per_second > 0);
        if (!rows.length || !(ladder.bytes_per_second > 0) || !(ladder.bytes_an_element > 0)) return null;
        return [
            el("p", {}, `${ladder.op} of ${number(ladder.elements)} elements on ${ladder.device}.`),
            drawn(el("div", {class: "times ladder"}), (width) => drawLadder(ladder, rows, Math.min(width, 820))),
            detailsTable("The ladder as a table",
                ["Row", "Reduction", "#Launches", "#Modeled us", "#Measured us", "#G elements per second"],
                rows.map((row) => [row.id, row.name, number(row.launches), number(row.modeled_us, 2),
                             number(row.measured_us, 2), number(row.elements_per_second / 1e9, 3)]))
        ];
    });
