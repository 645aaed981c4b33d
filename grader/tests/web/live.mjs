// Runs the simulator for pages in node, for tests/live.h: requests on standard input, answers on standard output.
//
//   launch GRID BLOCK SHARED PTX IN OUT\n   and that many bytes of each   ->   LENGTH\n, the error (0: none), OUT bytes
//   run JOB\n                               and that many bytes           ->   LENGTH\n, and the answer
//
// argv[2], argv[3]: module.js, module.b64
import {readFileSync, readSync, writeSync} from "node:fs";
import {gunzipSync} from "node:zlib";

const [script, packed] = process.argv.slice(2).map((path) => readFileSync(path, "latin1"));
const sim = new Function(`${script}; return simulator;`)()(new WebAssembly.Module(gunzipSync(Buffer.from(packed, "base64"))));

let rest = Buffer.alloc(0);
function more() {
    const chunk = Buffer.alloc(1 << 16), count = readSync(0, chunk);
    rest = Buffer.concat([rest, chunk.subarray(0, count)]);
    return count > 0;
}
function take(count) {
    while (rest.length < count)
        if (!more()) process.exit(1);
    const bytes = rest.subarray(0, count);
    rest = rest.subarray(count);
    return bytes;
}
function line() {
    while (!rest.includes(10))
        if (!more()) process.exit(0);
    return take(rest.indexOf(10) + 1).toString().trim().split(" ");
}
function give(bytes) {
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

for (;;) {
    const [what, ...words] = line(), numbers = words.map(Number);
    const parts = (what === "launch" ? numbers.slice(3) : numbers).map(take);
    let answer, out = Buffer.alloc(what === "launch" ? numbers[5] : 0);
    try {
        if (what === "run")
            answer = sim.run(parts[0].toString());
        else
            ({why: answer, out} = sim.launch(parts[0], ...numbers.slice(0, 3), parts[1], parts[2]));
    } catch (error) {
        answer = error.message;
    }
    const bytes = Buffer.from(answer);
    give(Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes, out]));
}
