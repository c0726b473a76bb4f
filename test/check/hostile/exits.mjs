import { spawn } from "node:child_process";
import { note, serve } from "./serve.mjs";

/** Servers that do not stay, or leave something behind. */
export const exits = {
  "exits-with-0": () => process.exit(0),
  "exits-with-3": () => {
    process.stderr.write("cannot read the settings\n", () => process.exit(3));
  },
  "exits-at-first-call": () => serve({ on: { "tools/call": () => process.exit(1) } }),
  "exits-at-list": () => serve({ on: { "tools/list": () => process.exit(1) } }),
  // Each call of each tool ends it.
  "exits-at-every-call": () =>
    serve({
      tools: Array.from({ length: 20 }, (_, index) => ({ ...note, name: `note${index}` })),
      on: { "tools/call": () => process.exit(1) },
    }),
  "ends-its-output": () => serve({ on: { "tools/call": () => void process.stdout.end() } }),
  "ends-its-input": () => serve({ on: { "tools/call": () => void process.stdin.destroy() } }),
  // What it starts holds its pipes open and outlives it.
  "leaves-a-child": () => {
    const idle =
      "setInterval(() => {}, 1000); for (const s of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(s, () => {})";
    spawn(process.execPath, ["-e", idle, ...process.argv.slice(2)], { stdio: "inherit" });
    serve();
  },
  // The same, and it leaves at the first call.
  "leaves-a-child-and-exits": () => {
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", ...process.argv.slice(2)], {
      stdio: "inherit",
    });
    serve({ on: { "tools/call": () => process.exit(1) } });
  },
};
