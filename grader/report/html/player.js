// The step player shows small blocks of the student's own run, step by step.

// Returns the contents of memory before and after each step. frames[0] is the initial state.
function playerFrames(player) {
    let memory = list(player.arrays)
                     .map((array) => Array.from({length: whole(array.length)}, (_, k) => list(array.first)[k] ?? null));
    const frames = [{step: null, moves: [], before: memory, after: memory}];
    for (const step of list(player.steps)) {
        const before = memory, moves = list(step.moves);
        memory = memory.map((array) => array.slice());
        for (const move of moves) {
            const [array, index] = list(move.write);
            if (memory[array] && index < memory[array].length) memory[array][index] = move.value ?? null;
        }
        frames.push({step, moves, before, after: memory});
    }
    return frames;
}

const SIGNS = {
    sum: " + ",
    product: " × ",
    prod: " × "
};
function combined(player, operands) {
    const operator = words(player.variant).split("_")[0];
    if (operands.length < 2) return operands.join("");
    const named = ["min", "max"].includes(operator) ? operator : "combine";
    return SIGNS[operator] ? operands.join(SIGNS[operator]) : `${named}(${operands.join(", ")})`;
}
// Returns the name of an element, such as "s[3]", or "s[3] of block 6" if it belongs to another block.
function placeName(player, [array, index]) {
    const name = words((list(player.arrays)[array] || {}).name) || "memory",
          [, own, owner] = /^([^]*?)( of block \d+)?$/.exec(name);
    return `${own}[${index}]${owner || ""}`;
}
const inMemory = (frame, [array, index]) => (frame.before[array] || [])[index];
// Returns the value that a thread got in its k-th read. It may be older or newer than what memory holds before the
// step.
const valueRead = (frame, move, k) => list(move.had)[k] ?? inMemory(frame, move.reads[k]);
function readText(player, frame, move, k) {
    const place = move.reads[k], value = valueRead(frame, move, k), name = placeName(player, place);
    return value === inMemory(frame, place) ? name : `${name} = ${value}`;
}
function moveText(player, frame, move) {
    if (move.from !== undefined)
        return `thread ${move.thread} has ${move.own ?? "a value"} and gets ${move.value ?? "a value"} from thread ${
            move.from}`;
    const places = list(move.reads), who = `thread ${move.thread}`, is = (value) => (value ? ` = ${value}` : "");
    if (places.length === 1 && !move.write)
        return `${who}: ${
            placeName(player, places[0])}${is(list(move.had)[0] ?? move.value ?? inMemory(frame, places[0]))}`;
    const target = move.write ? placeName(player, move.write) : "";
    if (!places.length) return `${who} writes ${target || "a value"}${is(move.value)}`;
    const operands = combined(player, places.map((_, k) => readText(player, frame, move, k)));
    return `${who}: ${operands}${target && ` → ${target}`}${is(move.value)}`;
}

// Returns the names of the block and its launch, for a player of multiple blocks.
const actOf = (step) => (step && step.block !== undefined ?
        `${step.launch ? `launch ${whole(step.launch) + 1}, ` : ""}block ${whole(step.block)}` :
        "");
const newAct = (step, last) => Boolean(step && last && actOf(step) !== actOf(last));

const KINDS = {
    load: "load",
    tree: "tree step",
    write: "write",
    other: "other work"
};
function stepText(player, frames, position) {
    if (position === 0)
        return `Before the first step: ${count(player.elements, "element")}, ${
            count(player.block, "thread")}. Press Play, or Next.`;
    const {step, moves} = frames[position],
                 split = list(step.present).map((_, warp) => warpInStep(step, warp)).filter((w) => w.split).length;
    const active = lanesOfAll(step.active), threads = whole(player.block);
    const act = actOf(step);
    const said = [`Step ${position - 1}${act && `, ${act}`}: ${KINDS[step.kind] || "step"}${
        step.line ? `, line ${step.line}` : ""}. ${count(active, "active thread")} of ${threads}`];
    if (player.plain)
        said.push(".");
    else if (split) {
        said.push(`; ${split === 1 ? "1 warp diverges" : `${split} warps diverge`}`);
        said.push(
            active < threads ? `, and ${split === 1 ? "its" : "their"} other threads wait.` : " during the step.");
    } else
        said.push(active < threads ? "; no warp diverges." : ".");
    const first = moves.reduce((low, move) => (low && low.thread <= move.thread ? low : move), null);
    if (first) said.push(` T${moveText(player, frames[position], first).slice(1)}.`);
    return said.join("");
}

function playerTable(player, frames) {
    const taught = (_, column) => column !== 5 || !player.plain;
    return detailsTable("All steps as a table",
        ["Step", "What", "#Line", "#Barriers before", "#Active threads", "Divergent", "Moves"].filter(taught),
        frames.slice(1).map(
            ({step, moves},
                k) => [`${k}${actOf(step) && `: ${actOf(step)}`}`, KINDS[step.kind] || "", String(step.line || ""),
                String(whole(step.barrier)), String(lanesOfAll(step.active)), step.divergent ? "yes" : "no",
                moves.slice(0, 4).map((move) => moveText(player, frames[k + 1], move)).join("; ") +
                    (moves.length > 4 ? `; and ${moves.length - 4} more` : "")]
                          .filter(taught)));
}

// Returns the test whose smallest failing case the player shows, if any.
const played = (record, player) => list(record.tests).find((test) => test.example && test.example.case === player.case);
// Describes the case that the player shows: the elements, and what happened to them.
function playedCase(record, player) {
    const test = played(record, player), example = test && test.example;
    if (!example) return null;
    return el("p", {class: "example"}, el("b", {}, example.shrunk ? "Smallest failing case: " : "Failing case: "),
        `${words(example.kernel)}, ${words(example.operator)}, n = ${number(example.elements)}, blockDim.x = ${
            number(example.block)}`,
        example.grid && `, gridDim.x = ${number(example.grid)}`,
        words(example.values) && [", ", el("code", {}, `${words(example.input)} = ${example.values}`)],
        words(example.fate) && `: ${example.fate}`, ".");
}

part("player", "Step by step",
    "Small blocks from your own run. Each row of cells shows memory or threads. Lines show what threads read and write.",
    (report) => {
        const player = (report.record.pictures || {}).player;
        if (!player || !list(player.steps).length) return null;
        player.plain = !knowsWarps(report.record);
        const frames = playerFrames(player), last = frames.length - 1,
              still = matchMedia("(prefers-reduced-motion: reduce)");
        let position = 0, timer = 0, animated = null;
        const stage = svg("svg", {});
        const box = el("div", {class: "stage"}), tree = el("div", {class: "tree"}),
              text = el("p", {class: "saying", "aria-live": "polite"});
        const slider = el("input", {
            type: "range",
            min: 0,
            max: last,
            value: 0,
            step: 1,
            "aria-label": "Step",
            input: () => go(Number(slider.value))
        });
        const play = el("button", {class: "main", type: "button", click: () => toggle()}, "Play");
        const back = el("button", {type: "button", click: () => go(position - 1)}, "Back");
        const next = el("button", {type: "button", click: () => go(position + 1, true)}, "Next");
        const code = el("a", {class: "quote mono"});
        const outcome = el("p", {class: "outcome"});

        function show(animate) {
            const {step} = frames[position];
            slider.value = position;
            slider.setAttribute("aria-valuetext", position ? `step ${position - 1}` : "before the first step");
            text.textContent = stepText(player, frames, position);
            back.disabled = position === 0;
            next.disabled = position === last;
            const line = step && lineText(report, step.line);
            code.hidden = !line;
            if (line) {
                code.setAttribute("href", `#${lineId(report, step.line)}`);
                code.replaceChildren(el("b", {}, String(step.line)), line.trim());
            }
            const right = words(player.result) === words(player.expected);
            outcome.hidden = position !== last;
            const doubted = right && allFindings(report.record).some(({severity}) => (severity || "error") === "error");
            outcome.className = `outcome ${doubted ? "wait" : right ? "good" : "bad"}`;
            outcome.textContent =
                `Result: ${words(player.result) || "none"}${right ? ", as expected" : `; expected ${player.expected}`}${
                    doubted ? " in this run; the findings above explain why another run may differ" : ""}`;
            box.redraw();
            showRow(tree, position);
            if (animate && animated && !still.matches) animated();
        }
        function go(to, animate) {
            const target = Math.max(0, Math.min(last, to));
            if (target === position) return;
            position = target;
            show(animate);
        }
        function toggle(on = !timer) {
            clearInterval(timer);
            timer = 0;
            if (on) {
                go(position === last ? 0 : position + 1, true);
                timer = setInterval(
                    () => (position === last ? toggle(false) : go(position + 1, true)), still.matches ? 1500 : 2000);
            }
            play.textContent = on ? "Pause" : "Play";
        }
        const KEYS = {
            ArrowRight: () => go(position + 1, true),
            ArrowLeft: () => go(position - 1),
            Home: () => go(0),
            End: () => go(last),
            " ": () => toggle()
        };
        const keys = (event) => {
            if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey ||
                (event.key === " " && event.target.closest("button, summary")))
                return;
            if (event.target.closest("details")) return;
            event.preventDefault();
            KEYS[event.key]();
        };
        drawn(box, (width) => {
            animated = drawStage(stage, player, frames, position, width);
            return stage;
        });
        drawn(tree, (width) => drawTree(player, frames, position, width, go));
        // At the initial position, a printed page shows the first step of the tree or, without a tree, the last step.
        const tree1 = frames.findIndex((frame) => frame.step && frame.step.kind === "tree" && frame.moves.length);
        let kept = 0;
        addEventListener("beforeprint", () => {
            if (!box.isConnected) return;
            kept = position;
            if (position === 0) go(tree1 > 0 ? tree1 : last);
        });
        addEventListener("afterprint", () => box.isConnected && go(kept));
        const asked = /-player-(\d+)$/.exec(location.hash);
        if (asked) position = Math.min(last, Number(asked[1]) + 1);
        show(false);
        return el("div", {
            class: "player",
            role: "group",
            "aria-label": "Step player",
            tabindex: 0,
            keydown: keys,
            "data-steps": last
        },
            playedCase(report.record, player),
            words(player.order) &&
                el("p", {class: "example"}, el("b", {}, "A run with a wrong result because of a race: "),
                    `${words(player.case)}, ${words(player.order)}.`),
            el("div", {class: "controls"}, play, back, next, slider), text, code, box, outcome, legend([
                ...(player.plain ? [["busy", "active"], ["idle", "idle"]] : LANE_LEGEND), ["read", "memory: read"],
                ["written", "memory: written"]
            ]),
            el("h3", {}, "The whole tree"),
            el("p", {class: "small muted"},
                "Each row is a step, each column an element or a thread. Click a row, or use the arrow keys and Space."),
            tree, playerTable(player, frames));
    });
