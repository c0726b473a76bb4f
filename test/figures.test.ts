import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readResults } from "../scripts/figures/read-results.ts";
import { chartsFolder, figuresPage, renderFigures } from "../scripts/write-figures.ts";
import { readPage } from "./markdown.ts";
import { root } from "./source-files.ts";

const results = readResults(root);

/** Pages with measured figures, which name their results in a comment at the figures. Other pages have none. */
const quoting = ["docs/guides/scale.md"];
/** Decisions tell what was measured when they were made, so their figures stay as they are. */
const past = /^docs\/decisions\//;

const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .map((path) => `docs/${path}`)
  .filter((path) => path.endsWith(".md") && path !== figuresPage && !past.test(path));

/** Matches a measured time or a ratio to a time. A plain limit in whole seconds or milliseconds is not measured. */
const figure =
  /(?<![\d.,])(\d[\d,]*(?:\.\d+)?) ?(×(?! ?(?:2\^|cores|\d))|µs\b|ms\b(?= of| a call| for| in the)|times (?:as|faster|slower))/g;

describe("figures in the documentation", () => {
  it("are on the page that is generated from bench/results", () => {
    for (const [path, text] of renderFigures(results))
      expect(readFileSync(join(root, path), "utf8")).toBe(text);
    const charts = readdirSync(join(root, chartsFolder));
    const rendered = [...renderFigures(results).keys()].filter((path) => path.endsWith(".svg"));
    expect(charts.map((name) => `${chartsFolder}/${name}`).toSorted()).toEqual(rendered.toSorted());
  });

  it("are nowhere else, unless the page names the results that hold them", () => {
    const found = ["README.md", "ARCHITECTURE.md", ...pages].flatMap((path) => {
      const prose = readPage(path).replaceAll(/^```[\s\S]*?^```/gm, "");
      return findFigures(path, prose);
    });
    expect(found).toEqual([]);
  });

  it("are found in a text", () => {
    const text =
      "It is 4 × as fast, takes 12.5 µs, 3 ms of CPU time, and is 2 times faster. At most 64 × 2^20 bytes, 30 ms.";
    expect(findFigures("docs/x.md", text)).toEqual([
      "docs/x.md: 4 ×",
      "docs/x.md: 12.5 µs",
      "docs/x.md: 3 ms",
      "docs/x.md: 2 times faster",
    ]);
  });

  it.each(quoting)("of %s are in the results that it names", (path) => {
    const page = readPage(path);
    const [, section = "", name = ""] =
      /(<!-- figures: (\S+) -->[\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(page) ?? [];
    const known = numbersIn(JSON.parse(readFileSync(join(root, name), "utf8")));
    const cells = section
      .split("\n")
      .filter((line) => /^\|.*\d/.test(line))
      .flatMap((line) => [...line.matchAll(/(?<=\| )(\d[\d,]*(?:\.\d+)?)(?: (?:ms|kB))?(?= +\|)/g)])
      .map(([, text = ""]) => text.replaceAll(",", ""))
      // The numbers of servers are no results.
      .filter((text) => Number(text) > 4 || text.includes("."));
    expect(cells.length).toBeGreaterThan(10);
    expect(cells.filter((text) => !isHeld(text, known))).toEqual([]);
  });
});

function findFigures(path: string, text: string): readonly string[] {
  if (quoting.includes(path)) return [];
  return [...text.matchAll(figure)].map(([found]) => `${path}: ${found.replaceAll(/\s+/g, " ")}`);
}

/** True if a number of the results, in its own unit or in thousands, rounds to the printed number. */
function isHeld(text: string, known: readonly number[]): boolean {
  const decimals = text.split(".")[1]?.length ?? 0;
  const wanted = Number(text);
  return known.some((value) =>
    [value, value / 1_000, value * 1_000].some((each) => Number(each.toFixed(decimals)) === wanted),
  );
}

function numbersIn(value: unknown): readonly number[] {
  const numbers: number[] = [];
  const rest: unknown[] = [value];
  for (let each = rest.pop(); rest.length > 0 || each !== undefined; each = rest.pop()) {
    if (typeof each === "number") numbers.push(each);
    else if (typeof each === "object" && each !== null) rest.push(...Object.values(each));
  }
  return numbers;
}
