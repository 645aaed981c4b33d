// An interactive race: warps add in three steps, in an order that the reader chooses, with or without barriers.
const RACE_WARPS = 8, RACE_STRIDES = [4, 2, 1];
// Returns the additions of each step: the value that a warp read from another one, and `due`, the value that the
// previous step should have left there.
function additions([{buffers}]) {
    let left = Array.from({length: RACE_WARPS}, (_, warp) => warp + 1);
    return RACE_STRIDES.map((stride) => {
        const all = left.slice(0, stride).map((before, warp) => {
            const from = warp + stride, read = buffers.read[from];
            return {warp, from, before, read, due: left[from]};
        });
        left = all.map(({before, read}) => before + read);
        return all;
    });
}
const raceOrders =
    [["rising", "rising"], ...Array.from({length: RACE_WARPS}, (_, k) => [`warp=${k}`, `warp ${k} runs ahead`])];

explorable({
    name: "race",
    title: "A race, and the order of warps.",
    lead:
        "Eight warps hold 1 to 8 and add them up in three steps. Click or tap a warp to make it run ahead of the others. " +
        "Then switch the barrier on.",
    lab: "lab1",
    figure: "race",
    controls: [
        {key: "order", text: "Order of the warps", kind: "choose", options: raceOrders, value: "warp=1"},
        {key: "barrier", text: "A barrier after each step", kind: "switch", value: false}
    ],
    legend: [["right", "it read the value of the previous step"], ["wrong", "it read too early"]],
    launches: ({order, barrier}) => [barrier, true].map((on) => ({
        kernel: "race",
        block: RACE_WARPS * WARP,
        schedule: order,
        args: {value: "int[8]:0", read: "int[8]:0", total: "int[1]:0", barrier: Number(on)}
    })),
    says(seen, {order, barrier}) {
        const [total, due] = seen.map(({buffers}) => buffers.total[0]),
                      early = additions(seen).flat().filter(({read, due}) => read !== due);
        const order_text = raceOrders.find(([key]) => key === order)[1], found = seen[0].findings;
        const result = total === due ? `The total is ${total}, as it should be` : `The total is ${total}, not ${due}`;
        if (barrier) return `Order: ${order_text}. ${result}: a barrier separates the steps in every order.`;
        const race = found.length ? ` The simulator finds: ${found[0].title}.` : "";
        return early.length ?
            `Order: ${order_text}. ${result}. ${count(early.length, "addition")} read too early: warp ${
                early[0].warp} took ${early[0].read} from warp ${early[0].from}, not ${early[0].due}.${race}` :
            `Order: ${order_text}. ${result}, but only because of this order.${race}`;
    },
    draw(seen, {order, barrier}, width) {
        const pitch = width / RACE_WARPS, high = 30, row = 76, x = (warp) => (warp + 0.5) * pitch,
              half = Math.min(50, pitch / 2 - 3), top = 44;
        const box = (warp, y, text, look) => svg("g", {},
            svg("rect", {class: `box ${look}`, x: x(warp) - half, y, width: 2 * half, height: high, rx: 5}),
            svg("text", {x: x(warp), y: y + 20, "text-anchor": "middle"}, text));
        const head = (warp) => {
            const on = order === `warp=${warp}`, said = pitch > 70 ? `warp ${warp}` : String(warp);
            const look = {class: `head ${on ? "busy" : "idle"}`, x: x(warp) - half, y: 2, width: 2 * half, height: 28};
            const touched = {class: "finger", "data-choice": `order warp=${warp}`};
            return svg("g", touched, svg("rect", {...look, rx: 14}),
                svg("text", {class: on ? "on" : "", x: x(warp), y: 21, "text-anchor": "middle"}, said),
                box(warp, top, String(warp + 1), ""));
        };
        const heads = Array.from({length: RACE_WARPS}, (_, warp) => head(warp));
        const addition = ({warp, from, before, read, due}, y) => {
            const look = read === due ? "good" : "bad", low = y - row + high, sum = before + read;
            const across = `M${x(from)} ${low}C${x(from)} ${y - 14} ${x(warp)} ${y - 34} ${x(warp)} ${y}`;
            return [
                svg("path", {class: "way", d: `M${x(warp)} ${low}V${y}`}),
                svg("path", {class: `way ${look}`, d: across}),
                box(warp, y, half > 26 ? `${before} + ${read} = ${sum}` : String(sum), look)
            ];
        };
        const rows = additions(seen).map((all, k) => {
            const y = top + (k + 1) * row, off = barrier ? "" : " off";
            return svg("g", {}, svg("line", {class: `wall${off}`, x1: 4, x2: width - 4, y1: y - 12, y2: y - 12}),
                all.map((one) => addition(one, y)));
        });
        const height = top + 3 * row + high + 6;
        return svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, heads, rows);
    }
});
