// The section "Change the launch". It runs the graded kernels again in the page's simulator (module.js). The reader
// sets sizes and a schedule, and may remove a barrier or fence.
const MAX_N = 65536, MAX_GRID = 64;
const packedModule = () => document.getElementById("module").textContent.trim();

// ---- jobs (judge/job.h): lines of a key and a value, an empty line, the PTX
function readJob(text) {
    const end = text.indexOf("\n\n"), lines = text.slice(0, end).split("\n").map((line) => {
        const space = line.indexOf(" ");
        return [line.slice(0, space), line.slice(space + 1)];
    });
    return {fields: new Map(lines), ptx: text.slice(end + 2)};
}
const SIZES = /\/n=(\d+)\/block=(\d+)(?:\/grid=(\d+))?$/, ROUNDED = "/rounded";  // sizes and data, as in case names
const isJob = ({fields}) => fields.has("name") && fields.has("seed") && SIZES.test(fields.get("case"));
const mayRound = (fields) => /\/sum_f\d\d\//.test(fields.get("case"));
function caseOf(fields, {n, block, grid, values}) {
    return fields.get("case").replace(SIZES, `/n=${n}/block=${block}`) +
        (fields.has("grid_stride") ? `/grid=${grid}` : "") + (mayRound(fields) ? values : "");
}

// ---- barriers and fences of the PTX: a map from a name with the line in the source to line numbers of the PTX
const SYNCS = [
    [/^bar\.warp\.sync/, "__syncwarp()"], [/^bar(rier)?(\.cta)?\.sync/, "__syncthreads()"],
    [/^(membar|fence\.(sc|acq_rel))\.cta/, "__threadfence_block()"],
    [/^(membar|fence\.(sc|acq_rel))\./, "__threadfence()"]
];
function syncsOf(ptx) {
    const sources = new Set([...ptx.matchAll(/^\s*\.file\s+(\d+)\s+"[^"]*\.cu"/gm)].map(([, file]) => file)),
          found = new Map();
    let at = "";
    ptx.split("\n").forEach((line, k) => {
        const loc = /^\s*\.loc\s+(\d+)\s+(\d+)(?:.*inlined_at\s+(\d+)\s+(\d+))?/.exec(line);
        if (loc) at = sources.has(loc[1]) ? loc[2] : sources.has(loc[3]) ? loc[4] : "";
        const text = line.replace(/^\s*(@!?%\w+\s+)?/, ""), sync = SYNCS.find(([pattern]) => pattern.test(text));
        if (!sync) return;
        const name = `${sync[1]}${at && `, line ${at}`}`;
        found.set(name, [...(found.get(name) || []), k]);
    });
    return found;
}
function without(ptx, name) {
    const lines = ptx.split("\n");
    for (const k of syncsOf(ptx).get(name) || []) lines[k] = "";
    return lines.join("\n");
}
function jobText({fields, ptx}, set) {
    const lines = new Map(fields).set("case", caseOf(fields, set)).set("seed", set.seed);
    if (set.order)
        lines.set("schedule", set.order);
    else
        lines.delete("schedule");
    return `${[...lines].map(([key, value]) => `${key} ${value}\n`).join("")}\n${
        set.out ? without(ptx, set.out) : ptx}`;
}
function commandOf(record, {fields}, set) {
    const file = words(record.submission),
          whose = record.solution                             ? "--solution " :
        /^[\w./+-]+$/.test(file) && !file.startsWith("labs/") ? `--submission ${file} ` :
                                                                "";
    return `./grade ${words(record.lab.id)} ${whose}--case ${caseOf(fields, set)} --seed ${set.seed}${
        set.order ? ` --schedule ${set.order}` : ""}`;
}

// ---- the result of a launch
const VERDICTS = {
    right: ["good", "right"],
    wrong: ["bad", "wrong"],
    stopped: ["bad", "stopped"]
};
function triedFindings(record, findings) {
    if (!findings.length) return el("p", {class: "small muted"}, "No findings in this launch.");
    return el("ul", {class: "tried"},
        findings.map((finding) => el("li", {},
                         el("span", {class: `pill ${finding.severity === "error" ? "bad" : "wait"}`}, finding.title),
                         ` ${lineName(null, finding.at)}: ${finding.message}`,
                         finding.count > 1 && ` (${count(finding.count, "time")})`)));
}
function triedFigures(record, answer, before) {
    const rows = figuresOf(record, [answer.counts, before && before.counts])
                     .map((figure) => [capital(figure.label), figureText(figure, answer.counts[figure.key]),
                              before ? figureText(figure, before.counts[figure.key]) : "–"]);
    const time = ({cycles, mhz}) => `${number(cycles / mhz, 2)} us`;
    rows.unshift(["Modeled time", time(answer), before ? time(before) : "–"]);
    return table(null, ["", "#This launch", "#Previous launch"], rows);
}
function firstBlock({steps}, {block}) {
    const tree = list(steps).filter(({kind}) => kind === "tree");
    return {
        steps,
        block,
        counts: {tree_steps: tree.length, divergent_tree_steps: tree.filter(({divergent}) => divergent).length}
    };
}
function triedOutcome(record, answer, set, before) {
    if (answer.fault) return [el("p", {class: "notice"}, answer.fault)];
    const [style, word] = VERDICTS[answer.end] || VERDICTS.stopped, warps = knowsWarps(record);
    return [
        el("p", {class: "tried-end"}, el("span", {class: `pill ${style}`}, word),
            answer.result ? ` Result ${answer.result}, expected ${answer.expected}.` :
                answer.end === "wrong" ? ` The result was never written; expected ${answer.expected}.` :
                                         ` ${capital(words(answer.message))}.`),
        triedFindings(record, list(answer.findings)),
        el("div", {class: "columns"}, scrolling("Figures of this launch", triedFigures(record, answer, before)),
            stepsFigure("Steps of the first block", firstBlock(answer, set), warps) || el("div"))
    ];
}

// ---- the section
const labeled = (text, control) => el("label", {}, text, control);
function numberBox(text, value, least, most) {
    const box =
        el("input", {"aria-label": text, type: "number", min: least, max: most, step: 1, value, inputmode: "numeric"});
    return {
        node: labeled(text, box),
        value: () => Math.min(most, Math.max(least, Math.round(Number(box.value)) || least))
    };
}
function choiceBox(text, value, options) {
    const box = el("select", {"aria-label": text},
        options.map(([key, name]) => el("option", {value: key, selected: key === value}, name)));
    return {
        node: labeled(text, box),
        value: () => box.value,
        choose: (value) => {
            box.value = value;
        },
        offer: (more) => {
            const kept = box.value;
            box.replaceChildren(...more.map(([key, name]) => el("option", {value: key}, name)));
            box.value = more.some(([key]) => key === kept) ? kept : "";
        }
    };
}
// The sizes in the questions of predictions.txt (judge/predictions.c). They are offered once the counts no longer
// reveal answers.
const ASKED = [128, 256, 512];
const isAnswered = ({predictions}) =>
    list(predictions).length > 0 && predictions.every(({counted}) => counted !== undefined);
function blockSizes(record) {
    const open = list(record.tests).some((test) => test.id === "predictions" && !isAnswered(test));
    return [32, 64, 128, 256, 512, 1024].filter((m) => !open || !ASKED.includes(m)).map((m) => [String(m), String(m)]);
}
function orders(record, block, grid) {
    const ahead = (what, k) => [`${what}=${k}`, `${what} ${k} runs ahead`];
    const some = (what, n) => (n > 1 ? Array.from({length: Math.min(n, 8)}, (_, k) => ahead(what, k)) : []);
    return [
        ["", "random, from the seed"], ["rising", "rising"], ["falling", "falling"],
        ...(knowsWarps(record) ? some("warp", block / WARP) : []), ...some("block", grid)
    ];
}
const plainName = ({fields}) => fields.get("label") || fields.get("name");

part("try", "Change the launch",
    "The simulator in this page runs your kernels. Change the launch and see what happens.", ({record}) => {
        const jobs = list((record.pictures || {}).live).map((job) => readJob(words(job))).filter(isJob);
        if (!jobs.length || typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") return null;
        const sizes = SIZES.exec(jobs[0].fields.get("case"));
        const kernel = choiceBox("Kernel", "0", jobs.map((job, k) => [String(k), plainName(job)])),
              n = numberBox("Elements (n)", sizes[1], 0, MAX_N),
              block = choiceBox("Threads per block", sizes[2], blockSizes(record)),
              grid = numberBox("Blocks", sizes[3] || 1, 1, MAX_GRID),
              seed = numberBox("Seed of the values", jobs[0].fields.get("seed"), 0, 2 ** 32),
              values = choiceBox("Values", "",
                  [["", "chosen so that sums are exact"], [ROUNDED, "arbitrary, so that sums are rounded"]]),
              out = choiceBox("Leave out", "", [["", "nothing"]]),
              order = choiceBox("Order of execution", "", orders(record, Number(sizes[2]), Number(sizes[3] || 1)));
        const outcome = el("div", {class: "outcome-of-try"}), saying = el("p", {class: "hidden", role: "status"}),
              replay = el("div");
        // For touch screens. With a keyboard, readers use the box.
        const strip = touchable(el("div", {class: "ahead", "aria-hidden": "true"}), (key) => {
            if (key === order.value()) return;
            order.choose(key);
            changed();
        });
        let shown = null, asked = null;
        const ask = askSimulator(packedModule, (answer, {set}) => {
            if (set !== asked) return;
            outcome.replaceChildren(...triedOutcome(record, answer, asked, shown));
            outcome.querySelectorAll("div").forEach((box) => box.redraw && box.redraw());
            outcome.removeAttribute("aria-busy");
            saying.textContent = answer.fault ||
                `${words(answer.end)}: ${answer.result || "no result"}, ${
                    count(list(answer.findings).length, "finding")}`;
            if (!answer.fault) shown = answer;
        });
        const job = () => jobs[Number(kernel.value())];
        function changed() {
            const {fields} = job(), only = fields.get("only_block"), strides = fields.has("grid_stride");
            asked = {
                n: Math.max(n.value(), fields.get("finish") === "4" ? 1 : 0),
                block: Number(only || block.value()),
                grid: grid.value(),
                seed: seed.value(),
                values: values.value()
            };
            block.node.hidden = Boolean(only);
            grid.node.hidden = !strides;
            values.node.hidden = !mayRound(fields);
            const launched = strides    ? asked.grid :
                fields.has("one_block") ? 1 :
                                          Math.ceil(asked.n / (asked.block * Number(fields.get("elements") || 1)));
            const offered = orders(record, asked.block, launched), ahead = offered.filter(([key]) => key.includes("="));
            order.offer(offered);
            asked.order = order.value();
            strip.hidden = !ahead.length;
            strip.replaceChildren(...ahead.map(
                ([key, text]) => el("span", {class: `pill${key === asked.order ? " now" : ""}`, "data-choice": key},
                    text.replace(" runs ahead", ""))));
            const syncs = [...syncsOf(job().ptx).keys()];
            out.offer([["", "nothing"], ...syncs.map((name) => [name, name])]);
            out.node.hidden = !syncs.length;
            asked.out = out.value();
            outcome.setAttribute("aria-busy", "true");
            replay.replaceChildren(...(asked.out ? [] : [
                el("p", {class: "small muted"}, "To judge the whole case, run this in a terminal:"),
                command(commandOf(record, job(), asked))
            ]));
            ask({run: jobText(job(), asked), set: asked});
        }
        kernel.node.hidden = jobs.length < 2;
        const form = el("form",
            {class: "try", "aria-label": "The launch", input: changed, submit: (event) => event.preventDefault()},
            [kernel, n, block, grid, values, seed, order, out].map(({node}) => node));
        // The simulator starts when the section becomes visible.
        new IntersectionObserver((entries, observer) => {
            if (!entries.some(({isIntersecting}) => isIntersecting)) return;
            observer.disconnect();
            changed();
        }, {rootMargin: "400px"}).observe(form);
        return [form, strip, outcome, saying, replay];
    });
