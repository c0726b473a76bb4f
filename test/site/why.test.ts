import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tablesUnder } from "../markdown.ts";
import { root } from "../source-files.ts";

interface Results {
  readonly sections: readonly {
    readonly title: string;
    readonly result: {
      readonly rows?: readonly { readonly name: string; readonly ratio: { readonly median: number } }[];
    };
  }[];
}

it("docs/explain/why.md has the figures of bench/results", () => {
  const results = JSON.parse(readFileSync(join(root, "bench/results/toolkit.json"), "utf8")) as Results;
  const [rows = []] = tablesUnder("docs/explain/why.md", "## Why not the SDK alone?");
  expect(rows.length).toBeGreaterThan(3);
  const measured = rows.map((row) => {
    const call = row["time until the client has the answer"] ?? "";
    const { rows: found = [] } = results.sections.find(({ title }) => title === call)?.result ?? {};
    const median = (name: string) => {
      const value = found.find((each) => each.name === name)?.ratio.median;
      return value === undefined ? "" : String(Number(value.toFixed(2)));
    };
    return {
      "time until the client has the answer": call,
      "bare SDK": median("bare SDK"),
      toolkit: median("toolkit"),
      FastMCP: median("fastmcp"),
    };
  });
  expect(rows).toEqual(measured);
});
