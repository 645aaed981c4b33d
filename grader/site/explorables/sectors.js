// Sectors of global memory (32 bytes each): those that a warp's load transfers, and the words in them that the warp
// uses.
const SECTOR_WORDS = 8, LINE_WORDS = 32;
const sectorLoad = ([{accesses}]) => accesses.find(({object}) => object === "in");

explorable({
    name: "sectors",
    title: "Sectors of global memory.",
    lead:
        "A warp loads one 4-byte word per lane. Change stride and offset: how many 32-byte sectors does the load move?",
    lab: "lab2",
    figure: "sectors",
    controls: [
        {
            key: "stride",
            text: "Stride, in words:",
            kind: "slide",
            values: Array.from({length: 17}, (_, k) => k),
            value: 2
        },
        {
            key: "offset",
            text: "Offset, in words:",
            kind: "slide",
            values: Array.from({length: 32}, (_, k) => k),
            value: 0
        }
    ],
    legend:
        [["busy", "a word that a lane loads"], ["held", "moved with its sector, but not used"], ["idle", "not moved"]],
    launches: ({
        stride,
        offset
    }) => [{kernel: "sectors", block: WARP, args: {in : "const int[1024]:iota", out: "int[32]:0", stride, offset}}],
    says(seen, {stride, offset}) {
        const load = sectorLoad(seen), words = new Set(load.addresses).size, used = words * 4 / (load.sectors * 32);
        return `Lane t loads word ${offset ? `${offset} + ` : ""}${stride}·t. The load moves ${
            count(load.sectors, "sector")}, ${number(load.sectors * 32)} bytes, and uses ${
            number(words * 4)} of them: ${percent(used)}. ${
            load.sectors > load.ideal ? `${count(load.ideal, "sector")} would suffice.` :
                                        "No smaller number of sectors would suffice."}`;
    },
    draw(seen, set, width) {
        const load = sectorLoad(seen), used = new Set(load.addresses.map((address) => address / 4)),
              moved = new Set([...used].map((word) => Math.floor(word / SECTOR_WORDS)));
        const left = 34, gap = 5, size = Math.min(24, (width - left - 3 * gap) / LINE_WORDS),
              tall = Math.max(8, Math.min(16, size)), top = 2,
              lines = Math.floor(Math.max(...used, 95) / LINE_WORDS) + 1;
        const x = (word) => left + (word % LINE_WORDS) * size + Math.floor((word % LINE_WORDS) / SECTOR_WORDS) * gap,
              y = (word) => top + Math.floor(word / LINE_WORDS) * (tall + 4);
        const cells = Array.from({length: lines * LINE_WORDS}, (_, word) => svg("rect", {
            class: used.has(word)                          ? "busy" :
                moved.has(Math.floor(word / SECTOR_WORDS)) ? "held" :
                                                             "idle",
            x: x(word),
            y: y(word),
            width: size - 1,
            height: tall,
            rx: 1.5
        }));
        const marks = Array.from({length: lines},
            (_, line) =>
                svg("text", {class: "quiet", x: left - 5, y: y(line * LINE_WORDS) + tall / 2 + 4, "text-anchor": "end"},
                    String(line * LINE_WORDS)));
        const height = top + lines * (tall + 4);
        return [
            el("p", {class: "small muted"},
                "Words of memory. A sector has 8 of them; 4 sectors are drawn side by side."),
            svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, marks, cells)
        ];
    }
});
