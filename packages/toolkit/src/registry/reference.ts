import type { PreparedAction, PreparedTool } from "../catalogue/prepared-tool.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { toInputJsonSchema } from "../schema/schema.ts";
import type { Registry } from "./registry.ts";

/** Writes the reference of a server's tools as Markdown: parameters, fields and hints of each action. */
export function toReference(registry: Registry): string {
  return registry.tools.map(describeTool).join("\n");
}

function describeTool(tool: PreparedTool): string {
  const aliases =
    tool.aliases === undefined ? "" : ` The tool is also known as ${tool.aliases.map(code).join(", ")}.`;
  const head = [
    `## ${tool.name}`,
    "",
    `${sentence(tool.description)} The version is ${tool.version}.${aliases}`,
    "",
  ];
  return [...head, ...[...tool.actions.values()].flatMap((action) => describeAction(tool, action))].join(
    "\n",
  );
}

function describeAction(tool: PreparedTool, action: PreparedAction): readonly string[] {
  const { definition, hints, input, output } = action;
  const hintTexts = Object.entries(hints).flatMap(([hint, holds]) => (holds ? [words[hint] ?? hint] : []));
  const also = definition.aliases ?? [];
  const subject = tool.isPlain ? "The tool" : "The action";
  const facts = [
    definition.description === undefined ? "" : sentence(definition.description),
    hintTexts.length === 0 ? "" : `${subject} ${hintLists.format(hintTexts)}.`,
    also.length === 0 ? "" : `${subject} is also known as ${also.map(code).join(", ")}.`,
    ...describeNeeds(subject, tool, action),
  ].filter((fact) => fact !== "");
  return [
    ...(tool.isPlain ? [] : [`### ${action.label}`, ""]),
    ...(facts.length === 0 ? [] : [facts.join(" "), ""]),
    ...describeParameters(action),
    ...(output === undefined
      ? []
      : ["Fields of the answer:", "", ...describeMembers(toInputJsonSchema(output), "field"), ""]),
    ...(definition.examples ?? []).flatMap(({ title, args }) => [
      `${title}: \`${JSON.stringify(tool.isPlain ? args : { action: action.name, ...args })}\``,
      "",
    ]),
    ...(input.isOpen ? ["The action also accepts parameters with other names.", ""] : []),
  ];
}

function describeNeeds(
  subject: string,
  tool: PreparedTool,
  { definition }: PreparedAction,
): readonly string[] {
  const { flag = tool.flag, role = tool.role, tier = tool.tier, features = {} } = definition;
  return [
    flag === undefined ? "" : `${subject} needs the feature flag ${code(flag)}.`,
    role === undefined ? "" : `${subject} needs the role ${code(role)}.`,
    tier === undefined ? "" : `${subject} needs the ${tier} tier.`,
    ...Object.entries(features).map(([name, feature]) =>
      feature.below === "omit"
        ? `Below the ${feature.tier} tier, the call continues without ${code(name)}.`
        : `${code(name)} needs the ${feature.tier} tier.`,
    ),
  ];
}

const words: Readonly<Record<string, string>> = {
  readOnly: "changes nothing",
  idempotent: "may be repeated",
  destructive: "may delete or overwrite data",
  openWorld: "uses systems outside the server",
};

const hintLists = new Intl.ListFormat("en-GB", { type: "conjunction" });

function describeParameters({ input, definition }: PreparedAction): readonly string[] {
  if (input.parameters.size === 0) return ["There are no parameters.", ""];
  const aliasEntries = Object.entries(definition.parameterAliases ?? {});
  const aliases = aliasEntries.map(([alias, name]) => `${code(alias)} for ${code(name)}`);
  return [
    "Parameters:",
    "",
    ...describeMembers(input.json, "parameter"),
    "",
    ...(aliases.length === 0 ? [] : [`Old names: ${aliases.join(", ")}.`, ""]),
  ];
}

function describeMembers(json: JsonSchema, kind: string): readonly string[] {
  const required = (json["required"] ?? []) as readonly string[];
  const rows = Object.entries((json["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>).map(
    ([name, property]) => [
      code(name),
      typeOf(property),
      required.includes(name) ? "yes" : "no",
      meaningOf(property),
    ],
  );
  if (rows.length === 0) return ["Any object."];
  return toTable([[kind, "type", "required", "meaning"], ...rows]);
}

function toTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? "")].length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body.map(line)];
}

function typeOf({ type, enum: values, items, anyOf, const: only }: JsonSchema): string {
  if (only !== undefined) return code(JSON.stringify(only));
  if (Array.isArray(values)) return values.map((value) => code(String(value))).join(", ");
  if (type === "array") return `list of ${typeOf((items ?? {}) as JsonSchema)}`;
  if (Array.isArray(anyOf)) return anyOf.map((form) => typeOf(form as JsonSchema)).join(" or ");
  return Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
}

function meaningOf({ description, default: value, minimum, maximum }: JsonSchema): string {
  const range =
    minimum === undefined && maximum === undefined ? "" : `${toBound(minimum, "≥")}${toBound(maximum, "≤")}`;
  const parts = [
    description,
    range.trim(),
    value === undefined ? undefined : `default ${code(JSON.stringify(value))}`,
  ];
  // Escape vertical bars, because a bar would end the table cell.
  return parts
    .filter((part) => part !== undefined && part !== "")
    .join("; ")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");
}

function toBound(bound: unknown, sign: string): string {
  return bound === undefined || Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER
    ? ""
    : `${sign} ${String(bound)} `;
}

/** Adds the full stop that descriptions may lack. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function code(text: string): string {
  return `\`${text}\``;
}
