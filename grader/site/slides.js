// Shows one slide at a time, which arrow keys, buttons and #slide-N select. A printed page has all slides.
(() => {
    const slides = [...document.querySelectorAll("section.slide")], place = document.getElementById("place");
    let at = 0;
    for (const slide of slides) slide.setAttribute("aria-label", slide.querySelector("h1, h2").textContent);
    function show(k) {
        at = Math.max(0, Math.min(slides.length - 1, k));
        slides.forEach((slide, n) => slide.classList.toggle("now", n === at));
        place.textContent = `${at + 1} of ${slides.length}`;
        document.getElementById("back").disabled = at === 0;
        document.getElementById("next").disabled = at === slides.length - 1;
        scrollTo(0, 0);
    }
    function go(k) {
        show(k);
        history.replaceState(null, "", `#slide-${at + 1}`);
    }
    function follow() {
        const [, number] = /^#slide-(\d+)$/.exec(location.hash) || [null, null],
                 node = !number && location.hash && document.getElementById(location.hash.slice(1)),
                 there = node ? slides.indexOf(node.closest("section.slide")) : Number(number || at + 1) - 1;
        show(Math.max(0, there));
    }
    const KEYS = {ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1, " ": 1};
    addEventListener("keydown", (event) => {
        if (!KEYS[event.key] || document.body.classList.contains("lecture") || event.altKey || event.ctrlKey ||
            event.metaKey || event.target.closest("input, select, button, a, [tabindex='0']"))
            return;
        event.preventDefault();
        go(at + KEYS[event.key]);
    });
    addEventListener("hashchange", follow);
    document.getElementById("back").addEventListener("click", () => go(at - 1));
    document.getElementById("next").addEventListener("click", () => go(at + 1));
    follow();
})();
