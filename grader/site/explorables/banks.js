// Banks of shared memory: the word and bank that each lane of a warp reads, and the number of wavefronts.
const BANKS = 32;
const bankAccess = ([{accesses}]) => accesses.find(({object, kind}) => object !== "out" && kind === "load");
// Returns, for each bank, the words that are read from it and the lanes that read them: [{word, lanes}, ...].
function bankWords({addresses}) {
    const banks = Array.from({length: BANKS}, () => []);
    addresses.forEach((address, lane) => {
        const word = address / 4, bank = banks[word % BANKS], there = bank.find((one) => one.word === word);
        if (there)
            there.lanes.push(lane);
        else
            bank.push({word, lanes: [lane]});
    });
    return banks;
}

explorable({
    name: "banks",
    title: "Banks of shared memory.",
    lead:
        "A warp reads one word per lane. Change the stride: how many wavefronts does the access take? Can padding help?",
    lab: "lab3",
    figure: "banks",
    controls: [
        {
            key: "stride",
            text: "Stride, in words:",
            kind: "slide",
            values: Array.from({length: 34}, (_, k) => k),
            value: 2
        },
        {key: "pad", text: "Padding after every 32 words:", kind: "slide", values: [0, 1, 2, 3, 4], value: 0}
    ],
    legend:
        [["busy", "active in the first wavefront"], ["split", "active in a later wavefront"], ["idle", "bank idle"]],
    launches: ({stride, pad}) => [{kernel: "banks", block: WARP, args: {out: "int[32]:0", stride, pad}}],
    says(seen, {stride, pad}) {
        const access = bankAccess(seen), banks = bankWords(access), used = banks.filter((words) => words.length).length;
        const how = access.wavefronts === 1 ?
            "No bank conflict: one wavefront serves all lanes." :
            `A bank conflict: the wavefronts follow one another, where 1 would suffice.`;
        return `Lane t reads word ${stride}·t${
            pad ? `, plus ${pad} for each 32 words before it` :
                  ""}. The lanes read ${count(used, "bank")}; the fullest has ${
            count(Math.max(...banks.map((words) => words.length)),
                "word")}. The access takes ${count(access.wavefronts, "wavefront")}. ${how}`;
    },
    draw(seen, set, width) {
        const access = bankAccess(seen), banks = bankWords(access), size = Math.min(34, width / BANKS),
              height = Math.max(12, Math.min(22, size)), rows = Math.max(1, access.wavefronts), top = 18;
        const named = (lanes) => (lanes.length > 2 ? `${lanes[0]}–${lanes[lanes.length - 1]}` : lanes.join(","));
        const longest = Math.max(...banks.flat().map(({lanes}) => named(lanes).length));
        const cell = (look, bank, row, lanes) => {
            return [
                svg("rect", {class: look, x: bank * size, y: top + row * (height + 2), width: size - 1, height, rx: 2}),
                lanes.length > 0 && size > 6.5 * longest + 2 &&
                    svg("text", {
                        class: "on",
                        x: (bank + 0.5) * size - 0.5,
                        y: top + row * (height + 2) + height / 2 + 4,
                        "text-anchor": "middle"
                    },
                        named(lanes))
            ];
        };
        const every = size > 18 ? 1 : size > 12 ? 4 : 8;
        const cells = banks.map(
            (words, bank) => [bank % every === 0 &&
                    svg("text", {class: "quiet", x: (bank + 0.5) * size, y: 12, "text-anchor": "middle"}, String(bank)),
                Array.from({length: rows},
                    (_, row) => (words[row] ? cell(row ? "split" : "busy", bank, row, words[row].lanes) :
                                              cell("idle", bank, row, [])))]);
        const whole = top + rows * (height + 2);
        return [
            el("p", {class: "small muted"},
                "Each column is a bank, with the lanes that read it. Each row is a wavefront."),
            svg("svg", {width, height: whole, viewBox: `0 0 ${width} ${whole}`, "aria-hidden": "true"}, cells)
        ];
    }
});
