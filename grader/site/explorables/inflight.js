// Little's law: bytes in flight, latency and throughput of one block on an SM of the modeled GPU.
const ROUNDS = 16, WORD = 4, IN_FLIGHT_KERNELS = [1, 2, 4, 8];
// Computes the throughput from two launches, one of which does twice the work, because fixed costs cancel in the
// difference of their times.
function throughput([shorter, longer], {block, loads}) {
    const cycles = longer.cycles - shorter.cycles, bytes = block * ROUNDS * WORD, flying = block * loads * WORD;
    return {rate: bytes / cycles, flying, latency: flying * cycles / bytes, share: shorter.gpu.bytes / shorter.gpu.sms};
}

explorable({
    name: "inflight",
    title: "Bytes in flight: Little's law.",
    lead: "One block loads words from memory. More threads or more loads per thread put more bytes in flight. " +
        "When does an SM get its share of the bandwidth?",
    lab: "lab9",
    figure: "in-flight",
    controls: [
        {key: "loads", text: "Loads in flight per thread:", kind: "slide", values: IN_FLIGHT_KERNELS, value: 1},
        {key: "block", text: "Threads in the block:", kind: "slide", values: [32, 64, 128, 256, 512, 1024], value: 512}
    ],
    legend: [["busy", "this launch, modeled"], ["split", "the SM's share of DRAM bandwidth"]],
    launches: ({loads, block}) => [1, 2].map((times) => ({
        kernel: `load${loads}`,
        block,
        args: {rounds: times * ROUNDS, in : `const int[${times * ROUNDS * block}]:1`, out: `int[${block}]:0`}
    })),
    says(seen, set) {
        const {rate, flying, latency, share} = throughput(seen, set);
        const end = rate < share ?
            `That is ${percent(rate / share)} of the ${
                number(share, 1)} bytes per cycle that this SM gets when all SMs load.` :
            `That is more than the ${
                number(share, 1)} bytes per cycle that each SM gets when all SMs load; then DRAM is the limit.`;
        return `${number(set.block)} threads with ${count(set.loads, "load")} of 4 bytes each: ${
            number(flying)} bytes in flight. Modeled throughput: ${number(rate, 1)} bytes per cycle; a load takes ${
            number(Math.round(latency))} cycles. ${end}`;
    },
    draw(seen, set, width) {
        const {rate, flying, latency, share} = throughput(seen, set), left = 44, top = 10, bottom = 190,
                                      room = width - left - 14, most = 48, farthest = 1024 * 8 * WORD;
        const x = (bytes) => left + room * bytes / farthest, y = (value) => bottom - (bottom - top) * value / most;
        const ticks = [0, 10, 20, 30, 40].map(
            (value) => [svg("line", {class: "wall off", x1: left, x2: left + room, y1: y(value), y2: y(value)}),
                svg("text", {class: "quiet", x: left - 6, y: y(value) + 4, "text-anchor": "end"}, String(value))]);
        const marks = [0, 8192, 16384, 24576, 32768].map(
            (bytes) =>
                svg("text", {class: "quiet", x: x(bytes), y: bottom + 18, "text-anchor": bytes ? "end" : "start"},
                    bytes ? `${bytes / 1024} KB` : "0"));
        return [
            el("p", {class: "small muted"},
                "Bytes per cycle (vertical) over bytes in flight (horizontal). The line is Little's law."),
            svg("svg", {width, height: bottom + 26, viewBox: `0 0 ${width} ${bottom + 26}`, "aria-hidden": "true"},
                ticks, marks,
                svg("path",
                    {class: "way", d: `M${x(0)} ${y(0)}L${x(farthest)} ${y(Math.min(most, farthest / latency))}`}),
                svg("rect", {class: "split", x: left, y: y(share) - 1.5, width: room, height: 3}),
                svg("circle", {class: "busy", cx: x(flying), cy: y(Math.min(most, rate)), r: 8}))
        ];
    }
});
