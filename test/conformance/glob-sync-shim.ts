// Both suites import fs.globSync, which Node 20 does not have and which a server run never calls.
// `node --import` this file, and they find one.
import fs from "node:fs";
import { type ResolveHook, register } from "node:module";
import { isMainThread } from "node:worker_threads";

const fsWithGlobSync = `
export * from "node:fs";
export { default } from "node:fs";
export function globSync() {
  throw new Error("fs.globSync is not available here");
}`;

/** Gives the suites, and nobody else, an `fs` that has the name. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const isSuite = context.parentURL?.includes("/node_modules/conformance-") ?? false;
  if (specifier !== "fs" || !isSuite) return next(specifier, context);
  const url = `data:text/javascript,${encodeURIComponent(fsWithGlobSync)}`;
  return { url, format: "module", shortCircuit: true };
};

// Hooks run in a thread of their own, which loads this file once more.
if (isMainThread && !("globSync" in fs)) register(import.meta.url);
