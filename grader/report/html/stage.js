// The drawings of the player: the stage, which shows memory before a step, the threads, and memory after it, and the
// tree of all steps.

// ---- shapes: descriptions of SVG elements. Most cells do not change from step to step. reshape() changes only the
// others, so that a browser lays out and paints only these.
const shape = (tag, attributes, ...children) =>
    ({tag, attributes: attributes || {}, children: children.flat(Infinity).filter((child) => child || child === 0)});
function reshaped(node, wanted) {
    if (typeof wanted !== "object") {
        if (node && node.nodeType === Node.TEXT_NODE) {
            if (node.data !== String(wanted)) node.data = wanted;
            return node;
        }
        return document.createTextNode(wanted);
    }
    const kept = node && node.shape && node.shape.tag === wanted.tag ? node : svg(wanted.tag, {});
    reshape(kept, wanted);
    return kept;
}
function reshape(node, wanted) {
    const last = node.shape || {attributes: {}, children: []};
    for (const key of Object.keys({...last.attributes, ...wanted.attributes})) {
        const value = wanted.attributes[key];
        if (value === last.attributes[key]) continue;
        if (value === undefined || value === null)
            node.removeAttribute(key);
        else
            node.setAttribute(key, value);
    }
    wanted.children.forEach((child, k) => {
        const old = node.childNodes[k], now = reshaped(old, child);
        if (now === old) return;
        if (old)
            old.replaceWith(now);
        else
            node.append(now);
    });
    while (node.childNodes.length > wanted.children.length) node.lastChild.remove();
    node.shape = wanted;
}

// ---- the stage
const CELL_HEIGHT = 34, ROW_GAP = 4, FLOW = 54, TITLE = 20, HEAD = 34;

// Returns a group of cells in rows of `columns`, below y: {y, bottom, at(k): center and size of cell k}.
function cellGrid(length, columns, width, y) {
    const pitch = Math.min(46, width / Math.min(columns, Math.max(length, 8))), top = y + TITLE;
    const rows = Math.ceil(length / columns);
    return {
        y,
        bottom: top + rows * (CELL_HEIGHT + ROW_GAP) - ROW_GAP,
        size: pitch - 3,
        at: (k) => ({x: (k % columns) * pitch + pitch / 2, y: top + Math.floor(k / columns) * (CELL_HEIGHT + ROW_GAP)})
    };
}
const columnsFor = (width) => [64, 32, 16, 8].find((columns) => width / columns >= 27) || 8;
const usedArrays = (places) => [...new Set(places.map(([array]) => array))].sort((a, b) => a - b);

// Returns the layout of a step, from top to bottom: the arrays that it reads, the warps, the arrays that it writes.
function stageLayout(player, frame, width) {
    const columns = columnsFor(width), arrays = list(player.arrays), warps = Math.ceil(whole(player.block) / WARP);
    const read = usedArrays(frame.moves.flatMap((move) => list(move.reads))),
          written = usedArrays(frame.moves.filter((move) => move.write).map((move) => move.write));
    const shuffled = frame.moves.some((move) => move.from !== undefined);
    if (!frame.step)
        arrays.forEach((array, k) => {
            if (list(array.first).some((value) => value !== null)) read.push(k);
        });
    let y = HEAD;
    const add = (length) => {
        const grid = cellGrid(length, columns, width, y);
        y = grid.bottom + ROW_GAP;
        return grid;
    };
    const before = read.filter((k) => arrays[k]).map((k) => [k, add(whole(arrays[k].length))]);
    if (before.length && !shuffled) y += FLOW - TITLE;
    const threads = Array.from({length: warps}, (_, warp) => {
        if (shuffled) y += FLOW - TITLE;
        return add(Math.min(WARP, player.block - WARP * warp));
    });
    if (written.length) y += FLOW - TITLE;
    const after = written.filter((k) => arrays[k]).map((k) => [k, add(whole(arrays[k].length))]);
    return {before, threads, after, height: y + 4};
}

// Abbreviates a value with its index for a cell: "3@0".
const brief = (value, most) => shortened(String(value).replace(" at index ", "@"), most);
const cellKey = (player, array, k) => `${words(player.arrays[array].name)}[${k}]`;
function drawCell(grid, k, name, style, value, key) {
    const {x, y} = grid.at(k), text = value === null || value === undefined ? "" : String(value);
    const room = (grid.size - 3) / 0.61, smallest = 5;  // room: font size in pixels times number of characters
    const said = brief(text, Math.min(14, Math.floor(room / smallest))),
          size = Math.max(smallest, Math.min(13, room / Math.max(1, said.length)));
    return shape("g", {class: `cell ${style}`, "data-cell": key},
        shape("title", {}, `${key}${text ? " = " + text : ""}`),
        shape("rect", {x: x - grid.size / 2, y, width: grid.size, height: CELL_HEIGHT, rx: 4}),
        shape("text", {class: "index", x: x - grid.size / 2 + 3, y: y + 10}, name),
        shape("text", {class: "value", x, y: y + 26, style: `font-size: ${size.toFixed(1)}px`}, said));
}
const spaces = {
    shared: "shared memory",
    global: "global memory"
};
const title = (grid, ...texts) => shape("text", {class: "title", x: 0, y: grid.y + 13}, texts);

function drawArray(player, [array, grid], values, look, when) {
    const {name, space, block} = player.arrays[array];
    const where = `${spaces[space] || ""}${block === undefined ? "" : ` of block ${whole(block)}`}`;
    return shape("g", {"data-group": `${when} ${name}`},
        title(grid, shape("tspan", {class: "name"}, words(name)),
            shape("tspan", {class: "quiet"}, `  ${where}, ${when}`)),
        values.map((value, k) => drawCell(grid, k, String(k), look(k), value, cellKey(player, array, k))));
}
function warpTitle(player, step, warp, at) {
    if (player.plain) return `threads${step ? `: ${lanesOf(at.active)} active` : ""}`;
    const {split, active} = at;
    if (!step) return `warp ${warp}`;
    return `warp ${warp}: ${lanesOf(active)} active${split ? ", divergent" : ""}`;
}
function drawWarp(player, frame, warp, grid) {
    const at = frame.step ? warpInStep(frame.step, warp) : {active: 0, present: FULL, split: false};
    if (player.plain) at.split = false;
    const lanes = Math.min(WARP, player.block - WARP * warp),
          holds = new Map(frame.moves.map((move) => [move.thread, move.from === undefined ? move.value : move.own]));
    return shape("g", {"data-warp": warp},
        title(grid, shape("tspan", {class: at.split ? "split" : "name"}, warpTitle(player, frame.step, warp, at))),
        Array.from({length: lanes}, (_, lane) => {
            const thread = WARP * warp + lane, gone = frame.step && !has(at.present, lane);
            return drawCell(grid, lane, String(thread), `lane ${laneLook(at, lane)}${gone ? " gone" : ""}`,
                holds.get(thread), `thread ${thread}`);
        }));
}

// Lines of data flow: each has a path, and a function for the position of the value that moves along it.
function curve(from, to) {
    const middle = (from.y + to.y) / 2;
    return {
        path: `M${from.x} ${from.y}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`,
        at: (p) => {
            const q = 1 - p, a = q * q * q, b = 3 * q * q * p, c = 3 * q * p * p, d = p * p * p;
            return {x: (a + b) * from.x + (c + d) * to.x, y: a * from.y + (b + c) * middle + d * to.y};
        }
    };
}
function arc(from, to, lift) {
    const top = from.y - lift;
    return {
        path: `M${from.x} ${from.y}C${from.x} ${top} ${to.x} ${top} ${to.x} ${to.y}`,
        at: (p) => ({
            x: from.x + (to.x - from.x) * (3 * p * p - 2 * p * p * p),
            y: from.y + (to.y - from.y) * p - 3 * p * (1 - p) * lift
        })
    };
}
function flowsOf(player, frame, layout) {
    const grid = (groups, array) => (groups.find(([k]) => k === array) || [])[1];
    const lane = (thread) => {
        const g = layout.threads[Math.floor(thread / WARP)];
        return g && g.at(thread % WARP);
    };
    const flows = [];
    for (const move of frame.moves) {
        const here = lane(move.thread), lanes = here && {...here, low: {x: here.x, y: here.y + CELL_HEIGHT}};
        if (!here) continue;
        list(move.reads).forEach(([array, index], k) => {
            const g = grid(layout.before, array);
            if (!g) return;
            const cell = g.at(index), value = valueRead(frame, move, k);
            flows.push({...curve({x: cell.x, y: cell.y + CELL_HEIGHT}, here), value, late: false, name: "read"});
        });
        if (move.from !== undefined && lane(move.from))
            flows.push({...arc(lane(move.from), here, FLOW - 8), value: move.value, late: false, name: "shuffle"});
        const g = move.write && grid(layout.after, move.write[0]);
        if (g) flows.push({...curve(lanes.low, g.at(move.write[1])), value: move.value, late: true, name: "write"});
    }
    return flows;
}

// Draws the barrier or synchronization between this step and the previous one.
function drawBarrier(player, frames, position, width) {
    const step = frames[position].step, last = position > 1 ? frames[position - 1].step : null;
    if (!step || !last) return null;
    const act = newAct(step, last), block = act || whole(step.barrier) > whole(last.barrier),
          warp = whole(step.sync) !== whole(last.sync);
    if (!block && !warp) return null;
    const text = act ? `now ${actOf(step)}` :
        block        ? "__syncthreads(): all threads wait here" :
        player.plain ? "these threads wait" :
                       "warp-level synchronization";
    return shape("g",
        {class: block ? "barrier" : "barrier warp",
            "data-barrier": act ? "act" :
                block           ? "block" :
                                  "warp"},
        shape("line", {x1: 0, x2: width, y1: 13, y2: 13}),
        shape("rect", {x: 12, y: 2, width: 7 * text.length + 16, height: 22, rx: 11}),
        shape("text", {class: "mono", x: 20, y: 17}, text));
}

// Returns the median height of the steps, so that the page below seldom moves.
function usualHeight(player, frames, width) {
    if (frames.width !== width) {
        const heights = frames.map((frame) => stageLayout(player, frame, width).height).sort((a, b) => a - b);
        Object.assign(frames, {width, height: heights[heights.length >> 1]});
    }
    return frames.height;
}
// Shows a position on `stage`, an SVG element. Returns a function that starts the motion of its values.
function drawStage(stage, player, frames, position, width) {
    const frame = frames[position], layout = stageLayout(player, frame, width), flows = flowsOf(player, frame, layout);
    const reads = new Set(frame.moves.flatMap((move) => list(move.reads)).map(String)),
          writes = new Set(frame.moves.filter((move) => move.write).map((move) => String(move.write)));
    const height = Math.max(layout.height, usualHeight(player, frames, width));
    const after = layout.after.map((group) => drawArray(player, group, frame.after[group[0]],
                                       (k) => (writes.has(`${group[0]},${k}`) ? "written" : "rest"), "after"));
    stopMoving(stage);
    reshape(stage,
        shape("svg", {
            width,
            height,
            viewBox: `0 0 ${width} ${height}`,
            role: "img",
            "aria-label": stepText(player, frames, position)
        },
            shape("g", {}, drawBarrier(player, frames, position, width)),
            shape("g", {class: "flows"}, flows.map((flow) => shape("path", {class: flow.name, d: flow.path}))),
            shape("g", {},
                layout.before.map(
                    (group) => drawArray(player, group, frame.before[group[0]],
                        (k) => (reads.has(`${group[0]},${k}`) ? "read" : "rest"), frame.step ? "before" : "at first"))),
            shape("g", {}, layout.threads.map((grid, warp) => drawWarp(player, frame, warp, grid))),
            shape("g", {class: "after"}, after), shape("g", {class: "chips"})));
    return () => animate(stage, flows);
}
function animate(stage, flows) {
    const chips = stage.querySelector(".chips"), after = stage.querySelector(".after");
    const moving = flows.filter((flow) => flow.value !== null && flow.value !== undefined).map((flow) => {
        const text = brief(flow.value, 8), half = 5 + 3.6 * text.length;
        const chip =
            svg("g", {}, svg("rect", {x: -half, y: -9, width: 2 * half, height: 18, rx: 9}), svg("text", {y: 4}, text));
        chips.append(chip);
        return {flow, chip};
    });
    const begin = performance.now();
    stage.moving = moving;
    const frame = (now) => {
        if (stage.moving !== moving) return;
        const p = Math.min(1, (now - begin) / 1300);
        for (const {flow, chip} of moving) {
            const q = flow.late ? 2 * p - 1 : 2 * p, shown = q >= 0 && q <= 1;
            chip.style.display = shown ? "" : "none";
            if (!shown) continue;
            const {x, y} = flow.at(q * q * (3 - 2 * q));
            chip.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
        }
        stage.classList.toggle("arriving", p < 0.5);
        after.style.opacity = p < 1 ? 0.25 + 0.75 * Math.max(0, 4 * p - 3) : "";
        if (p < 1 && stage.isConnected)
            requestAnimationFrame(frame);
        else
            chips.replaceChildren();
    };
    requestAnimationFrame(frame);
}
// Ends the motion of the previous step; reshape() removes its moving values.
function stopMoving(stage) {
    const after = stage.querySelector(".after");
    stage.moving = null;
    stage.classList.remove("arriving");
    if (after) after.style.opacity = "";
}

// ---- the tree: a row per step, with lines from a value's old place to its new one
function showRow(tree, position) {
    tree.querySelectorAll(".row").forEach((row, k) => {
        row.classList.toggle("now", k + 1 === position);
        row.classList.toggle("later", k + 1 > position);
    });
}
function drawTree(player, frames, position, width, go) {
    const arrays = list(player.arrays), row = 22, several = frames.some((frame) => actOf(frame.step)),
          left = several ? 86 : 64, room = width - left - 8;
    const across = (k, length) => left + (room * (k + 0.5)) / Math.max(1, length);
    const longest = Math.max(...arrays.map((array) => whole(array.length)), 1),
          placeX = ([, index]) => across(index, longest),
          threadX = (thread) => across(thread, Math.max(longest, whole(player.block)));
    const rows = frames.slice(1).map((frame, k) => {
        const y = (k + 1) * row, step = frame.step, last = k ? frames[k].step : null, targets = new Map();
        const lines =
            frame.moves
                .map((move) => {
                    const to = move.write ? placeX(move.write) : threadX(move.thread);
                    targets.set(to, true);
                    const from = move.from !== undefined ? [threadX(move.from), threadX(move.thread)] :
                                                           list(move.reads).map(placeX);
                    return from.map((x) => `M${x.toFixed(1)} ${y - row + 4}L${to.toFixed(1)} ${y - 4}`).join("");
                })
                .join("");
        const barrier = last && (newAct(step, last) || whole(step.barrier) > whole(last.barrier));
        return svg("g", {class: `row${step.divergent && !player.plain ? " split" : ""}`, click: () => go(k + 1, true)},
            svg("rect", {class: "hit", x: 0, y: y - row / 2, width, height: row}),
            barrier && svg("line", {class: "wall", x1: left, x2: width - 8, y1: y - row / 2, y2: y - row / 2}),
            svg("path", {class: "lines", d: lines}),
            svg("text", {x: 6, y: y + 4},
                `${k} ${words(step.kind)}${step.block === undefined ? "" : ` b${whole(step.block)}`}`),
            [...targets.keys()].map((x) => svg("circle", {cx: x, cy: y, r: Math.min(4, room / 180 + 1.5)})));
    });
    const height = frames.length * row;
    const tree = svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, rows);
    showRow(tree, position);
    return tree;
}
