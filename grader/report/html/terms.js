// All terms, each with the lab that introduces it (record/terms.def).
const TERMS = list(CATALOG.terms).map(([word, lab]) => [new RegExp(`(?<!\\w)${word}`, "i"), lab]);
function knows(record, text) {
    const lab = /^lab(\d+)$/.exec(record.lab.id), taught = lab ? Number(lab[1]) : Infinity;
    return TERMS.every(([word, from]) => from <= taught || !word.test(text));
}
const knowsWarps = (record) => knows(record, "lanes of a warp that diverges");
