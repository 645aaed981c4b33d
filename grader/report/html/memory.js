// The memory view shows the addresses that a warp's access touches: sectors of global memory, or banks of shared
// memory.
const SECTOR = 32, WORD = 4, BANKS = 32;

const isShared = (access) => access.space === "shared";
const takes = (access) => (isShared(access) ? whole(access.wavefronts) : whole(access.sectors));
const unit = (access, n) =>
    count(n, isShared(access) ? "wavefront" : "sector", isShared(access) ? "wavefronts" : "sectors");
const wasteful = (access) => takes(access) > whole(access.ideal);
const accessCost = (access) =>
    `${unit(access, takes(access))}${wasteful(access) ? `, ${number(whole(access.ideal))} needed` : ""}`;

// Returns the words (4 bytes) that each lane touches: [[lane, word], ...].
function wordsOf(access) {
    const all = [];
    list(access.addresses).slice(0, WARP).forEach((address, lane) => {
        if (!Number.isInteger(address)) return;
        for (let byte = 0; byte < Math.max(1, whole(access.bytes)); byte += WORD)
            all.push([lane, Math.floor((address + byte) / WORD)]);
    });
    return all;
}

function drawLanesOf(access, x, pitch) {
    const size = pitch - Math.min(3, pitch / 5);
    return Array.from({length: WARP}, (_, lane) => {
        const on = Number.isInteger(list(access.addresses)[lane]);
        return svg("g", {},
            svg("rect", {class: on ? "busy" : "off", x: x(lane) - size / 2, y: 18, width: size, height: 18, rx: 2}),
            pitch >= 16 &&
                svg("text",
                    {class: on ? "on" : "quiet", x: x(lane), y: 31, "text-anchor": "middle", style: "font-size: 10px"},
                    String(lane)));
    });
}
const link = (x1, y1, x2, y2, style) => svg("path", {
    class: style,
    d: `M${x1.toFixed(1)} ${y1}C${x1.toFixed(1)} ${(y1 + y2) / 2} ${x2.toFixed(1)} ${(y1 + y2) / 2} ${x2.toFixed(1)} ${
        y2}`
});

// Draws the sectors of global memory that are transferred. Each has eight words, including words that no lane
// requested.
function drawSectors(access, width) {
    const pitch = Math.min(28, width / WARP), laneX = (lane) => lane * pitch + pitch / 2, pairs = wordsOf(access),
          used = new Set(pairs.map(([, word]) => word));
    const sectors = [...new Set([...used].map((word) => Math.floor((word * WORD) / SECTOR)))].sort((a, b) => a - b),
          slot = new Map(sectors.map((s, k) => [s, k]));
    const across = Math.max(1, Math.min(Math.max(4, sectors.length), Math.floor(width / 58))),
          cell = Math.min(22, (width / across - 8) / 8), rowHeight = 50, top = 104;
    const wordX = (word) =>
        (slot.get(Math.floor((word * WORD) / SECTOR)) % across) * (8 * cell + 8) + (word % 8) * cell;
    const wordY = (word) => top + Math.floor(slot.get(Math.floor((word * WORD) / SECTOR)) / across) * rowHeight;
    const boxes = sectors.map((sector) => {
        const first = (sector * SECTOR) / WORD, x = wordX(first), y = wordY(first);
        return svg("g", {class: "sector"},
            svg("rect", {class: "hull", x: x - 1.5, y: y - 1.5, width: 8 * cell + 2, height: 23, rx: 3}),
            Array.from({length: 8},
                (_, k) => svg("rect",
                    {class: used.has(first + k) ? "busy" : "off", x: x + k * cell, y, width: cell - 1, height: 20})),
            svg("text", {class: "quiet", x, y: y + 34, style: "font-size: 10px"}, `+${sector * SECTOR}`));
    });
    const height = top + Math.ceil(Math.max(1, sectors.length) / across) * rowHeight;
    return svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"},
        svg("text", {class: "quiet", x: 0, y: 12}, `lanes of warp ${whole(access.warp)}`),
        svg("g", {class: "links"},
            pairs.map(([lane, word]) => link(laneX(lane), 36, wordX(word) + cell / 2, wordY(word), ""))),
        drawLanesOf(access, laneX, pitch), boxes);
}
// Draws the 32 banks of shared memory. Different words in the same bank are read one after the other.
function drawBanks(access, width) {
    const pitch = Math.min(28, width / BANKS), x = (bank) => bank * pitch + pitch / 2, pairs = wordsOf(access),
          stacks = Array.from({length: BANKS}, () => []);
    for (const [, word] of pairs)
        if (!stacks[word % BANKS].includes(word)) stacks[word % BANKS].push(word);
    stacks.forEach((stack) => stack.sort((a, b) => a - b));
    const tall = Math.max(1, ...stacks.map((stack) => stack.length)), row = tall > 16 ? 12 : 18, top = 112,
          floor = Math.max(1, whole(access.ideal));
    const y = (word) => top + stacks[word % BANKS].indexOf(word) * row, height = top + tall * row + 4,
          size = pitch - Math.min(3, pitch / 5);
    return svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"},
        svg("text", {class: "quiet", x: 0, y: 12}, `lanes of warp ${whole(access.warp)}`),
        svg("text", {class: "quiet", x: 0, y: 92}, "banks of shared memory"),
        svg("g", {class: "links"}, pairs.map(([lane,
            word]) => link(x(lane), 36, x(word % BANKS), y(word), stacks[word % BANKS].length > floor ? "bad" : ""))),
        drawLanesOf(access, x, pitch),
        stacks.map(
            (stack, bank) => [pitch >= 16 &&
                    svg("text", {class: "quiet", x: x(bank), y: 106, "text-anchor": "middle", style: "font-size: 10px"},
                        String(bank)),
                !stack.length &&
                    svg("rect", {class: "off", x: x(bank) - size / 2, y: top, width: size, height: row - 3, rx: 2}),
                stack.map((word) => svg("rect", {
                    class: stack.length > floor ? "split" : "busy",
                    x: x(bank) - size / 2,
                    y: y(word),
                    width: size,
                    height: row - 3,
                    rx: 2
                },
                              svg("title", {}, `bank ${bank}, byte ${word * WORD}`)))]));
}

function accessText(report, access) {
    const lanes = list(access.addresses).filter(Number.isInteger).length, bytes = lanes * whole(access.bytes);
    const what =
        `Line ${whole(access.line)}: ${words(access.kind)} of ${words(access.object)}, ${words(access.space)} memory. ${
            count(lanes, "lane")} of warp ${whole(access.warp)}, ${whole(access.bytes)} bytes each. `;
    if (isShared(access))
        return `${what}${unit(access, takes(access))}${
            wasteful(access) ?
                `, where ${number(whole(access.ideal))} would suffice: a bank delivers one word per wavefront.` :
                ", as few as possible."}`;
    return `${what}${unit(access, takes(access))} move ${number(takes(access) * SECTOR)} bytes${
        wasteful(access) ?
            `; ${number(bytes)} are requested, for which ${unit(access, whole(access.ideal))} would suffice.` :
            ", as few as possible."}`;
}
const addressTable = (access) =>
    detailsTable("Addresses as a table", ["Lane", "#Byte offset", isShared(access) ? "#Bank" : "#Sector"],
        list(access.addresses)
            .map((address, lane) => [String(lane), Number.isInteger(address) ? String(address) : "–",
                     Number.isInteger(address) ?
                         String(isShared(access) ? Math.floor(address / WORD) % BANKS : Math.floor(address / SECTOR)) :
                         "–"]));

part("memory", "Memory", "The memory that one access by a warp touches.", (report) => {
    const banks = knows(report.record, "banks of shared memory"),
          accesses = list((report.record.pictures || {}).accesses).filter((access) => banks || !isShared(access));
    if (!accesses.length || !knows(report.record, "lanes of a warp, sectors")) return null;
    const picture = el("div"), saying = el("p", {"aria-live": "polite"}), more = el("div"), code = el("div");
    let chosen = accesses[0];
    const buttons =
        accesses.map((access) => el("button", {type: "button", class: "choice", click: () => choose(access)},
                         el("span", {class: "mono"}, `${whole(access.line)}`),
                         el("span", {}, `${words(access.kind)} ${words(access.object)}`),
                         el("span", {class: `pill ${wasteful(access) ? "bad" : ""}`}, accessCost(access))));
    function choose(access) {
        chosen = access;
        buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(accesses[k] === access)));
        saying.textContent = accessText(report, access);
        code.replaceChildren(quote(report, {file: report.record.submission, line: access.line}));
        more.replaceChildren(addressTable(access));
        picture.redraw();
    }
    drawn(picture, (width) => (isShared(chosen) ? drawBanks : drawSectors)(chosen, width));
    const waste = (access) => takes(access) - whole(access.ideal);
    choose(accesses.reduce((worst, access) => (waste(access) > waste(worst) ? access : worst)));
    return el("div", {class: "memory"}, el("div", {class: "choices", role: "group", "aria-label": "Accesses"}, buttons),
        el("div", {class: "shown"}, code, saying, legend([["busy", "requested"],
            ["idle", "fetched but unused"]].concat(banks ? [["split", "bank conflict"]] : [])),
            picture, more));
});
