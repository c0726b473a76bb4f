// `npm start`. Nothing is built yet, and Node runs no TypeScript: esbuild compiles the scripts first.
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { build } = await import("esbuild").catch(() => {
  process.stderr.write("Cannot start: the packages are not installed. Run: npm ci\n");
  process.exit(1);
});
await build({
  absWorkingDir: root,
  entryPoints: ["scripts/build-and-start.ts"],
  outdir: ".build/start",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  external: ["#built/*"],
  logLevel: "warning",
});
await import("../.build/start/build-and-start.js");
