// This module provides fs.globSync for `node --import`. Both suites import this function, but Node 20 lacks it, and a
// run against a server never calls it.
import fs from "node:fs";
import { type ResolveHook, register } from "node:module";
import { isMainThread } from "node:worker_threads";

const fsWithGlobSync = `
export * from "node:fs";
export { default } from "node:fs";
export function globSync() {
  throw new Error("fs.globSync is not available here");
}`;

/** Resolves `fs` to a module with `globSync`, for the suites only. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const isSuite = context.parentURL?.includes("/node_modules/conformance-") ?? false;
  if (specifier !== "fs" || !isSuite) return next(specifier, context);
  const url = `data:text/javascript,${encodeURIComponent(fsWithGlobSync)}`;
  return { url, format: "module", shortCircuit: true };
};

// Hooks run in a separate thread, which loads this file again.
if (isMainThread && !("globSync" in fs)) register(import.meta.url);
