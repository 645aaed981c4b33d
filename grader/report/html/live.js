// Reloads a served page (`./grade LAB --watch --html FILE`) when there is a new verdict. Open sections, the player's
// step, the selected access and the scroll position survive the reload.
const LIVE = whole(CATALOG.live), KEPT = "place";

// Settings of the reader that survive a reload: a selector of elements, and functions that get and set an element's
// value.
const SETTINGS = [
    {
        what: "details",
        value: (box) => box.open,
        set: (box, open) => {
            box.open = open;
        }
    },
    {
        what: "input",
        value: (input) => input.value,
        set: (input, value) => {
            input.value = value;
            input.dispatchEvent(new Event("input"));
        }
    },
    {
        what: ".choice",
        value: (button) => button.getAttribute("aria-pressed") === "true",
        set: (button, pressed) => pressed && button.click()
    }
];
// Calls visit(key, node, setting) for each setting. Settings with the same text in the same section share a key.
function eachSetting(visit) {
    for (const section of main.querySelectorAll("section"))
        for (const setting of SETTINGS) {
            const seen = new Map();
            for (const node of section.querySelectorAll(setting.what)) {
                const title = (node.querySelector("summary") || node).textContent, nth = seen.get(title) || 0;
                seen.set(title, nth + 1);
                visit([section.id, setting.what, title, nth].join("\n"), node, setting);
            }
        }
}
function keepPlace() {
    const settings = {},
          tops =
              [...main.querySelectorAll("section")].map(({id, offsetTop}) => ({id, above: offsetTop - window.scrollY})),
          first = tops.filter(({above}) => above <= head.offsetHeight).pop() || tops[0];
    eachSetting((key, node, {value}) => {
        settings[key] = value(node);
    });
    sessionStorage.setItem(KEPT, JSON.stringify({settings, first, page: current && current.key}));
}
function findPlace() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
    sessionStorage.removeItem(KEPT);
    if (!kept || kept.page !== (current && current.key)) return;
    eachSetting((key, node, {value, set}) => {
        if (key in kept.settings && kept.settings[key] !== value(node)) set(node, kept.settings[key]);
    });
    const section = kept.first && document.getElementById(kept.first.id);
    if (section) window.scrollTo({top: section.offsetTop - kept.first.above, behavior: "instant"});
}
function followWatch() {
    const saying = el("p", {class: "live", role: "status"}), source = new EventSource("events");
    document.body.append(saying);
    history.scrollRestoration = "manual";
    findPlace();
    source.onmessage = (event) => {
        const news = JSON.parse(event.data);
        if (whole(news.page) > LIVE) {
            keepPlace();
            location.reload();
        } else
            saying.textContent = news.grading ? "Saved: grading is in progress." : "Live: graded on every save.";
    };
    source.onerror = () => {
        saying.textContent = "./grade --watch does not respond. This is its last verdict.";
    };
}
if (LIVE) followWatch();
