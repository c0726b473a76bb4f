// A hostile server over stdio: `node server.mjs NAME`. What follows the name marks its processes.
import { exits } from "./exits.mjs";
import { floods } from "./floods.mjs";
import { hangs } from "./hangs.mjs";
import { lines } from "./lines.mjs";
import { schemas } from "./schemas.mjs";
import { texts } from "./texts.mjs";

// Whoever reads may go at any time.
process.stdout.on("error", () => process.exit());
process.stderr.on("error", () => {});
const name = process.argv[2];
const start = { ...exits, ...floods, ...hangs, ...lines, ...schemas, ...texts }[name];
if (start === undefined) throw new Error(`There is no hostile server "${name}"`);
start();
