// Runs the simulator for pages in node, for tests/live.h: requests on standard input, answers on standard output.
//
//   launch GRID BLOCK SHARED PTX IN OUT\n   and so many bytes each   ->   LENGTH\n, why not (0: it ended), then OUT bytes
//   run JOB\n                               and so many bytes        ->   LENGTH\n, and the answer
//
// argv[2]: module.b64
import {readFileSync, readSync, writeSync} from "node:fs";
import {gunzipSync} from "node:zlib";

const module = new WebAssembly.Module(gunzipSync(Buffer.from(readFileSync(process.argv[2], "latin1"), "base64")));
const imports = {};
let started = null, said = "";
for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    imports[from] = imports[from] || {};
    imports[from][name] = () => {
        throw new Error(`${from}.${name} is not here`);
    };
}
// What the simulator has to say before it gives up.
imports.wasi_snapshot_preview1.fd_write = (file, list, count, written) => {
    const view = new DataView(started.memory.buffer);
    let all = 0;
    for (let k = 0; k < count; k++) {
        const at = view.getUint32(list + 8 * k, true), length = view.getUint32(list + 8 * k + 4, true);
        said += Buffer.from(started.memory.buffer, at, length).toString("latin1");
        all += length;
    }
    view.setUint32(written, all, true);
    return 0;
};
function start() {
    started = new WebAssembly.Instance(module, imports).exports;
    started._initialize();
    said = "";
}
const memory = () => new Uint8Array(started.memory.buffer);
function put(bytes) {
    const at = started.malloc(bytes.length + 1);
    memory().set(bytes, at);
    memory()[at + bytes.length] = 0;
    return at;
}
function text(at) {
    return at ? Buffer.from(memory().subarray(at, memory().indexOf(0, at))) : Buffer.alloc(0);
}

let rest = Buffer.alloc(0);
function more() {
    const chunk = Buffer.alloc(1 << 16);
    const count = readSync(0, chunk);
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
    let answer = null, out = Buffer.alloc(0);
    start();
    try {
        if (what === "run")
            answer = text(started.live_run(put(parts[0])));
        else {
            const [ptx, input, output] = parts.map(put), launch = put(Buffer.alloc(20));
            new Uint32Array(started.memory.buffer, launch, 5).set([...numbers.slice(0, 3), numbers[4], numbers[5]]);
            answer = text(started.live_launch(ptx, launch, input, output));
            out = Buffer.from(memory().subarray(output, output + numbers[5]));
        }
    } catch (error) {
        answer = Buffer.from(`${error.message} ${said}`);
        out = Buffer.alloc(what === "launch" ? numbers[5] : 0);
    }
    give(Buffer.concat([Buffer.from(`${answer.length}\n`), answer, out]));
}
