import { isTooDeep, tooDeep } from "@foundry-mcp/contract/input";
import { parse, TomlDate, TomlError } from "smol-toml";
import { toSyntaxError } from "../../files/parse-json.ts";
import { toConfigError, toFieldPath } from "../../servers/config-errors.ts";

interface Node {
  readonly value: object;
  readonly key?: PropertyKey;
  readonly parent?: Node;
}

/** Parses TOML to JSON values. Dates become texts, and NaN and infinity are rejected. */
export function parseToml(text: string, origin: string): unknown {
  const root = parseTable(text, origin);
  if (isTooDeep(root)) throw tooDeep({ source: origin });
  const nodes: Node[] = [{ value: root }];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const { value: container } = node;
    for (const [name, value] of Object.entries(container) as readonly [string, unknown][]) {
      const key = Array.isArray(container) ? Number(name) : name;
      if (value instanceof TomlDate) Reflect.set(container, key, value.toISOString());
      else if (typeof value === "number" && !Number.isFinite(value)) {
        throw nonFiniteError(origin, [...pathOf(node), key], value);
      } else if (typeof value === "object" && value !== null) nodes.push({ value, key, parent: node });
    }
  }
  return root;
}

function pathOf(node: Node): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (let at: Node | undefined = node; at?.key !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}

function parseTable(text: string, origin: string): object {
  try {
    return parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    if (error.message.includes("excessively nested")) throw tooDeep({ source: origin });
    throw toSyntaxError("TOML", origin, error);
  }
}

function nonFiniteError(origin: string, path: readonly PropertyKey[], value: number): Error {
  const field = toFieldPath(path);
  const message = `${field} is ${value}, which no call can send`;
  return toConfigError(origin, [{ field, constraint: "finite", message }]);
}
