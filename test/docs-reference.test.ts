import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import * as contract from "@foundry-mcp/contract";
import {
  type ContractSchema,
  cancelled,
  conflict,
  dialects,
  duplicateEntry,
  type ErrorEntry,
  envelopeRules,
  envelopeV1Codes,
  errorCatalogue,
  errorResponse,
  errorTypes,
  type FailureOptions,
  featureDisabled,
  fidelityLevels,
  forbidden,
  fromEnvelopeV1,
  fromUnknown,
  internal,
  type MetaOptions,
  notFound,
  rateLimited,
  reservedMetaKeys,
  retryAdvice,
  severities,
  successResponse,
  tiers,
  timedOut,
  toEnvelopeV1,
  toHttpStatus,
  toJsonSchema,
  unauthorized,
  unavailable,
  upgradeRequired,
  warningCatalogue,
} from "@foundry-mcp/contract";
import * as digest from "@foundry-mcp/contract/digest";
import { invalidCursor } from "@foundry-mcp/contract/paging";
import { beforeAll, describe, expect, it } from "vitest";
import { type Row, readPage, tablesUnder, withoutCode } from "./markdown.ts";
import { readSourceFiles, root } from "./source-files.ts";

const run = promisify(execFile);

const docPages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name.replaceAll("\\", "/")}`)
  .sort();
const examplePages = docPages.filter((page) => /^docs\/(start|reference)\//.test(page));
const rootPages = readdirSync(root).filter((name) => name.endsWith(".md"));

/** Returns the rows of all tables under a heading. */
const tableUnder = (page: string, heading: string): Row[] => tablesUnder(page, heading).flat();
const column = (rows: readonly Row[], name: string) => rows.map((row) => row[name]);
const toList = (cell: string | undefined) => (cell ?? "").split(", ").filter((name) => name !== "");

describe("docs/start/contract.md", () => {
  it("names every entry point of the package", () => {
    const { name, exports } = JSON.parse(readPage("packages/contract/package.json")) as {
      name: string;
      exports: Readonly<Record<string, unknown>>;
    };
    const entryPoints = Object.keys(exports).filter((entryPoint) => !entryPoint.endsWith(".json"));
    expect(column(tableUnder("docs/start/contract.md", "## Entry points"), "entry point")).toEqual(
      entryPoints.map((entryPoint) => entryPoint.replace(".", name)),
    );
  });
});

describe("docs/reference/envelope.md", () => {
  const page = "docs/reference/envelope.md";

  it("lists the rules that checkEnvelope knows", () => {
    const rows = tableUnder(page, "## Rules");
    const rules = Object.entries(envelopeRules).map(([rule, entry]) => ({ rule, ...entry }));
    expect(rows.map(({ text: _, ...row }) => row)).toEqual(rules);
    expect(column(rows, "text")).not.toContain("");
  });

  it("lists the reserved keys of meta in their order, with their types", () => {
    const schema = definitionOf("Meta");
    const rows = tableUnder(page, "## Reserved keys of meta");
    expect(column(rows, "key")).toEqual([...reservedMetaKeys]);
    for (const { key = "", type, level } of rows) {
      expect(`${key}: ${type}`).toBe(`${key}: ${describeType(withoutNull(schema.properties?.[key]))}`);
      expect(level === "MUST", key).toBe(schema.required?.includes(key));
      expect(["MUST", "SHOULD", "MAY"]).toContain(level);
    }
  });

  it.each(["WarningDetail", "Pagination", "RateLimit", "Telemetry"])("gives the shape of %s", (name) => {
    const { properties = {}, required = [] } = definitionOf(name);
    expect(tableUnder(page, `### ${name}`)).toEqual(
      Object.entries(properties).map(([key, inner]) => ({
        key,
        required: required.includes(key) ? "yes" : "no",
        type: describeType(inner),
      })),
    );
  });

  it("names every option of the builders", () => {
    // The types make these lists complete. If an option is added or removed, the code does not compile.
    const ofSuccess: Record<keyof MetaOptions, true> = {
      requestId: true,
      warnings: true,
      warningDetails: true,
      rateLimit: true,
      telemetry: true,
      meta: true,
      pagination: true,
      contentFidelity: true,
      droppedContentIds: true,
      contentArchiveHashes: true,
    };
    const ofErrorOnly: Record<Exclude<keyof FailureOptions, keyof MetaOptions>, true> = {
      errorCode: true,
      errorType: true,
      remediation: true,
      remedy: true,
      describeRemedy: true,
      details: true,
      data: true,
      cause: true,
    };
    const options = column(tableUnder(page, "## Builders"), "option");
    expect(options).toEqual([...Object.keys(ofSuccess), ...Object.keys(ofErrorOnly)]);
  });

  it("lists the levels of fidelity", () => {
    expect(column(tableUnder(page, "### Levels"), "level")).toEqual([...fidelityLevels]);
  });

  it("names every schema, in zod and as a file", () => {
    const rows = tableUnder(page, "## Schemas");
    const files = readdirSync(join(root, "packages/contract/schema")).map((file) =>
      file.replace(".json", ""),
    );
    expect(column(rows, "name").sort()).toEqual(files.sort());
    for (const { name, "zod schema": zod = "", "entry point": entryPoint } of rows) {
      const schemas: object = entryPoint === "@foundry-mcp/contract/digest" ? digest : contract;
      const file: unknown = JSON.parse(readPage(`packages/contract/schema/${name}.json`));
      expect(toJsonSchema(schemas[zod as never]), zod).toEqual(file);
    }
  });
});

describe("docs/reference/errors.md", () => {
  const page = "docs/reference/errors.md";

  it("lists the error types", () => {
    const rows = tableUnder(page, "## Types").filter((row) => "type" in row);
    const types = Object.entries(errorTypes).map(([type, { status, retry }]) => ({
      type,
      status: String(status),
      retry,
    }));
    expect(rows.map(({ meaning: _, ...row }) => row)).toEqual(types);
    expect(column(rows, "meaning")).not.toContain("");
  });

  it.each(Object.keys(errorTypes))("lists the codes of type %s", (type) => {
    const rows = tableUnder(page, `### ${type}`);
    const entries = Object.entries<ErrorEntry>(errorCatalogue).filter(([, entry]) => entry.type === type);
    expect(rows.map(({ meaning: _, ...row }) => row)).toEqual(
      entries.map(([code, entry]) => {
        const failure = errorResponse("It failed", { errorCode: code });
        return {
          code,
          status: String(toHttpStatus(failure)),
          retry: retryAdvice(failure),
          "envelope-v1": entry.v1,
          "default remediation": new contract.ContractError("x", entry).remediation,
        };
      }),
    );
    expect(column(rows, "meaning")).not.toContain("");
  });

  it("gives the code of every constructor", () => {
    const made = {
      notFound: notFound("widget", "w"),
      conflict: conflict("No"),
      duplicateEntry: duplicateEntry("spec", "s"),
      unauthorized: unauthorized(),
      forbidden: forbidden("No"),
      featureDisabled: featureDisabled("f"),
      upgradeRequired: upgradeRequired({ feature: "f", tier: "pro" }),
      rateLimited: rateLimited({ limit: 1, resetAt: "2026-01-01T00:00:00Z" }),
      unavailable: unavailable("No"),
      timedOut: timedOut(1),
      cancelled: cancelled(),
      internal: internal(),
      invalidCursor: invalidCursor("no"),
    };
    const [validation, ...rows] = tableUnder(page, "## Constructors");
    expect(validation?.["constructor"]).toMatch(/^validationError\(/);
    expect(rows.map((row) => [row["constructor"]?.replace(/\(.*/, ""), toList(row["code"])[0]])).toEqual(
      Object.entries(made).map(([name, error]) => [name, error.code]),
    );
  });

  it("tells what becomes of anything thrown", () => {
    for (const { "code or name": names, code, message } of tableUnder(page, "## Thrown values")) {
      for (const name of toList(names)) {
        for (const thrown of [{ code: name }, { name }, { cause: { code: name } }]) {
          const { data, error } = fromUnknown(thrown);
          expect([name, data.error_code, error]).toEqual([name, code, message]);
        }
      }
    }
  });
});

describe("docs/reference/warnings.md", () => {
  const page = "docs/reference/warnings.md";

  it("lists the severities", () => {
    expect(column(tableUnder(page, "## Severities"), "severity")).toEqual([...severities]);
  });

  it("lists the codes", () => {
    const rows = tableUnder(page, "## Codes");
    expect(rows.map(({ code, severity }) => [code, severity])).toEqual(Object.entries(warningCatalogue));
    expect(column(rows, "meaning")).not.toContain("");
  });

  it('says "for server authors" of exactly those that no code of the package produces', () => {
    const sources = readSourceFiles().filter((file) => file.package === "contract" && !file.isTest);
    const code = sources.map(({ path }) => readPage(path)).join("\n");
    const produced = [...code.matchAll(/\bwarning\(\s*"([A-Z_]+)"/g)].map(([, name]) => name);
    for (const row of tableUnder(page, "## Codes")) {
      expect(row["produced by"] !== "for server authors", row["code"]).toBe(produced.includes(row["code"]));
    }
  });
});

describe("docs/reference/digest.md", () => {
  it.each([
    ["## Fields", "DigestPayload"],
    ["### EvidenceSnippet", "EvidenceSnippet"],
  ])("gives under %s the fields of %s", (heading, name) => {
    const { properties = {}, required = [] } = definitionOf(name);
    expect(tableUnder("docs/reference/digest.md", heading)).toEqual(
      Object.entries(properties).map(([field, inner]) => ({
        field,
        type: describeType({
          ...(inner.type === undefined ? inner : { type: inner.type }),
          ...itemsOf(inner),
        }),
        constraint: describeConstraint(inner),
        default: required.includes(field) ? "required" : JSON.stringify((inner as Defaulted).default),
      })),
    );
  });
});

describe("docs/reference/dialects.md", () => {
  const page = "docs/reference/dialects.md";

  it("lists the dialects and the tiers", () => {
    const [first] = readPage(page).split("\n## ");
    for (const dialect of dialects) expect(first).toContain(`| \`${dialect}\` |`);
    expect(readPage(page)).toContain(
      `The tiers are, lowest first: ${tiers.map((tier) => `\`${tier}\``).join(", ")}.`,
    );
  });

  it("maps every code, both ways", () => {
    const bare = toEnvelopeV1(successResponse());
    expect(tableUnder(page, "## Codes")).toEqual(
      envelopeV1Codes.map((v1) => {
        const error = { error: "It failed", error_code: v1, error_details: null };
        const sentFor = Object.entries(errorCatalogue).filter(([, entry]) => entry.v1 === v1);
        return {
          "envelope-v1": v1,
          "read as": fromEnvelopeV1({ ...bare, error }).data["error_code" as never],
          "sent for": sentFor.map(([code]) => code).join(", "),
        };
      }),
    );
  });
});

type Defaulted = ContractSchema & { readonly default?: unknown };

/** Returns a named shape of the contract's schemas. */
function definitionOf(name: string): ContractSchema {
  const printed = [contract.envelopeSchema, digest.digestPayloadSchema].map(toJsonSchema);
  const found = printed.map((schema) => schema.$defs?.[name]).find(Boolean);
  if (found === undefined) throw new Error(`No schema defines ${name}`);
  return found;
}

function itemsOf({ items }: ContractSchema): Pick<ContractSchema, "items"> {
  return items === undefined ? {} : { items: items.$ref === undefined ? { type: items.type ?? "" } : items };
}

/** Returns a schema without null. The docs state in one place that null is tolerated. */
function withoutNull(schema: ContractSchema = {}): ContractSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return others.length === 1 && others[0] !== undefined ? others[0] : schema;
}

/** Returns the type of a schema in the words of the docs. */
function describeType(schema: ContractSchema = {}): string {
  const { $ref, type, enum: values, pattern, items, minimum, additionalProperties: rest } = schema;
  if ($ref !== undefined) return $ref.replace("#/$defs/", "");
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeType).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(", ");
  if (type === "array") return `${describeType(items)}[]`;
  if (Array.isArray(type)) return type.join(" or ");
  // Only zod's pattern for points in time has more than 100 characters.
  if (pattern !== undefined) return pattern.length > 100 ? "ISO 8601 time" : `${type} matching ${pattern}`;
  if (type === "object" && typeof rest === "object" && rest.type !== undefined)
    return `object of ${describeType(rest).replace("string", "strings")}`;
  return minimum === undefined ? String(type) : `${type} from ${minimum}`;
}

/** Returns the constraints of a schema besides its type, in the words of the docs. */
function describeConstraint({
  pattern,
  maxLength,
  maxItems,
  minimum,
  maximum,
  items,
}: ContractSchema): string {
  const inner = items?.maxLength === undefined ? "" : `; each ${describeConstraint(items)}`;
  if (pattern !== undefined) return `matches ${pattern}`;
  if (maxLength !== undefined) return `at most ${maxLength} characters`;
  if (maxItems !== undefined) return `at most ${maxItems} items${inner}`;
  if (minimum === undefined) return "";
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? `from ${minimum}`
    : `from ${minimum} to ${maximum}`;
}

/** A `ts` block of a page, with the output that the next block shows. */
interface Example {
  readonly name: string;
  readonly code: string;
  readonly kind: "json" | "text";
  readonly output: string;
}

/**
 * Returns every `ts` block of the pages. Each block must run, and its output must be in a `text` or `json` block
 * right after it.
 */
function readExamples(page: string): Example[] {
  const text = readPage(page);
  const blocks = text.matchAll(/^```ts\n(.*?)^```\n(?:\n```(text|json)\n(.*?)^```\n)?/gms);
  return [...blocks].map(([, code = "", kind, output = ""], index) => {
    const slug = page.replace(/^docs\/|\.md$/g, "").replaceAll("/", "-");
    return { name: `${slug}-${index + 1}`, code, kind: kind === "json" ? "json" : "text", output };
  });
}

/** Runs every example in one process, and returns the output of each example. */
const runner = `
import { format } from "node:util";
const printed = {};
for (const name of process.argv.slice(2)) {
  printed[name] = "";
  console.log = (...values) => { printed[name] += format(...values) + "\\n"; };
  await import(\`./\${name}.mjs\`).catch((thrown) => { printed[name] += thrown.stack; });
}
process.stdout.write(JSON.stringify(printed));
`;

describe("the examples in docs/start and docs/reference", () => {
  const examples = examplePages.flatMap(readExamples);
  // The folder is inside the repository, so that the package is found as in any project.
  const folder = join(root, ".build/docs-examples");
  let printed: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, code } of examples) {
      writeFileSync(join(folder, `${name}.mts`), code);
      writeFileSync(join(folder, `${name}.mjs`), code);
    }
    writeFileSync(join(folder, "run.mjs"), runner);
    const names = examples.map(({ name }) => name);
    printed = JSON.parse((await run(process.execPath, [join(folder, "run.mjs"), ...names])).stdout);
  });

  it.each(examples)("$name prints what the page says", ({ name, kind, output }) => {
    if (kind === "text") expect(printed[name]).toBe(output);
    // The page shows JSON with indentation. The order of keys must be the same.
    else expect(toMinified(printed[name])).toBe(toMinified(output));
  });

  it("have the types that they need", async () => {
    const options = {
      noEmit: true,
      composite: false,
      types: ["node"],
      rewriteRelativeImportExtensions: false,
    };
    const config = { extends: "../../tsconfig.base.json", compilerOptions: options, include: ["*.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const told = await run(process.execPath, [tsc, "-p", folder]).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(told.stdout).toBe("");
  });

  it("are all found: no block of code has another mark", () => {
    const fences = examplePages.flatMap(
      (page) => readPage(page).match(/^```(?:ts|js|typescript|javascript)\b.*$/gm) ?? [],
    );
    expect(fences).toEqual(examples.map(() => "```ts"));
  });
});

function toMinified(json = ""): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

describe("the links in docs/ and at the root", () => {
  it.each([...rootPages, ...docPages])("of %s lead somewhere", (page) => {
    const links = [...withoutCode(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) => !/^[a-z]+:/.test(link)).filter((link) => !leadsSomewhere(page, link));
    expect(dead).toEqual([]);
  });

  it("of docs/README.md name every page", () => {
    const links = [...readPage("docs/README.md").matchAll(/\]\(([^)#\s]+)/g)].map(
      ([, link]) => `docs/${link}`,
    );
    expect(docPages.filter((page) => page !== "docs/README.md" && !links.includes(page))).toEqual([]);
  });
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : relative(root, resolve(root, dirname(page), path));
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).includes(anchor);
}

/** Returns the anchors of a page's headings, as GitHub creates them. */
function anchorsOf(page: string): string[] {
  const headings = withoutCode(readPage(page)).match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
