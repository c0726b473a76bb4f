import { parse, TomlDate, TomlError } from "smol-toml";
import { toSyntaxError } from "../../servers/parse-json.ts";
import { toFileError, toPlaceName } from "../../servers/schema-problems.ts";

/** Reads TOML into what JSON can hold: dates become texts, and numbers that JSON lacks are refused. */
export function parseToml(text: string, origin: string): unknown {
  const root = { whole: parseTable(text, origin) };
  // A list of what is left to do, not recursion: dotted keys nest as deep as they are long.
  const tasks: { readonly holder: object; readonly path: readonly PropertyKey[] }[] = [
    { holder: root, path: [] },
  ];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { holder, path } = task;
    for (const [key, value] of Object.entries(holder) as readonly [string, unknown][]) {
      const place = holder === root ? [] : [...path, Array.isArray(holder) ? Number(key) : key];
      if (value instanceof TomlDate) Reflect.set(holder, key, value.toISOString());
      else if (typeof value === "number" && !Number.isFinite(value)) throw noNumber(origin, place, value);
      else if (typeof value === "object" && value !== null) tasks.push({ holder: value, path: place });
    }
  }
  return root.whole;
}

function parseTable(text: string, origin: string): object {
  try {
    return parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw toSyntaxError("TOML", origin, error);
  }
}

function noNumber(origin: string, path: readonly PropertyKey[], value: number): Error {
  const field = toPlaceName(path);
  const message = `${field} is ${value}, which no call can send`;
  return toFileError(origin, [{ field, constraint: "finite", message }]);
}
