// Functions that all parts of the page share: elements, numbers, lane masks. Text from the record is inserted only as
// text, never as markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes || {})) {
        if (typeof value === "function")
            node.addEventListener(key, value);
        else if (value !== null && value !== undefined && value !== false)
            node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return node;
}
// Creates an element: el("p", {class: "small", click: handler}, "text", node, [more]). Strings become text.
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const count = (n, one, many) => `${number(n)} ${n === 1 ? one : many || one + "s"}`;
// Formats a number with thin spaces between thousands: 1 234 567.
function number(value, digits) {
    if (typeof value !== "number" || !Number.isFinite(value)) return "–";
    const text = digits === undefined ? String(Math.round(value * 1e6) / 1e6) : value.toFixed(digits);
    const [whole, part] = text.split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (part ? "." + part : "");
}
const percent = (share) => (typeof share === "number" ? `${Math.round(100 * share)}%` : "–");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const list = (value) => (Array.isArray(value) ? value : []);
const words = (value) => (typeof value === "string" ? value : "");
const whole = (value) => (Number.isInteger(value) ? value : 0);

// ---- masks: bit k is lane k of a warp
const WARP = 32;
const has = (mask, lane) => ((whole(mask) >>> lane) & 1) === 1;
function lanesOf(mask) {
    let n = 0;
    for (let lane = 0; lane < WARP; lane++) n += has(mask, lane);
    return n;
}
const lanesOfAll = (masks) => list(masks).reduce((n, mask) => n + lanesOf(mask), 0);
// Names the lanes of a mask: "all 32 lanes", "lane 3", "lanes 0-15", "lanes 0, 2, … 30". With `first`, names threads
// instead, numbered from `first`: "threads 32-63".
function laneNames(mask, first) {
    const on = [], one = first === undefined ? "lane" : "thread";
    for (let lane = 0; lane < WARP; lane++)
        if (has(mask, lane)) on.push(lane + (first || 0));
    if (on.length === WARP && first === undefined) return "all 32 lanes";
    if (on.length === 0) return `no ${one}`;
    if (on.length === 1) return `${one} ${on[0]}`;
    const runs = on.length === on[on.length - 1] - on[0] + 1;
    if (runs) return `${one}s ${on[0]}–${on[on.length - 1]}`;
    return `${one}s ${on.length <= 6 ? on.join(", ") : `${on.slice(0, 2).join(", ")}, … ${on[on.length - 1]}`}`;
}

// ---- parts of the page: each has a name, a heading, an introduction (or null), and a function that returns its nodes
// for a report, or null if there is nothing to show
const parts = [];
const part = (name, title, lead, draw) => parts.push({name, title, lead, draw});

// Calls draw(width) now and whenever the width of `box` changes. The new drawing replaces the previous one.
function drawn(box, draw) {
    let last = 0;
    const again = () => {
        const width = Math.floor(box.clientWidth);
        if (!width || width === last) return;
        last = width;
        const pictures = [draw(width)].flat();
        if (pictures.length !== 1 || pictures[0] !== box.firstChild) box.replaceChildren(...pictures);
    };
    new ResizeObserver(again).observe(box);
    box.redraw = () => {
        last = 0;
        again();
    };
    return box;
}

// Lets the reader choose an element with data-choice in `box` by touching it or dragging across it.
function touchable(box, choose) {
    const look = ({type, buttons, clientX, clientY}) => {
        if (type === "pointermove" && !buttons) return;
        const part = (document.elementFromPoint(clientX, clientY) || box).closest("[data-choice]");
        if (part && box.contains(part)) choose(part.dataset.choice);
    };
    box.addEventListener("pointerdown", look);
    box.addEventListener("pointermove", look);
    return box;
}
const legend = (rows) => el(
    "ul", {class: "legend"}, rows.map(([style, text]) => el("li", {}, el("span", {class: `swatch ${style}`}), text)));
// Returns a box for content that may be wider than the page. It scrolls, also by keyboard.
const scrolling = (title, ...children) =>
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": title}, children);
const detailsTable = (title, head, rows) =>
    el("details", {}, el("summary", {}, title), scrolling(title, table(null, head, rows)));
// Returns a table. head: ["Step", "#Lanes"]. A # marks a column of numbers; a column with an empty name has no heading.
function table(caption, head, rows) {
    const numeric = head.map((name) => name.startsWith("#"));
    const cell = (tag, value, k, scope) => el(tag, {class: numeric[k] ? "number" : null, scope}, value);
    return el("table", {}, caption && el("caption", {}, caption),
        el("thead", {},
            el("tr", {},
                head.map((name, k) => (name ? cell("th", name.replace("#", ""), k, "col") : cell("td", "", k))))),
        el("tbody", {},
            rows.map((row) => el(
                         "tr", {}, row.map((value, k) => (k ? cell("td", value, k) : cell("th", value, k, "row")))))));
}
// Returns a command with a button that copies it. Its lines break only between words, not after a hyphen.
function command(text) {
    const button = el("button", {class: "tiny", type: "button", click: () => copy(text, button)}, "Copy");
    return el("div", {class: "command"},
        el("code", {}, text.split(" ").map((word, k) => [k > 0 && " ", el("span", {}, word)])), button);
}
function copy(text, button) {
    const done = (word) => {
        button.textContent = word;
        setTimeout(() => {
            button.textContent = "Copy";
        }, 1500);
    };
    if (navigator.clipboard)
        navigator.clipboard.writeText(text).then(() => done("Copied"), () => done("Not allowed"));
    else
        done("Not allowed");
}
