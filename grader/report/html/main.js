// Builds the page, which has one report, or several with navigation between them. A report is drawn when it is
// selected. Characters that are invisible or change the direction of text are made visible.
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const seen = (key, value) => (typeof value === "string" ? value.replace(UNSEEN, "\ufffd") : value);
const reports = [JSON.parse(document.getElementById("data").textContent, seen)]
                    .flat()
                    .filter((record) => record && record.lab)
                    .map((record, k) => ({
                        record,
                        key: /^[A-Za-z]\w*$/.test(record.lab.id) ? record.lab.id : `report${k}`,
                        text: typeof record.text === "string" ? record.text.replace(/\r?\n$/, "").split(/\r?\n/) : null,
                    }));
const main = document.getElementById("main"), head = document.getElementById("top");
let current = null;

function sectionOf(report, {name, title: heading, lead, draw}) {
    const nodes = draw(report);
    if (!nodes) return null;
    const id = `${report.key}-${name}`, first = name === "score";
    return {
        name: heading,
        id,
        node: el("section", {
            id,
            class: `part-${name}`,
            "aria-label": first ? heading : null,
            "aria-labelledby": first ? null : `${id}-title`
        },
            !first && el("header", {}, el("h2", {id: `${id}-title`}, heading), lead && el("p", {}, lead)), nodes)
    };
}
function navigation(label, id, items) {
    return el("nav", {"aria-label": label, id},
        el("ul", {},
            items.map(
                ({href, text, now}) => el("li", {}, el("a", {href, "aria-current": now ? "true" : null}, text)))));
}
// Builds the overview with which a page of multiple reports starts.
function overview() {
    return el("section", {id: "overview", "aria-label": "All labs"}, el("header", {}, el("h1", {}, "All labs")),
        el("ul", {class: "tests labs"}, reports.map(({record, key}) => {
            const share = record.max_score > 0 ? record.score / record.max_score : 0,
                  [style, word] = record.end === "full" ? STATES.pass :
                record.end === "partial"                ? ["wait", "not yet"] :
                                                          ["bad", words(record.end)];
            return el("li", {}, el("div", {}, el("span", {class: `pill ${style}`}, word)),
                el("div", {class: "points"}, `${whole(record.score)} / ${whole(record.max_score)}`,
                    el("div", {class: "track"}, el("i", {style: `width: ${Math.round(100 * share)}%`}))),
                el("div", {}, el("a", {href: `#${key}`}, record.lab.id), ` · ${words(record.lab.title)}`,
                    words(record.advice) && el("p", {}, record.advice)));
        })));
}
const labLinks = () => navigation("Labs", "labs",
    [{href: "#overview", text: "All", now: !current}].concat(
        reports.map((report) => ({href: `#${report.key}`, text: report.record.lab.id, now: report === current}))));
const labBar = () =>
    (reports.length > 1 ? [el("div", {class: "bar"}, el("span", {class: "brand"}, "Labs"), labLinks())] : []);

function show(report) {
    current = report;
    document.title =
        `${report.record.lab.id}: ${whole(report.record.score)} of ${whole(report.record.max_score)} points`;
    const sections = parts.map((p) => sectionOf(report, p)).filter(Boolean);
    head.replaceChildren(...labBar(),
        el("div", {class: "bar"}, el("span", {class: "brand"}, words(report.record.lab.id)),
            navigation("Parts of the report", "parts", sections.map(({id, name}) => ({href: `#${id}`, text: name})))));
    document.documentElement.style.setProperty("--head", `${head.offsetHeight}px`);
    main.replaceChildren(...sections.map(({node}) => node));
    main.querySelectorAll("div").forEach(
        (box) => box.redraw && box.redraw());  // so that the page is scrolled only after its height is final
    watch(sections);
}
// Highlights the current section in the navigation.
let watcher = null;
function watch(sections) {
    if (watcher) watcher.disconnect();
    const links = new Map([...document.querySelectorAll("#parts a")].map((a) => [a.getAttribute("href").slice(1), a]));
    const inView = new Set();
    watcher = new IntersectionObserver((entries) => {
        for (const entry of entries)
            entry.isIntersecting ? inView.add(entry.target.id) : inView.delete(entry.target.id);
        const now = sections.find(({id}) => inView.has(id));
        for (const [id, a] of links) {
            const here = Boolean(now) && id === now.id, row = a.closest("ul");
            here ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current");
            if (here) row.scrollLeft = a.offsetLeft - row.offsetLeft - 40;  // on a phone, not all names fit
        }
    }, {rootMargin: "-80px 0px -50% 0px"});
    sections.forEach(({node}) => watcher.observe(node));
}
function showAll() {
    current = null;
    document.title = "All labs";
    head.replaceChildren(...labBar());
    main.replaceChildren(overview());
}
// Follows the URL fragment, which names a place in a report: #lab3, #lab3-line-18, or #lab3-player-4 (the player after
// step 4).
function route() {
    const place = location.hash.slice(1),
          report =
              reports.find(({key}) => key === place.split("-")[0]) || (place && place !== "overview" ? current : null);
    const wanted = report || (reports.length === 1 ? reports[0] : null),
          fresh = wanted !== current || !main.firstElementChild || !wanted;
    if (!fresh) return;
    wanted ? show(wanted) : showAll();
    const target = document.getElementById(place) || document.getElementById(place.replace(/-\d+$/, ""));
    if (target)
        target.scrollIntoView({behavior: "instant"});
    else
        window.scrollTo({top: 0, behavior: "instant"});
}
addEventListener("hashchange", route);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => {
    d.open = true;
}));
if (reports.length)
    route();
else
    main.append(el("p", {class: "notice"}, "This page contains no result."));
