// The simulator for pages and tests, from its compiled module (live.h). Each request gets a fresh instance, so that
// no state is carried over.
function simulator(module) {
    const imports = {};
    let here = null, said = "";
    for (const {module: from, name} of WebAssembly.Module.imports(module)) {
        imports[from] = imports[from] || {};
        imports[from][name] = () => {
            throw new Error(`${from}.${name} is missing`);
        };
    }
    // Collects what the module prints, because a message precedes an abort.
    imports.wasi_snapshot_preview1.fd_write = (file, pieces, count, written) => {
        const view = new DataView(here.memory.buffer);
        let all = 0;
        for (let k = 0; k < count; k++) {
            const at = view.getUint32(pieces + 8 * k, true), length = view.getUint32(pieces + 8 * k + 4, true);
            said += new TextDecoder().decode(memory().slice(at, at + length));
            all += length;
        }
        view.setUint32(written, all, true);
        return 0;
    };
    const memory = () => new Uint8Array(here.memory.buffer);
    function put(bytes) {
        const at = here.malloc(bytes.length + 1);
        memory().set(bytes, at);
        memory()[at + bytes.length] = 0;
        return at;
    }
    const text = (at) => (at ? new TextDecoder().decode(memory().slice(at, memory().indexOf(0, at))) : "");
    function asked(question) {
        said = "";
        here = new WebAssembly.Instance(module, imports).exports;
        here._initialize();
        try {
            return question();
        } catch (error) {
            throw new Error(said.trim() || `The simulator failed: ${error.message}.`);
        }
    }
    return {
        // Runs a job (judge/job.h) and returns the answer as text.
        run: (job) => asked(() => text(here.live_run(put(new TextEncoder().encode(job))))),
        // Runs a launch (live_show() in live.h) and returns its results as text.
        show: (launch) => asked(() => text(here.live_show(put(new TextEncoder().encode(launch))))),
        // Runs the kernel k(out, in) of a PTX text. Returns the reason if it fails, otherwise "", and the final
        // contents of `out`. `ptx`, `input` and `output` are arrays of bytes.
        launch: (ptx, grid, block, shared, input, output) => asked(() => {
            const out = put(output), words = new Uint32Array([grid, block, shared, input.length, output.length]),
                  why = text(here.live_launch(put(ptx), put(new Uint8Array(words.buffer)), put(input), out));
            return {why, out: memory().slice(out, out + output.length)};
        })
    };
}
