import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ContractError } from "@foundry-mcp/contract";
import { toFileError } from "@foundry-mcp/toolkit/files";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { settings } from "#built/foundry/config/settings.js";
import { lockBusy } from "#built/foundry/files/lock/lock-failures.js";
import { toDatabaseError } from "#built/foundry/postgres/database-error.js";
import * as known from "#built/foundry/specs/model/known-values.js";
import * as fields from "#built/foundry/specs/model/markdown/fields.js";
import { nodeStatuses, nodeTypes, specFolders } from "#built/foundry/specs/model/spec-document.js";
import {
  maxBytes,
  maxLinks,
  maxNodes,
  maxTextLength,
  maxTitleLength,
} from "#built/foundry/specs/model/text-limits.js";
import { folderTransitions, nodeTransitions } from "#built/foundry/specs/model/transitions.js";
import { diagnosticTable } from "#built/foundry/specs/model/validate/diagnostics.js";
import {
  cliReferencePath,
  renderCliReference,
  renderSwitchingGuide,
  switchingGuidePath,
} from "../scripts/write-tool-reference.ts";
import { foundryCli } from "./bins.ts";
import { type Row, readPage, tablesUnder } from "./markdown.ts";
import { createTestDatabase } from "./postgres/test-databases.ts";
import { type PageBlock, PageRun, readPageBlocks, toComparable } from "./run-page.ts";
import { readSourceFiles, root } from "./source-files.ts";

const run = promisify(execFile);
const column = (rows: readonly Row[] = [], name: string) => rows.map((row) => row[name] ?? "");

const hasJq = await run("jq", ["--version"]).then(
  () => true,
  () => false,
);

const pages = [
  "README.md",
  "docs/start/ten-minutes-for-people.md",
  "docs/start/ten-minutes-for-agents.md",
  "docs/start/ten-minutes-for-server-authors.md",
  "docs/guides/specs-and-tasks.md",
  "docs/guides/several-agents.md",
  "docs/guides/evidence.md",
  "docs/guides/review.md",
  "docs/guides/undo.md",
  "docs/guides/markdown.md",
  "docs/guides/git.md",
  "docs/guides/scale.md",
  "docs/reference/spec-file.md",
  "docs/reference/troubleshooting.md",
];

/** The page that assumes that DATABASE_URL is set, and the address of the database on that page. */
const databasePage = "docs/guides/scale.md";
const shownPlace = "db.example.org/foundry";
const userOfShown = /\/\/[^@/\s"]+@(?=db\.example\.org\/foundry)/g;

/** The pages that show a terminal of 80 columns. */
const peoplePages = [
  "README.md",
  "docs/start/ten-minutes-for-people.md",
  "docs/start/ten-minutes-for-server-authors.md",
];

const isRun = ({ code }: PageBlock) => hasJq || !code.includes("| jq");

/** Finds revisions and lease tokens. They consist of a counter and a part that differs from run to run. */
const stampsIn = (text = "") => text.match(/\b\d+-[0-9a-f]{8}\b/g) ?? [];

/**
 * Returns the output of each block of a page. The blocks run in order, because later blocks depend on the
 * effects of earlier blocks. If the page uses a revision or token from an earlier answer, it is replaced with
 * the value from the current answer.
 */
async function runPage(page: string): Promise<readonly string[]> {
  const database = page === databasePage ? await createTestDatabase() : undefined;
  vi.stubEnv("DATABASE_URL", database?.url);
  const place = new PageRun(page.replace(/\W+/g, "-"), { isOnTerminal: peoplePages.includes(page) });
  vi.unstubAllEnvs();
  const show = toShown(database?.url);
  const printed: string[] = [];
  const present = new Map<string, string>();
  try {
    for (const block of readPageBlocks(page)) {
      const code = block.code.replace(/\b\d+-[0-9a-f]{8}\b/g, (stamp) => present.get(stamp) ?? stamp);
      const text = isRun(block) ? show(await place.run({ ...block, code })) : "";
      const stamps = stampsIn(text);
      for (const [at, stamp] of stampsIn(block.output?.text).entries())
        present.set(stamp, stamps[at] ?? stamp);
      printed.push(text);
    }
  } finally {
    await place.close();
    await database?.close();
  }
  return printed;
}

/** Replaces the address of the test database, with any user, by the address that the pages show. */
function toShown(url = ""): (text: string) => string {
  const place = url.slice(url.lastIndexOf("@") + 1);
  if (place === "") return (text) => text;
  return (text) => text.replaceAll(place, shownPlace).replace(userOfShown, "//foundry@");
}

describe("the blocks of", () => {
  let printed: readonly (readonly string[])[] = [];

  beforeAll(async () => {
    printed = await Promise.all(pages.map(runPage));
  });

  describe.each(pages.map((page, at) => ({ page, at })))("$page", ({ page, at }) => {
    const blocks = readPageBlocks(page).map((block, index) => ({ ...block, index }));
    const printing = blocks.filter((block) => block.kind !== "file" && isRun(block));

    it.each(printing)("print what the page says of $index: $title", ({ index, output }) => {
      expect(output, "no output stands after it").toBeDefined();
      const settled = (text = "") =>
        toComparable(text).replace(/(work_hash"?: ?"?|"sha256":")(?:[0-9a-f]{64}|[0-9a-f]{12})/g, "$1…");
      expect(settled(printed[at]?.[index])).toBe(settled(output?.text));
    });

    it("are there", () => {
      expect(printing.length).toBeGreaterThan(0);
    });
  });
});

describe.each(["README.md", "docs/start/ten-minutes-for-server-authors.md"])("%s", (page) => {
  it("shows the server of examples/02-server", () => {
    const server = readPageBlocks(page).find(({ name }) => name === "server.mjs");
    expect(server?.code).toBe(readPage("examples/02-server/server.ts"));
  });
});

describe("docs/start/ten-minutes-for-agents.md", () => {
  it("names error codes that the source throws", () => {
    const rows = tablesUnder("docs/start/ten-minutes-for-agents.md", "## When a call fails")[0] ?? [];
    const catalogue = readPage("packages/contract/src/errors/error-catalogue.ts");
    const codes = column(rows, "error_code");
    expect(codes.filter((code) => !catalogue.includes(code))).toEqual([]);
    expect(codes.length).toBeGreaterThan(5);
  });
});

describe("docs/reference/cli.md", () => {
  it("is what scripts/write-tool-reference.ts writes", async () => {
    expect(readPage(cliReferencePath)).toBe(await renderCliReference());
    expect(readPage(switchingGuidePath)).toBe(renderSwitchingGuide());
  });

  it("has the commands and options that the program itself tells of", async () => {
    const { stdout } = await run(process.execPath, [foundryCli, "--help"]);
    const termsOf = (title: string) => {
      const [, part = ""] = new RegExp(`^${title}:\\n(.*?)\\n(?:\\n|(?![^]))`, "ms").exec(stdout) ?? [];
      return [...part.matchAll(/^ {2}(\S.*?)(?: {2,}.*)?$/gm)].map(([, term]) => term);
    };
    const page = readPage(cliReferencePath);
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(termsOf("Commands"));
    expect(column(tablesUnder(cliReferencePath, "# foundry-cli")[0], "option")).toEqual(
      termsOf("Options of every command"),
    );
  });
});

describe("docs/reference/spec-file.md", () => {
  const page = "docs/reference/spec-file.md";

  it.each([
    ["## Fields of a spec", known.specFields],
    ["### Metadata of a spec", known.specMetadataFields],
    ["## Fields of a node", known.nodeFields],
    ["### Metadata of a node", known.nodeMetadataFields],
  ])("has under %s every field that is read or written", (heading, fields) => {
    const [rows = []] = tablesUnder(page, heading);
    expect(column(rows, "field").toSorted()).toEqual([...fields].toSorted());
    expect(column(rows, "meaning")).not.toContain("");
  });

  it("says which fields are required", () => {
    const requiredUnder = (heading: string) =>
      tablesUnder(page, heading)[0]?.flatMap(({ field, required }) => (required === "yes" ? [field] : []));
    expect(requiredUnder("## Fields of a spec")).toEqual([...known.requiredSpecFields]);
    expect(requiredUnder("## Fields of a node")).toEqual([...known.requiredNodeFields]);
  });

  it("names every value that fields may have", () => {
    const rows = ["## Fields of a node", "### Metadata of a node"].flatMap((heading) =>
      tablesUnder(page, heading).flat(),
    );
    const meaningOf = (field: string) =>
      rows.filter((row) => row["field"] === field).map((row) => row["meaning"]);
    const lists = {
      type: nodeTypes,
      status: nodeStatuses,
      task_category: known.taskCategories,
      verification_type: known.verificationTypes,
      blocker_type: known.blockerTypes,
      complexity: known.levels,
    };
    for (const [field, values] of Object.entries(lists)) {
      const [text = ""] = meaningOf(field);
      expect(
        values.filter((value) => !text.includes(value)),
        field,
      ).toEqual([]);
    }
    const [, entries = ""] = readPage(page).split("### Entries of the journal\n");
    expect(
      known.journalEntryTypes.filter((type) => !entries.split("\n## ")[0]?.includes(`\`${type}\``)),
    ).toEqual([]);
  });

  it("has every folder", () => {
    const [, tree = ""] = /^## Folders\n\n```text\n(.*?)^```$/ms.exec(readPage(page)) ?? [];
    const named = [...tree.matchAll(/^ {2}([\w.]+)\//gm)].map(([, name]) => name);
    expect(named).toEqual([...specFolders, ".foundry"]);
  });

  it("has every folder that lies beside the specs", () => {
    const sources = readSourceFiles().filter((file) => file.package === "foundry" && !file.isTest);
    const texts = sources
      .filter(({ path }) => /\/(stores|tools|app)\//.test(path))
      .map(({ path }) => readPage(path));
    const named = texts.flatMap((text) => [
      ...text.matchAll(/join\((?:own|folder|this\.#foundryFolder|this\.#deps\.own), "(\w+)"/g),
      ...text.matchAll(/"\.foundry", "(\w+)"\)/g),
      ...text.matchAll(/\$\{sidecarFolder\}\/(\w+)/g),
    ]);
    const [rows = []] = tablesUnder(page, "## Files next to the specs");
    expect(column(rows, "folder").toSorted()).toEqual([...new Set(named.map(([, name]) => name))].toSorted());
    expect([...column(rows, "what is in it"), ...column(rows, "without it")]).not.toContain("");
  });

  it("has every transition of a node, and the action that makes it", () => {
    const [rows = []] = tablesUnder(page, "## Status");
    expect(rows.map(({ from, to, by }) => ({ from, to, by }))).toEqual(
      Object.entries(nodeTransitions).flatMap(([from, steps]) =>
        Object.entries(steps).map(([to, by]) => ({ from, to, by })),
      ),
    );
  });

  it("has every move between folders", () => {
    const [rows = []] = tablesUnder(page, "## Lifecycle");
    expect(rows.map(({ from, to }) => ({ from, to }))).toEqual(
      Object.entries(folderTransitions).map(([from, to]) => ({ from, to: to.join(", ") })),
    );
  });

  it("has every diagnostic, with severity, category and whether it can be mended", () => {
    const [rows = []] = tablesUnder(page, "### Diagnostics");
    expect(rows).toEqual(
      Object.entries(diagnosticTable).map(([code, { severity, category, fixable, note, isAuthoring }]) => ({
        code,
        severity: isAuthoring === true ? `${severity} (strict)` : severity,
        category,
        fixable: fixable ? "yes" : "no",
        "what it says": note,
      })),
    );
    expect(readPage("CHANGELOG.md")).toContain(`knows ${rows.length} diagnostics`);
  });

  it("has the limits that the code has", () => {
    const [, waitMs = ""] =
      /waitMs = ([\d_]+)/.exec(readPage("packages/foundry/src/specs/stores/file-store/file-store.ts")) ?? [];
    const limits = [
      // A spec has as many ids of children as nodes.
      ...[maxNodes, maxNodes, maxLinks],
      maxBytes / 2 ** 20,
      maxTitleLength,
      maxTextLength,
      Number(waitMs.replaceAll("_", "")) / 1_000,
    ];
    const [rows = []] = tablesUnder(page, "## Limits");
    expect(column(rows, "value")).toEqual(limits.map((limit) => limit.toLocaleString("en")));
  });
});

const isNothing = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

describe("docs/reference/configuration.md", () => {
  it("has every setting of foundry.toml, with who may set it, its variable, default and meaning", () => {
    const [rows = []] = tablesUnder("docs/reference/configuration.md", "### The settings");
    const told = rows.map(({ key, "set by": owner, variable, default: value, meaning }) => ({
      key,
      owner,
      variable,
      value,
      meaning,
    }));
    expect(told).toEqual(
      Object.entries(settings).map(([key, { env, default: value, about, owner }]) => ({
        key,
        owner,
        variable: env ?? "none",
        value: isNothing(value) ? "none" : key === "port" ? String(value) : value?.toLocaleString("en"),
        meaning: `${about}.`,
      })),
    );
    for (const { key = "", takes = "" } of rows) {
      const schema = settings[key as keyof typeof settings].schema();
      const choices = "options" in schema ? schema.options.filter((each) => typeof each === "string") : [];
      expect(
        choices.filter((choice) => !takes.includes(choice)),
        key,
      ).toEqual([]);
    }
  });

  it("names every variable of the environment that the programs read", () => {
    const sources = readSourceFiles().filter((file) => file.package === "foundry" && !file.isTest);
    const read = sources.flatMap(({ path }) => readPage(path).match(/\bFOUNDRY_[A-Z_]+\b/g) ?? []);
    const page = readPage("docs/reference/configuration.md");
    expect([...new Set(read)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    expect(read.length).toBeGreaterThan(5);
  });
});

describe("docs/reference/troubleshooting.md", () => {
  const page = "docs/reference/troubleshooting.md";
  const text = readPage(page);

  it("has what is said of a lock that others hold", () => {
    const id = "first-steps-2026-11-16-001";
    const owner = {
      pid: 4711,
      startTime: "1",
      bootId: "b",
      namespace: "n",
      host: "harbour",
      nonce: "0".repeat(16),
      since: "2026-11-16T08:00:00.000Z",
      purpose: `changing ${id}`,
    };
    for (const seen of [
      { nonce: owner.nonce, owner },
      { nonce: "x", owner: undefined },
    ]) {
      const { message, options } = lockBusy(`${id}.lock`, seen, 30_000);
      expect(text).toContain(`\`\`\`text\n${message}\n${options.remediation}\n\`\`\``);
    }
  });

  it("has every reason for which evidence is missing", () => {
    const [, union = ""] =
      /readonly reason: ([^;]*);/.exec(
        readPage("packages/foundry/src/specs/model/evidence/require-evidence.ts"),
      ) ?? [];
    const reasons = [...union.matchAll(/"(\w+)"/g)].map(([, reason]) => reason);
    const rows = tablesUnder(page, "## Evidence is missing")[0] ?? [];
    expect(column(rows, "details.reason").toSorted()).toEqual(reasons.toSorted());
    expect(reasons.length).toBe(4);
  });

  it("has what is said where the disk refuses", () => {
    const [rows = []] = tablesUnder(page, "## A file cannot be written");
    const reasons = ["EACCES", "ENOSPC", "EDQUOT", "EMFILE", "EROFS", "EISDIR", "EBUSY"];
    const said = reasons.map((code) => {
      const failure = toFileError({ code }, "write it", "it") as {
        readonly message: string;
        readonly code: string;
        readonly options: { readonly remediation?: string };
      };
      return {
        "message ends with": failure.message.replace("Cannot write it: ", ""),
        code: failure.code,
        "what to do": failure.options.remediation,
      };
    });
    expect(rows).toEqual(said);
  });

  it("has what is said where the database refuses", () => {
    const [rows = []] = tablesUnder(page, "## Errors of the database");
    const withCode = (code: string) => Object.assign(new Error("as the database says it"), { code });
    const reasons = [
      ...[withCode("ECONNREFUSED"), withCode("57014"), new Error("Query read timeout"), withCode("53300")],
      ...[withCode("40001"), withCode("25006"), withCode("53100"), withCode("53200"), withCode("28P01")],
      ...[withCode("42501"), withCode("3D000"), withCode("42P01"), withCode("26000"), withCode("EPROTO")],
      withCode("XX001"),
    ];
    const said = reasons.map((reason) => {
      const { message, code, remediation, options } = toDatabaseError(reason, "do it") as ContractError;
      const { retry_after_seconds: seconds = "none" } = options.data as {
        readonly retry_after_seconds?: number;
      };
      return {
        "message ends with": message.replace("Cannot do it: ", ""),
        code,
        seconds: String(seconds),
        "what to do": remediation,
      };
    });
    expect(rows).toEqual(said);
  });

  it("has the warning of an answer that was reduced", async () => {
    const place = new PageRun("reduced");
    const init = {
      kind: "sh",
      title: "",
      name: "",
      output: undefined,
      code: "foundry-cli init --yes",
    } as const;
    const { data } = JSON.parse(await place.run(init)) as {
      readonly data: { readonly created: readonly string[] };
    };
    const [id = ""] = data.created.flatMap((path) => /([\w-]+)\.json$/.exec(path)?.[1] ?? []);
    const call = { name: "spec", arguments: { action: "get", spec_id: id, max_tokens: 1_000 } };
    const answer = await place.run({ ...init, kind: "call", code: JSON.stringify(call) });
    await place.close();
    const { meta } = JSON.parse(answer) as { readonly meta: { readonly warnings: readonly string[] } };
    const settled = (warning = "") => warning.replace(/^\d+ of \d+/, "0 of 0").replace(/arc_\w+/, "arc_0");
    const [, shown = ""] = /^```text\n(\d+ of \d+ parts left out.*)\n```$/m.exec(text) ?? [];
    expect(settled(shown)).toBe(settled(meta.warnings[0]));
  });
});

interface ToldAction {
  readonly action: string;
  readonly input: { readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
  readonly read_only?: boolean;
}

/** Returns the actions of a tool, as the program prints them. */
async function actionsOf(tool: string): Promise<readonly ToldAction[]> {
  const { stdout } = await run(process.execPath, [foundryCli, "server", "schema", "--tool", tool]);
  return (JSON.parse(stdout) as { readonly data: { readonly actions: readonly ToldAction[] } }).data.actions;
}

const sectionOf = (page: string, heading: string) =>
  readPage(page).split(`\n${heading}\n`)[1]?.split("\n## ")[0] ?? "";

describe("docs/guides/several-agents.md", () => {
  const page = "docs/guides/several-agents.md";
  const takes = (parameter: string) => (action: ToldAction) =>
    Object.hasOwn(action.input.properties ?? {}, parameter);

  it("names every action that takes since", async () => {
    const [, list = ""] =
      /these actions of `task`: ([^.]*)\./.exec(sectionOf(page, "## Read only what is new")) ?? [];
    const named = [...list.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    const taking = (await actionsOf("task")).filter(takes("since")).map(({ action }) => action);
    expect(named.toSorted()).toEqual(taking.toSorted());
    expect((await actionsOf("spec")).filter(takes("since")).map(({ action }) => action)).toEqual(["get"]);
  });

  it("names every change that takes no key", async () => {
    const tools = ["spec", "task", "authoring", "lifecycle", "journal", "verification", "review"];
    const actions = (await Promise.all(tools.map(actionsOf))).flat();
    const isChange = (action: ToldAction) =>
      ["if_revision", "claim_token", "dry_run"].some((name) => takes(name)(action));
    const without = actions.filter((action) => isChange(action) && !takes("idempotency_key")(action));
    const [, list = ""] =
      /take\s+no `idempotency_key`: ([^.]*)\./.exec(sectionOf(page, "## Repeat a call")) ?? [];
    expect(without.map(({ action }) => action).filter((name) => !list.includes(name))).toEqual([]);
    expect(without.length).toBe(3);
  });

  it("has everything that can be waited for", async () => {
    const wait = (await actionsOf("task")).find(({ action }) => action === "wait");
    const [rows = []] = tablesUnder(page, "## Wait");
    expect(column(rows, "for")).toEqual(wait?.input.properties?.["for"]?.enum);
  });
});

describe("docs/guides/evidence.md", () => {
  const page = "docs/guides/evidence.md";

  it("has every field of a record", () => {
    const text = readPage("packages/foundry/src/specs/model/evidence/verification-record.ts");
    const fieldsOf = (name: string) => {
      const [, body = ""] = new RegExp(`interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, "ms").exec(text) ?? [];
      return [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, field]) => field);
    };
    const [rows = []] = tablesUnder(page, "## What is recorded");
    const fields = [...fieldsOf("RunFacts"), ...fieldsOf("VerificationRecord")];
    expect(column(rows, "field").toSorted()).toEqual(fields.toSorted());
    expect(fields.length).toBeGreaterThan(10);
  });

  it("has the variables that a program gets", () => {
    const [, names = ""] =
      /^const inheritedVariables = \[(.*)\];/m.exec(
        readPage("packages/foundry/src/specs/verify/run-program.ts"),
      ) ?? [];
    const section = sectionOf(page, "## Let the server run it");
    expect([...names.matchAll(/"(\w+)"/g)].filter(([, name]) => !section.includes(`\`${name}\``))).toEqual(
      [],
    );
    expect(names).not.toBe("");
  });
});

describe("docs/guides/review.md", () => {
  it("has every field of a record", () => {
    const text = readPage("packages/foundry/src/specs/model/reviews/review-record.ts");
    const [, body = ""] = /interface ReviewRecord \{\n(.*?)^\}/ms.exec(text) ?? [];
    const [rows = []] = tablesUnder("docs/guides/review.md", "## What is recorded");
    expect(column(rows, "field")).toEqual(
      [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, field]) => field),
    );
  });
});

describe("docs/guides/markdown.md", () => {
  it("has every label", async () => {
    const { specFields, phaseFields, taskFields, noteFields } = fields;
    const rows = tablesUnder("docs/guides/markdown.md", "## The format")[1];
    expect(column(rows, "labels")).toEqual(
      [specFields, phaseFields, taskFields, noteFields].map((list) =>
        list.map(({ label }) => label).join(", "),
      ),
    );
  });
});

describe("the blocks for a shell", () => {
  it("are run, on whatever page they stand", () => {
    const others = [
      "docs/guides/hold-your-server-to-the-contract.md",
      "docs/guides/digests.md",
      "docs/guides/research.md",
    ];
    const all = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name.replaceAll("\\", "/")}`);
    const unrun = all.filter(
      (page) => ![...pages, ...others].includes(page) && /^```sh( |$)/m.test(readPage(page)),
    );
    expect(unrun).toEqual([]);
  });
});
