// The last block: the partials, the tickets, and the values that the block with the last ticket reads, with and
// without fences.
const STALE_LINE = 14;  // line of lastblock.cu that loads the partials
const lastOf = ([{buffers}]) => buffers.drawn.indexOf(buffers.drawn.length - 1);

explorable({
    name: "lastblock",
    title: "The last block.",
    lead:
        "Each block writes a partial and draws a ticket. The block that draws the last ticket adds up all partials. " +
        "Without fences, it may read an old value of a partial. The old values are 0.",
    lab: "lab7",
    figure: "last-block",
    controls: [
        {
            key: "first",
            text: "First block to run:",
            kind: "slide",
            values: ({blocks}) => Array.from({length: blocks}, (_, k) => k),
            value: 1
        },
        {key: "blocks", text: "Blocks:", kind: "slide", values: [2, 3, 4, 5, 6, 7, 8], value: 4},
        {key: "fence", text: "Fences", kind: "switch", value: false},
        {key: "stale", text: "Loads return old values where the memory model allows it", kind: "switch", value: true}
    ],
    legend: [["busy", "the last block"], ["right", "read the value that was written"], ["wrong", "read an old value"]],
    launches: ({blocks, first, fence, stale}) => [{
        kernel: "lastblock",
        grid: blocks,
        block: WARP,
        schedule: `block=${first}${stale ? `,stale=${STALE_LINE}` : ""}`,
        args: {
            partial: `int[${blocks}]:0`,
            drawn: `int[${blocks}]:0`,
            seen: `int[${blocks}]:0`,
            total: "int[1]:0",
            fence: Number(fence)
        }
    }],
    says(seen, {blocks, fence}) {
        const [{buffers, findings}] = seen, due = 5 * blocks * (blocks + 1), total = buffers.total[0],
                         old = buffers.seen.filter((value, k) => value !== buffers.partial[k]).length;
        const race = findings.length ? ` The simulator finds: ${findings[0].title}.` : "";
        const end = fence ?
            "With fences, no old value can be read." :
            total === due ?
            `This is right only by luck: nothing orders these reads after the writes.${race}` :
            `${count(old, "old value")} ${old === 1 ? "was" : "were"} read; the correct total is ${due}.${race}`;
        return `Block ${lastOf(seen)} draws ticket ${blocks - 1}, the last, and reads ${
            buffers.seen.join(", ")}. The total is ${total}. ${end}`;
    },
    draw(seen, {blocks, fence}, width) {
        const [{buffers}] = seen, last = lastOf(seen), pitch = width / blocks, half = Math.min(44, pitch / 2 - 3),
              x = (block) => (block + 0.5) * pitch, words = pitch > 84;
        const box = (block, y, text, look) =>
            svg("g", {}, svg("rect", {class: `box ${look}`, x: x(block) - half, y, width: 2 * half, height: 30, rx: 5}),
                svg("text", {x: x(block), y: y + 20, "text-anchor": "middle"}, text));
        const columns = buffers.drawn.map(
            (ticket, block) => svg("g", {class: "finger", "data-choice": `first ${block}`}, svg("rect", {
                class: `head ${block === last ? "busy" : "idle"}`,
                x: x(block) - half,
                y: 2,
                width: 2 * half,
                height: 28,
                rx: 14
            }),
                svg("text", {class: block === last ? "on" : "", x: x(block), y: 21, "text-anchor": "middle"},
                    words ? `block ${block}` : String(block)),
                box(block, 40, words ? `partial ${buffers.partial[block]}` : String(buffers.partial[block]), ""),
                svg("line",
                    {class: `wall${fence ? "" : " off"}`, x1: x(block) - half, x2: x(block) + half, y1: 79, y2: 79}),
                box(block, 88, words ? `ticket ${ticket}` : String(ticket), "")));
        const reads = buffers.seen.map((value, block) => {
            const look = value === buffers.partial[block] ? "good" : "bad";
            return svg("g", {},
                svg("path",
                    {class: `way ${look}`, d: `M${x(block)} 118C${x(block)} 150 ${x(block)} 150 ${x(block)} 178`}),
                box(block, 178, words ? `read ${value}` : String(value), look));
        });
        const center = Math.max(70, Math.min(width - 70, x(last)));
        return svg("svg", {width, height: 262, viewBox: `0 0 ${width} 262`, "aria-hidden": "true"}, columns, reads,
            svg("line",
                {class: `wall${fence ? "" : " off"}`, x1: x(last) - half, x2: x(last) + half, y1: 148, y2: 148}),
            svg("text", {x: center, y: 238, "text-anchor": "middle"}, `block ${last}: total ${buffers.total[0]}`));
    }
});
