import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

const site = join(root, "packages/foundry/dist/page/site");
const maxBytes = 120_000;
const read = (path: string) => readFileSync(join(site, path));

/** Returns index.html and all files that the browser loads before it shows anything: what it names, and their imports. */
function firstView(): readonly string[] {
  const named = [
    ...read("index.html")
      .toString()
      .matchAll(/(?:src|href)="\.\/([^"]+)"/g),
  ];
  const found = new Set(["index.html", ...named.map(([, path = ""]) => path)]);
  for (const path of found) {
    if (!path.endsWith(".js")) continue;
    const imports = read(path)
      .toString()
      .matchAll(/(?:^|[;}\n])import(?:[^"'()]*?from)?["']\.\/([^"']+)["']/g);
    for (const [, name = ""] of imports) found.add(`assets/${name}`);
  }
  return [...found];
}

describe("the built page", () => {
  it("needs at most 120 kB for its first view", () => {
    const files = firstView();
    expect(files.filter((path) => path.endsWith(".js")).length).toBeGreaterThan(1);
    const bytes = files.reduce((sum, path) => sum + gzipSync(read(path)).length, 0);
    process.stderr.write(`The first view of the page: ${bytes} bytes, gzipped\n`);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(bytes).toBeGreaterThan(20_000);
  });

  it("loads the contract only for the view that checks answers", () => {
    const contract = readdirSync(join(site, "assets")).filter((name) => name.startsWith("contract-view-"));
    expect(contract.length).toBe(1);
    expect(firstView().filter((path) => contract.some((name) => path.endsWith(name)))).toEqual([]);
  });

  it("names no other server, and has no inline code", () => {
    const html = read("index.html").toString();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|<style|https?:\/\//);
    for (const name of readdirSync(join(site, "assets"))) {
      const text = read(`assets/${name}`).toString();
      const addresses = [...text.matchAll(/https?:\/\/[\w.-]+/g)].map(([address]) => address);
      const allowed = /^https?:\/\/(www\.w3\.org|json-schema\.org|[\w.-]*example)/;
      expect([name, addresses.filter((address) => !allowed.test(address))]).toEqual([name, []]);
    }
  });

  it("names the licences of the packages that it contains", () => {
    const notices = read("THIRD-PARTY.txt").toString();
    for (const name of ["preact", "zod", "@noble/hashes"]) expect(notices).toContain(`${name} `);
  });
});
