// Measures a page for `make bench-pages`: the time to open the page, to follow a dragged slider, and to show a changed
// launch. Prints a line for each measurement.
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const frame = () => new Promise(requestAnimationFrame);
function spread(times) {
    const all = [...times].sort((a, b) => a - b), at = (share) => all[Math.floor(share * (all.length - 1))];
    return `${at(0.5).toFixed(1)} ms, 95 of 100 within ${at(0.95).toFixed(1)} ms`;
}
const inform = (node) => node.dispatchEvent(new Event("input", {bubbles: true}));

function opened() {
    const [page] = performance.getEntriesByType("navigation"),
          paints = performance.getEntriesByName("first-contentful-paint"),
          files = performance.getEntriesByType("resource").map(({startTime, duration}) => startTime + duration);
    return [`${paints.length ? `first paint ${paints[0].startTime.toFixed(0)} ms, ` : ""}loaded ${
        Math.max(page.loadEventEnd, ...files).toFixed(0)} ms`];
}

// ---- dragging: one move per frame, up and down through the slider's values
const MOVES = 60;
async function dragged(what, slider) {
    const work = [], frames = [], most = Number(slider.max);
    slider.scrollIntoView({block: "center", behavior: "instant"});
    let last = await frame();
    for (let k = 0; k < MOVES; k++) {
        const at = k % (2 * most), begun = performance.now();
        slider.value = at > most ? 2 * most - at : at;
        inform(slider);
        document.body.getBoundingClientRect();  // makes the browser compute the layout
        work.push(performance.now() - begun);
        const now = await frame();
        frames.push(now - last);
        last = now;
    }
    const all = frames.reduce((sum, one) => sum + one, 0);
    return `${what}: ${(1000 * MOVES / all).toFixed(0)} frames per second, a move takes ${spread(work)}`;
}

// ---- changes: from the event to the frame that shows the result
async function changed(what, busy, changes) {
    const times = [];
    for (const change of changes) {
        const begun = performance.now();
        change();
        while (busy()) await wait(0);
        await frame();
        times.push(performance.now() - begun);
        await wait(20);
    }
    return `${what}: ${spread(times)}`;
}
async function exploringSpeed() {
    const lines = [];
    for (const me of shown) {
        const busy = () => !me.state || me.node.hasAttribute("aria-busy"), {row} = me;
        const block = row.controls.find(({key}) => key === "block");
        me.set(block ? {block: 1024} : {});
        while (busy()) await wait(5);
        const sliders = [...me.node.querySelectorAll("input[type=range]")],
              said = block ? `${row.name}, 1024 threads` : row.name;
        for (const slider of sliders)
            lines.push(await dragged(`${said}, ${slider.getAttribute("aria-label")}`, slider));
        while (busy()) await wait(5);
        if (block) me.set({block: 1024});
        while (busy()) await wait(5);
        const control = row.controls.find(({kind}) => kind !== "switch"),
              values = control.kind === "slide" ? valuesOf(control, me.state.set) :
                                                  optionsOf(control, me.state.set).map(([value]) => value);
        const changes = values.slice(0, 12).map((value) => () => me.set({[control.key]: value}));
        lines.push(await changed(`${said}, a change`, busy, changes));
    }
    return lines;
}
async function launchSpeed() {
    const lines = [], form = document.querySelector("form.try"), outcome = document.querySelector(".outcome-of-try");
    const box = (name) => [...form.querySelectorAll("label")].find((l) => l.firstChild.data === name).lastChild;
    const busy = () => !outcome.textContent || outcome.hasAttribute("aria-busy");
    for (const [what, slider] of [["player", ".player input"], ["lane map", ".map input"]])
        if (document.querySelector(slider))
            lines.push(await dragged(`${what}, dragged`, document.querySelector(slider)));
    form.scrollIntoView({behavior: "instant"});
    while (busy()) await wait(5);
    const strides = !box("Blocks").closest("label").hidden;
    for (const blocks of [1, 2, 4]) {
        box("Threads per block").value = "1024";
        box("Blocks").value = blocks;
        const n = strides ? 8192 * blocks : 2048 * blocks;
        box("Elements (n)").value = n;
        inform(form);
        while (busy()) await wait(5);
        lines.push(await changed(`a launch of ${1024 * blocks} threads on ${n} elements, changed`, busy,
            Array.from({length: 15}, (_, k) => () => {
                box("Elements (n)").value = n - k;
                inform(form);
            })));
    }
    return lines;
}
async function speed() {
    return [
        ...opened(), ...(typeof shown === "object" && shown.length ? await exploringSpeed() : []),
        ...(document.querySelector(".outcome-of-try") ? await launchSpeed() : [])
    ];
}
