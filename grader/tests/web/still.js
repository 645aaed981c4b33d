// Returns the static figure that replaces an interactive figure in print and on GitHub: an SVG of the initial drawing,
// with the colors of the light and the dark theme.
function still(me, css) {
    const names = new Set(), rules = [], roots = [];
    const width = 720,
          parts = [me.row.draw(me.state.seen, me.state.set, width)].flat().map(
              (part) => (part.matches(".scroll") ? part.firstChild : part));
    for (const part of parts)
        for (const node of part.querySelectorAll("[data-choice]")) node.removeAttribute("data-choice");
    const parsed = new CSSStyleSheet();
    parsed.replaceSync(css);
    const sheet = [...parsed.cssRules];
    const used = (selector) =>
        me.row.legend.some(([look]) => selector === `.${look}`) || parts.some((part) => part.querySelector(selector));
    for (const rule of sheet)
        if (rule.selectorText && /^\.picture \.|^svg (text|\.quiet)/.test(rule.selectorText) &&
            used(rule.selectorText.replace(/^\S+ /, "")))
            rules.push(rule.cssText.replace(/\.picture |svg (?=[.t])/g, ""));
    for (const rule of rules)
        for (const [, name] of rule.matchAll(/var\((--[\w-]+)\)/g)) names.add(name);
    const values =
        (style) => [...names].sort().map((name) => `${name}: ${style.getPropertyValue(name).trim()}`).join("; ");
    for (const rule of sheet)
        if (rule.selectorText === ":root")
            roots.push(`:root { ${values(rule.style)} }`);
        else if (rule.conditionText && rule.cssRules[0] && rule.cssRules[0].selectorText === ":root")
            roots.push(`@media (prefers-color-scheme: dark) { :root { ${values(rule.cssRules[0].style)} } }`);
    let height = 4;
    const drawn = parts.map((part) => {
        const top = height;
        if (part.localName === "p") {
            height += 22;
            return svg("text", {x: 0, y: top + 13}, part.textContent);
        }
        part.setAttribute("y", top);
        height += Number(part.getAttribute("height")) + 6;
        part.removeAttribute("aria-hidden");
        return part;
    });
    let x = 1;
    const legendRow = me.row.legend.map(([look, text]) => {
        const at = x;
        x += 19 + 6.8 * text.length + 22;
        return [
            svg("rect", {class: look, x: at, y: height + 4, width: 13, height: 13, rx: 2}),
            svg("text", {x: at + 19, y: height + 15}, text)
        ];
    });
    height += 24;
    const whole = svg("svg", {
        xmlns: SVG,
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "font-family": "system-ui, sans-serif"
    },
        svg("title", {}, me.row.title), svg("desc", {}, me.row.says(me.state.seen, me.state.set)),
        svg("style", {}, `\n${[...roots, ...rules].join("\n")}\n`), drawn, legendRow);
    return `${new XMLSerializer().serializeToString(whole).replace(/></g, ">\n<")}\n`;
}
