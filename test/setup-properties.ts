import fc from "fast-check";

// Every run uses the same seed. A failed run can therefore be repeated, and a passed run has the same meaning on
// every machine. FC_SEED=random (or a number) explores other cases. Use it with `npm run prove` to search for faults.
const wanted = process.env["FC_SEED"] ?? "20261115";
const seed = wanted === "random" ? Date.now() : Number(wanted);
fc.configureGlobal({ seed });
