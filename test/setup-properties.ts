import fc from "fast-check";

// One seed for every run, so that a red one can be repeated and a green one means the same everywhere.
// FC_SEED=random (or a number) explores elsewhere: npm run prove with it is how faults are found.
const wanted = process.env["FC_SEED"] ?? "20261115";
const seed = wanted === "random" ? Date.now() : Number(wanted);
fc.configureGlobal({ seed });
