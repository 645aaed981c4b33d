// Functions that check_web and check_site call in the browser. They return errors as text, or values for comparison
// with the record.

// ---- contrast, from computed styles. WCAG 2.1 requires 4.5 for text and 3 for large text.
function rgba(text) {
    const m = /rgba?\(([^)]*)\)/.exec(text);
    if (!m) return null;
    const [r, g, b, a = 1] = m[1].split(/[\s,\/]+/).filter(Boolean).map(Number);
    return [r, g, b, a];
}
const over = ([r, g, b, a], under) => [r, g, b].map((v, k) => v * a + under[k] * (1 - a));
function luminance(rgb) {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function ratio(a, b) {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
}
function opacity(node) {
    let all = 1;
    for (let n = node; n && n.nodeType === 1; n = n.parentElement) all *= Number(getComputedStyle(n).opacity);
    return all;
}
// Returns the background color at a node's center. The boxes around the node and the rectangles drawn below it
// determine this color.
function ground(node) {
    const around = [];
    for (let n = node; n; n = n.parentElement) around.unshift(n);
    let color = [255, 255, 255];
    for (const n of around) {
        const layer = rgba(getComputedStyle(n).backgroundColor);
        if (layer && n.namespaceURI !== "http://www.w3.org/2000/svg") color = over(layer, color);
    }
    const drawing = node.closest("svg");
    if (!drawing) return color;
    const box = node.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    for (const rect of drawing.querySelectorAll("rect")) {
        if (!(rect.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
        const r = rect.getBoundingClientRect(), layer = rgba(getComputedStyle(rect).fill);
        if (layer && x > r.left && x < r.right && y > r.top && y < r.bottom)
            color = over([...layer.slice(0, 3), layer[3] * opacity(rect)], color);
    }
    return color;
}
function pale() {
    const faults = new Set(), looked = new Map();  // of the elements with the same tags and classes, two are checked
    document.querySelectorAll("details").forEach((d) => {
        d.open = true;
    });
    for (const node of document.body.querySelectorAll("*")) {
        if (![...node.childNodes].some((c) => c.nodeType === 3 && c.data.trim()) ||
            ["SCRIPT", "NOSCRIPT", "STYLE", "TITLE", "title"].includes(node.tagName))
            continue;
        let alike = "";
        for (let n = node, k = 0; n && k < 4; n = n.parentElement, k++)
            alike += `${n.tagName}.${n.getAttribute("class")} `;
        looked.set(alike, (looked.get(alike) || 0) + 1);
        if (looked.get(alike) > 2) continue;
        const style = getComputedStyle(node), svgText = node.namespaceURI === "http://www.w3.org/2000/svg",
              box = node.getBoundingClientRect();
        if (!box.width || style.visibility === "hidden" || node.closest(".hidden, .skip, :disabled, [hidden]"))
            continue;
        const ink = rgba(svgText ? style.fill : style.color), under = ground(node);
        const size = parseFloat(style.fontSize),
              large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const got = ratio(over([...ink.slice(0, 3), ink[3] * opacity(node)], under), under);
        if (got < (large ? 3 : 4.5))
            faults.add(`${node.tagName.toLowerCase()}.${node.getAttribute("class") || ""} "${
                node.textContent.trim().slice(0, 30)}": ${got.toFixed(2)}`);
    }
    return [...faults].slice(0, 10).join("; ");
}

// ---- elements that extend past the right edge; elements without a name for a screen reader, and bad links
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
async function wide() {
    await drawn();
    const page = document.documentElement;
    if (page.scrollWidth <= page.clientWidth) return "";
    const out = [...document.querySelectorAll("main *, header *, footer *")].filter(
        (n) => n.scrollWidth > n.clientWidth + 1 && n.clientWidth && getComputedStyle(n).overflowX === "visible");
    return `${page.scrollWidth} of ${page.clientWidth}: ${
        out.slice(-4).map((n) => `${n.tagName}.${n.getAttribute("class")}`).join(", ")}`;
}
function nameless() {
    const faults = [], ids = [...document.querySelectorAll("[id]")].map((n) => n.id);
    for (const id of ids)
        if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`two elements are called ${id}`);
    for (const n of document.querySelectorAll("svg"))
        if (!n.closest("[aria-hidden]") && !n.getAttribute("aria-label"))
            faults.push(`a drawing without a text: ${n.getAttribute("class")}`);
    for (const n of document.querySelectorAll("button, a[href], input, section, nav, [role=group], [role=region]")) {
        const by = n.getAttribute("aria-labelledby");
        if (!(n.getAttribute("aria-label") || (by && document.getElementById(by)) ||
                (!n.matches("section, nav, input") && n.textContent.trim())))
            faults.push(`no name: ${n.outerHTML.slice(0, 80)}`);
    }
    for (const a of document.querySelectorAll("a[href^='#']"))
        if (a.closest("main") && !document.getElementById(a.hash.slice(1)) && a.hash.includes("-"))
            faults.push(`leads nowhere: ${a.hash}`);
    if (document.querySelectorAll("h1").length !== 1)
        faults.push(`${document.querySelectorAll("h1").length} headings of the first level`);
    // a page may load files only from its own folder
    const beside = new Set([...document.querySelectorAll("[src], link[href]")]
                               .filter((n) => !/^[a-z]*:|^\//.test(n.getAttribute("src") || n.getAttribute("href")))
                               .map((n) => n.src || n.href));
    for (const {name} of performance.getEntriesByType("resource"))
        if (!beside.has(name) && !name.startsWith("blob:")) faults.push(`loads ${name}`);
    return faults.slice(0, 5).join("; ");
}

// ---- the player and the map, as they are shown
const cellText = (cell) => cell.querySelector("title").textContent.split(" = ")[1] || "";
// Finds cells whose value is wider than the cell.
const overfull = () => [...document.querySelectorAll(".stage .cell")]
                           .filter((cell) => cell.querySelector(".value").getBBox().width >
                                   cell.querySelector("rect").getBBox().width)
                           .map((cell) => cell.textContent)
                           .slice(0, 3)
                           .join(", ");
function shownCells(when) {
    const cells = {};
    for (const cell of document.querySelectorAll(`.stage [data-group^="${when}"] [data-cell]`))
        cells[cell.dataset.cell] = cellText(cell);
    return cells;
}
// Returns an error if the player shows divergence that the legend does not explain.
const undescribed = () =>
    (!document.querySelector(".player .swatch.split") && document.querySelector(".player .split") ?
            "divergence has no place in the legend" :
            "");
// Returns the cells after each step of the player, from the first step on.
function playedCells() {
    const player = document.querySelector(".player"), all = [], slider = player.querySelector("input"),
          next = player.querySelectorAll(".controls button")[2];
    for (let k = 0; k < Number(slider.max); k++) {
        next.click();
        all.push(shownCells("after"));
        window.wideCells = window.wideCells || overfull();
    }
    return all;
}
// Returns the number of lanes in each state, for each step. This is the number in the path's attribute, or -1 if the
// path's height does not match the number.
function shownMap() {
    const tall = (d) => [...d.matchAll(/v([\d.]+)/g)].reduce((n, [, v]) => n + Number(v), 0);
    return [...document.querySelectorAll(".columns-box .column")].map((column) => {
        const looks = [...column.querySelectorAll("[data-look]")].map(
            (path) => [path.dataset.look, Number(path.dataset.lanes), tall(path.getAttribute("d"))]);
        const height = looks.reduce((n, [, , h]) => n + h, 0), lanes = looks.reduce((n, [, l]) => n + l, 0);
        return Object.fromEntries(looks.map(([look, n, h]) => [look, Math.abs(h / height * lanes - n) < 1 ? n : -1]));
    });
}

// ---- a page and its expected form: the elements and texts of its header and main part, one per line
function listed(root) {
    const lines = [];
    const walk = (node, depth) => {
        const indent = " ".repeat(depth);
        if (node.nodeType === Node.TEXT_NODE) {
            if (node.data.trim()) lines.push(indent + JSON.stringify(node.data.replace(/\s+/g, " ")));
            return;
        }
        const attributes = [...node.attributes].map((a) => `${a.name}=${JSON.stringify(a.value)}`).sort();
        lines.push(indent + [node.localName, ...attributes].join(" "));
        node.normalize();
        for (const child of node.childNodes) walk(child, depth + 1);
    };
    for (const id of ["top", "main"]) walk(root.getElementById(id), 0);
    return lines;
}
const bodyParts = () => ["top", "main"].map((id) => `${document.getElementById(id).outerHTML}\n`).join("");
function unlike(html) {
    const is = listed(document), should = listed(new DOMParser().parseFromString(html, "text/html"));
    for (let k = 0; k < Math.max(is.length, should.length); k++)
        if (is[k] !== should[k]) return `line ${k}: ${is[k]} | should be ${should[k]}`;
    return "";
}

// ---- words: all texts of a page, including those of attributes
function allTexts() {
    const texts = [];
    for (const node of document.body.querySelectorAll("*")) {
        if (["SCRIPT", "NOSCRIPT", "STYLE"].includes(node.tagName)) continue;
        if (node.matches(".command code")) texts.push(node.textContent);  // a command counts as one text
        for (const child of node.childNodes)
            if (child.nodeType === 3 && !node.closest(".command code")) texts.push(child.data);
        for (const name of ["title", "aria-label", "aria-valuetext", "data-head"])
            if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
    }
    return texts.join("\n");
}
