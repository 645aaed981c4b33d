// Sends requests to the simulator (module.js), which runs in a worker, so that the page stays responsive. A launch
// that does not end is stopped by terminating the worker. {run: job} returns one answer, and {show: [launch, ...]}
// a list of answers (live.h).
const PATIENCE = 4000; /* ms */

// The worker is created from the source text of this function and of simulator().
function simulatorAtWork() {
    let sim = null;
    async function open(packed) {
        const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0)),
              stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        return simulator(await WebAssembly.compile(await new Response(stream).arrayBuffer()));
    }
    onmessage = async ({data: {packed, job}}) => {
        try {
            sim = sim || open(packed);
            const ready = await sim;
            postMessage({ready: true});
            const answer =
                job.show ? job.show.map((text) => JSON.parse(ready.show(text))) : JSON.parse(ready.run(job.run));
            postMessage({answer});
        } catch (error) {
            postMessage({answer: {fault: error.message}});
        }
    };
}
// ask(job) calls tell(answer, job) when the job is done. While a job runs, only the most recent other job
// is kept. `packed()` returns the module as text.
function askSimulator(packed, tell) {
    let worker = null, wanted = null, at_work = null, timer = 0, fresh = true;
    const text = `"use strict"; ${simulator}\n${simulatorAtWork}\nsimulatorAtWork();`;
    function stop() {
        worker.terminate();
        worker = null;
        done({fault: `The launch did not end within ${PATIENCE / 1000} seconds and was stopped.`});
    }
    function done(answer) {
        const job = at_work;
        clearTimeout(timer);
        at_work = null;
        if (wanted) next();
        tell(answer, job);
    }
    function start() {
        const address = URL.createObjectURL(new Blob([text], {type: "text/javascript"}));
        worker = new Worker(address);
        URL.revokeObjectURL(address);
        fresh = true;
        worker.onmessage = ({data}) => {
            if (data.answer)
                done(data.answer);
            else
                timer = setTimeout(stop, PATIENCE);  // the time limit starts when the simulator is ready
        };
        worker.onerror = () => done({fault: "This browser cannot start the simulator."});
    }
    function next() {
        if (!worker) start();
        at_work = wanted;
        wanted = null;
        worker.postMessage({job: at_work, packed: fresh ? packed() : null});
        fresh = false;
    }
    return (job) => {
        wanted = job;
        if (!at_work) next();
    };
}
