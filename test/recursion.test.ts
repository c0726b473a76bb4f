import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCallGraph, recursiveGroups } from "./call-graph.ts";
import { readSourceFiles, root } from "./source-files.ts";

// Input that nests 100,000 levels deep must not exhaust the stack. A function that calls itself is therefore listed
// here with the reason why its depth is bounded. Text from outside is parsed with parseJsonText, which limits the
// depth.

const ourSchemas = "walks schemas of this program or of the server's author";
const notOverData = "follows events or retries, not the depth of data";

/** The recursive functions by file, each with the reason why its depth is bounded. */
const bounded: Readonly<Record<string, string>> = {
  "contract/src/budget/reduce-data.ts":
    "fitToBudget reduces only envelopes that nest at most maxDepth levels",
  "contract/src/builders/serialize-envelope.ts": "calls itself once, after a repair",
  "contract/src/json/compile-schema.ts": ourSchemas,
  "foundry/src/app/lazy-resource.ts": notOverData,
  "foundry/src/check/arguments/from-pattern.ts": "has a depth limit of its own",
  "foundry/src/check/arguments/generate-values.ts": "has a depth limit of its own",
  "foundry/src/check/arguments/wrong-values.ts": "has a depth limit of its own",
  "foundry/src/check/calls/unmet-expectations.ts": "no deeper than the answer, which limitDepth has cut",
  "foundry/src/check/calls/write-calls.ts": "no deeper than the schemas, which limitDepth has cut",
  "foundry/src/check/judge/collect-texts.ts": "has a depth limit of its own",
  "foundry/src/check/observe/limit-depth.ts": "cuts below its own limit as it goes",
  "foundry/src/check/probes/repeat.ts": "has a depth limit of its own",
  "foundry/src/check/report/xml.ts": "writes elements of this program",
  "foundry/src/check/schemas/from-draft-4.ts": "runs within a deadline that catches an exhausted stack",
  "foundry/src/files/durable/create-folder.ts": "goes up a path",
  "foundry/src/files/json-text/print-json.ts": "its parameter depth is a limit",
  "foundry/src/files/lock/in-process-queue.ts": notOverData,
  "foundry/src/files/lock/stale-locks.ts": notOverData,
  "foundry/src/gateway/upstream/upstream.ts": notOverData,
  "foundry/src/research/documents/digest-pool.ts": notOverData,
  "foundry/src/research/model/ask-model.ts": notOverData,
  "foundry/src/research/runs/run-research.ts": notOverData,
  "foundry/src/research/tool/parse-digest.ts": "arguments nest at most maxDepth levels",
  "foundry/src/specs/model/changes/add-phase.ts": "arguments nest at most maxDepth levels",
  "foundry/src/specs/model/markdown/match-draft.ts": "a draft nests at most maxNesting levels",
  "foundry/src/specs/model/markdown/parse-content.ts": "parseBlocks nests at most maxNesting levels",
  "foundry/src/specs/model/markdown/parse-markdown.ts": "headings have six levels",
  "foundry/src/specs/model/markdown/to-draft.ts": "refuses an outline deeper than maxNesting",
  "foundry/src/specs/model/markdown/to-markdown.ts": "a draft nests at most maxNesting levels",
  "foundry/src/specs/model/text-limits.ts": "has a depth limit of its own",
  "foundry/src/specs/model/validate/dependencies.ts": "the closures are steps of findCycles, which is a loop",
  "foundry/src/specs/stores/file-store/watch-folders.ts": "goes up a path, or follows events",
  "foundry/src/specs/tools/authoring/parse-steps.ts": "arguments nest at most maxDepth levels",
  "foundry/src/specs/verify/run-program.ts": notOverData,
  "foundry/src/specs/watch/run-watch.ts": notOverData,
  "foundry/src/specs/watch/terminal.ts": notOverData,
  "toolkit/src/catalogue/brief-input.ts": ourSchemas,
  "toolkit/src/cli/value-form.ts": "has a depth limit of its own",
  "toolkit/src/dispatch/deadline-timer.ts": notOverData,
  "toolkit/src/files/workspace-files.ts": "goes up a path",
  "toolkit/src/flags/decide-flag.ts": "parseFlags refuses chains longer than maxChain",
  "toolkit/src/mcp/job-runner.ts": notOverData,
  "toolkit/src/mcp/stdio-transport.ts": notOverData,
  "toolkit/src/registry/reference.ts": ourSchemas,
  "toolkit/src/terminal/default-view.ts": "has a depth limit of its own",
};

const ownText = "text that this program wrote";
const ownRow = "rows that this program wrote";

/** The files that call JSON.parse directly, each with the reason why its result is not too deep. */
const parsers: Readonly<Record<string, string>> = {
  "contract/src/json/parse-json-text.ts": "it is parseJsonText",
  "foundry/src/check/arguments/parameters.ts": ownText,
  "foundry/src/check/observe/observation.ts": "limitDepth follows",
  "foundry/src/check/probes/repeat.ts": ownText,
  "foundry/src/check/schemas/compile-schema.ts": ownText,
  "foundry/src/check/validate-text.ts": "limitDepth follows",
  "foundry/src/files/json-text/find-key.ts": "a key is a string",
  "foundry/src/files/json-text/text-value.ts": "scanJson has refused deeper texts",
  "foundry/src/jobs/stored-job.ts": "has a depth limit of its own",
  "foundry/src/postgres/archive/archive-entry.ts": ownRow,
  "foundry/src/specs/stores/history/replaced-files.ts": "asks only whether it is JSON",
  "foundry/src/specs/stores/postgres/cached-spec.ts": ownRow,
  "foundry/src/specs/stores/postgres/export-spec.ts": ownRow,
  "foundry/src/specs/stores/postgres/postgres-store.ts": ownRow,
  "foundry/src/specs/stores/postgres/read-spec.ts": ownRow,
  "foundry/src/specs/stores/postgres/responses.ts": ownRow,
  "foundry/src/specs/stores/postgres/revisions.ts": ownRow,
  "toolkit/src/catalogue/output-schema.ts": ourSchemas,
  "toolkit/src/cli/print-reply.ts": ownText,
  "toolkit/src/cli/value-form.ts": "the dispatch refuses arguments that nest too deeply, by name",
  "toolkit/src/client/child-transport.ts": "readCallToolResult and limitDepth follow",
  "toolkit/src/http/read-body.ts": "limitMessageDepth or the dispatch follows",
  "toolkit/src/jobs/create-job-store.ts": "our own result, whose call was checked for depth",
  "toolkit/src/jobs/memory-job-store.ts": "our own job, whose call was checked for depth",
  "toolkit/src/mcp/stdio-transport.ts": "limitMessageDepth follows",
  "toolkit/src/registry/registry.ts": ownText,
  "toolkit/src/wire/member-scanner.ts": "a token is no list and no object",
};

describe("input of any depth", () => {
  it("meets no function that calls itself without a bound", () => {
    const files = new Set(recursiveGroups(readCallGraph()).flat().map(fileOf));
    expect([...files].toSorted()).toEqual(Object.keys(bounded).toSorted());
  }, 120_000);

  it("is parsed by parseJsonText", () => {
    const files = readSourceFiles()
      .filter(({ isTest, path }) => !isTest && /\bJSON\.parse\(/.test(readFileSync(join(root, path), "utf8")))
      .map(({ path }) => fileOf(path));
    expect(files.toSorted()).toEqual(Object.keys(parsers).toSorted());
  });
});

function fileOf(name: string): string {
  return name.replace(/^packages\//, "").replace(/#.*$/, "");
}
