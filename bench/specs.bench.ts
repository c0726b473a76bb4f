import type { Growth, Measurement } from "./measure.ts";
import type { Bench, Section } from "./report.ts";
import { toExponent } from "./statistics.ts";

/** Measures how the calls of the spec server slow down as specs grow, and how many tokens their answers have. */
export const specs: Bench = {
  name: "specs",
  title: "specs and tasks on files, on a warm server",
  run: async (options) => {
    // The bench runs in production mode, without the output checks that are enabled in development.
    const mode = process.env["NODE_ENV"];
    process.env["NODE_ENV"] = "production";
    const { openWarmServer } = await import("./specs/warm-server.ts");
    const { openStdioServer } = await import("./specs/stdio-server.ts");
    const { measureReads, measureStdio, writeReadSpecs } = await import("./specs/reads.ts");
    const { measureComplete, measureWhole } = await import("./specs/changes.ts");
    const { measureGuardedFiles } = await import("./specs/guarded-files.ts");
    const { measureList } = await import("./specs/list-specs.ts");
    const { countDefinitions, countReplies } = await import("./specs/tokens.ts");
    const server = await openWarmServer();
    try {
      await writeReadSpecs(server.specs);
      const reads = await measureReads(server, options);
      const stdio = await openStdioServer(server.folder);
      const overStdio = await measureStdio(stdio, options).finally(() => stdio.close());
      const complete = await measureComplete(server, options);
      const whole = await measureWhole(server, options);
      const list = await measureList(server, options);
      const guarded = await measureGuardedFiles(server.specs, options);
      // The tokens are counted last, because the list of specs is longest when all specs exist.
      const tokens = [...(await countDefinitions(server.folder)), ...(await countReplies(server))];
      console.log("Time against the number of nodes, exponents; 0 is flat, 1 is linear");
      console.table(toClaims([...reads, ...overStdio], complete, whole));
      console.log("Tokens, o200k");
      console.table(tokens);
      return [...reads, ...overStdio, complete, ...whole, ...guarded, { ...list, tokens }];
    } finally {
      await server.close();
      if (mode === undefined) delete process.env["NODE_ENV"];
      else process.env["NODE_ENV"] = mode;
    }
  },
};

interface ClaimRow {
  readonly what: string;
  readonly exponent: string;
  readonly claim: string;
  readonly verdict: "met" | "MISSED";
}

const flat = 0.1;
const linear = 1.1;

/** Returns the claims of the documentation about growth, and whether this run confirms them. */
function toClaims(
  reads: readonly Section[],
  complete: Section,
  whole: readonly Section[],
): readonly ClaimRow[] {
  const row = (what: string, exponent: number, most: number, claim: string): ClaimRow => ({
    what,
    exponent: exponent.toFixed(2),
    claim,
    verdict: exponent <= most ? "met" : "MISSED",
  });
  const flatReads = reads.map(({ title, result }) =>
    row(title, exponentOf(result as Measurement), flat, `1,000 to 100,000 nodes: at most ${flat}`),
  );
  const [writing, completing] = stepsOf(complete.result as Growth);
  const [inWhole] = whole.flatMap(({ result }) => (result.kind === "growth" ? [result] : []));
  const validating = inWhole?.rows.find(({ name }) => name === "validate");
  return [
    ...flatReads,
    row(
      "complete, 1,000 to 10,000",
      completing ?? Number.NaN,
      (writing ?? Number.NaN) + flat,
      `no more than writing the file: ${writing?.toFixed(2)}`,
    ),
    row("validate, 100 to 10,000", validating?.exponent ?? Number.NaN, linear, "linear"),
  ];
}

/**
 * Returns the growth exponent of a table with a row for each size. The row of 100 nodes is left out, because
 * a page of such a small spec is not full.
 */
function exponentOf({ rows }: Measurement): number {
  const sized = rows.flatMap(({ name, ms }) => {
    const nodes = Number(/^([\d,]+) nodes$/.exec(name)?.[1]?.replaceAll(",", ""));
    return nodes >= 1_000 ? [{ nodes, ms: ms.median }] : [];
  });
  return toExponent(
    sized.map(({ nodes }) => nodes),
    sized.map(({ ms }) => ms),
  );
}

/** Returns the growth exponents of the baseline and of the first case between the two largest sizes. */
function stepsOf({ sizes, measurements }: Growth): readonly number[] {
  return [0, 1].map((index) =>
    toExponent(
      sizes.slice(-2),
      measurements.slice(-2).map(({ rows }) => rows[index]?.ms.median ?? Number.NaN),
    ),
  );
}
