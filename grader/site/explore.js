// Interactive figures ("explorables"). A file in explorables/ passes the description of its figure to explorable(). The
// figure shows results of the page's simulator, which runs the kernels next to that file. A description contains
//
//   name, title, lead       lead: what to try
//   lab                     the first lab that uses the figure
//   figure                  the static figure (docs/figures/FIGURE.svg) after which it appears on each page. If FIGURE
//                           is the explorable's name, the explorable replaces the figure
//   controls                controls, as described below; in a lecture, the arrow keys change the first control
//   legend                  list of [look, words]
//   launches(set)           the launches to run: {kernel, grid, block, args, schedule, observe}; args by name, in the
//                           syntax of `./grade run --arg`
//   draw(seen, set, width)  draws the picture; seen contains the results of the launches (live_show() in live.h).
//                           Clicking or tapping a part with data-choice="KEY VALUE", or dragging across it, sets that
//                           control
//   says(seen, set)         describes the picture in words
const explorables = [];
const explorable = (row) => explorables.push(row);

// ---- controls: {key, text, kind, value}, and what each kind needs
//   slide   values: a list, or values(set)
//   switch  value: true or false
//   choose  options: [[value, text], ...], or options(set)
const valuesOf = ({values}, set) => (typeof values === "function" ? values(set) : values);
const optionsOf = ({options}, set) => (typeof options === "function" ? options(set) : options);
const nearest = (values, value) =>
    values.reduce((best, v) => (Math.abs(v - value) < Math.abs(best - value) ? v : best));
const CONTROLS = {
    slide(row, moved) {
        const output = el("output"), box = el("input", {type: "range", min: 0, step: 1, "aria-label": row.text});
        let values = [];
        box.addEventListener("input", () => moved(values[Number(box.value)]));
        return {
            node: el("label", {}, el("span", {}, row.text, " ", output), box),
            show(value, set) {
                values = valuesOf(row, set);
                box.max = values.length - 1;
                box.value = values.indexOf(value);
                output.textContent = row.word ? row.word(value, set) : number(value);
                box.setAttribute("aria-valuetext", output.textContent);
            }
        };
    },
    switch (row, moved) {
        const box = el("input", {type: "checkbox", role: "switch", "aria-label": row.text});
        box.addEventListener("input", () => moved(box.checked));
        return {
            node: el("label", {class: "switch"}, box, row.text),
            show(value) {
                box.checked = value;
            }
        };
    },
    choose(row, moved) {
        const box = el("select", {"aria-label": row.text, input: () => moved(box.value)});
        return {
            node: el("label", {}, el("span", {}, row.text), box),
            show(value, set) {
                box.replaceChildren(...optionsOf(row, set).map(([key, text]) => el("option", {value: key}, text)));
                box.value = value;
            }
        };
    }
};
// Replaces a value that another control has made invalid with the nearest valid value, or with the first option.
function within(row, set) {
    const {key, kind} = row;
    if (kind === "slide") set[key] = nearest(valuesOf(row, set), set[key]);
    if (kind === "choose" && !optionsOf(row, set).some(([value]) => value === set[key]))
        set[key] = optionsOf(row, set)[0][0];
}

// ---- a launch in the format of live_show()
function launchText(row, launch) {
    const lines = [["kernel", launch.kernel], ["grid", launch.grid || 1], ["block", launch.block]];
    if (launch.schedule) lines.push(["schedule", launch.schedule]);
    if (launch.observe) lines.push(["observe", launch.observe]);
    for (const [name, value] of Object.entries(launch.args)) lines.push(["arg", `${name} ${value}`]);
    return `${lines.map((line) => `${line.join(" ")}\n`).join("")}\n${KERNELS[row.name]}`;
}

// ---- the figure
// Creates {node, set(values), turn(by), row, state}. `state` is what the figure shows, {set, seen, launches, texts}, or
// null before the first result.
function exploring(row) {
    const set = Object.fromEntries(row.controls.map(({key, value}) => [key, value])), me = {row, state: null};
    const picture = el("div", {class: "picture"}), saying = el("p", {class: "saying", "aria-live": "polite"});
    const boxes = row.controls.map((control) => CONTROLS[control.kind](control, (value) => move(control.key, value)));
    let asked = "";
    const ask = askSimulator(() => MODULE, (answer, job) => {
        const fault = answer.fault || (answer.find(({fault}) => fault) || {}).fault;
        if (fault) {
            saying.textContent = fault;
            return;
        }
        me.state = {set: job.set, seen: answer, launches: job.launches, texts: job.show};
        show();
        if (job.show.join("") === asked) me.node.removeAttribute("aria-busy");
    });
    function show() {
        const {set: values, seen} = me.state;
        saying.textContent = row.says(seen, values);
        picture.redraw();
    }
    function changed() {
        row.controls.forEach((control, k) => {
            within(control, set);
            boxes[k].show(set[control.key], set);
        });
        const launches = row.launches(set), texts = launches.map((launch) => launchText(row, launch));
        if (texts.join("") === asked && !me.node.hasAttribute("aria-busy") && me.state) {
            me.state.set = {...set};
            show();
            return;
        }
        asked = texts.join("");
        me.node.setAttribute("aria-busy", "true");
        ask({show: texts, launches, set: {...set}});
    }
    function move(key, value) {
        if (set[key] === value) return;
        set[key] = value;
        changed();
    }
    // Moves the first control by one value.
    me.turn = (by) => {
        const control = row.controls[0],
              values = control.kind === "switch" ? [false, true] :
            control.kind === "slide"             ? valuesOf(control, set) :
                                                   optionsOf(control, set).map(([value]) => value);
        const next = values[values.indexOf(set[control.key]) + by];
        if (next !== undefined) move(control.key, next);
    };
    me.set = (values) => {
        Object.assign(set, values);
        changed();
    };
    me.node = el("figure", {class: "explorable", id: `explore-${row.name}`, "aria-label": row.title, role: "group"},
        el("figcaption", {}, el("strong", {}, row.title), " ", row.lead),
        el("form", {
            class: "try",
            "aria-label": `Controls: ${row.title.replace(/[.]$/, "")}`,
            submit: (event) => event.preventDefault()
        },
            boxes.map(({node}) => node)),
        picture, saying, legend(row.legend),
        el("p", {class: "small enter"},
            el("a", {href: `#lecture=${row.name}`}, "Show this figure alone, for a lecture")),
        el("p", {class: "small leave"}, "Arrow keys change the first control. ",
            el("a", {href: `#explore-${row.name}`}, "Back to the page (Esc)")));
    drawn(picture, (width) => (me.state ? row.draw(me.state.seen, me.state.set, width) : el("span")));
    touchable(picture, (choice) => {
        const [key, value] = choice.split(" "), {kind} = row.controls.find((control) => control.key === key);
        move(key, kind === "slide" ? Number(value) : value);
    });
    // The simulator starts when the figure becomes visible.
    new IntersectionObserver((entries, observer) => {
        if (!entries.some(({isIntersecting}) => isIntersecting)) return;
        observer.disconnect();
        if (!asked) changed();
    }, {rootMargin: "400px"}).observe(me.node);
    return me;
}

// ---- the page: each explorable is placed at its figure, or in the list of all
const shown = [];
function place(row) {
    const all = document.getElementById("explorables"),
          still = document.querySelector(`main img[src$="/${row.figure}.svg"]`);
    if (!all && !still) return;
    const me = exploring(row);
    shown.push(me);
    if (all)
        all.append(me.node);
    else {
        const paragraph = still.closest("figure, p");
        if (row.figure === row.name) paragraph.classList.add("still");
        me.node.classList.add("figured");
        paragraph.after(me.node);
    }
}
// #lecture shows only the first explorable of the page, and #lecture=NAME only that one. The arrow keys move its
// first control.
function lecture() {
    const [, name] = /^#lecture(?:=(\w+))?$/.exec(location.hash) || [null, null];
    const on = location.hash.startsWith("#lecture"), me = on && shown.find(({row}) => !name || row.name === name);
    document.body.classList.toggle("lecture", Boolean(me));
    for (const node of document.querySelectorAll(".holds")) node.classList.remove("holds");
    for (const one of shown) one.node.classList.toggle("alone", one === me);
    for (let node = me && me.node.parentElement; node; node = node.parentElement) node.classList.add("holds");
    if (me) scrollTo(0, 0);
    return me;
}
const STEPS = {
    ArrowRight: 1,
    ArrowLeft: -1,
    PageDown: 1,
    PageUp: -1
};
function keyPressed(event) {
    const me = lecture();
    if (!me || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape")
        location.hash = `#explore-${me.row.name}`;
    else if (STEPS[event.key] && !event.target.closest("input, select")) {
        event.preventDefault();
        me.turn(STEPS[event.key]);
    }
}
function explore() {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") return;
    explorables.sort((a, b) => a.lab.localeCompare(b.lab, "en", {numeric: true})).forEach(place);
    document.body.classList.add("explored");
    addEventListener("hashchange", lecture);
    addEventListener("keydown", keyPressed);
    if (location.hash) {
        const there = document.getElementById(location.hash.slice(1));
        if (there) there.scrollIntoView();
    }
    lecture();
}
