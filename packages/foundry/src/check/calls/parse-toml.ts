import { parse, TomlDate, TomlError } from "smol-toml";
import { toSyntaxError } from "../../files/parse-json.ts";
import { toFileError, toPlaceName } from "../../servers/schema-problems.ts";

interface Task {
  readonly value: object;
  readonly key?: PropertyKey;
  readonly within?: Task;
}

/** Reads TOML into what JSON can hold: dates become texts, and numbers that JSON lacks are refused. */
export function parseToml(text: string, origin: string): unknown {
  const root = parseTable(text, origin);
  // A list of what is left to do, not recursion: dotted keys nest as deep as they are long.
  const tasks: Task[] = [{ value: root }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { value: holder } = task;
    for (const [name, value] of Object.entries(holder) as readonly [string, unknown][]) {
      const key = Array.isArray(holder) ? Number(name) : name;
      if (value instanceof TomlDate) Reflect.set(holder, key, value.toISOString());
      else if (typeof value === "number" && !Number.isFinite(value)) {
        throw noNumber(origin, [...pathOf(task), key], value);
      } else if (typeof value === "object" && value !== null) tasks.push({ value, key, within: task });
    }
  }
  return root;
}

function pathOf({ key, within }: Task): readonly PropertyKey[] {
  return key === undefined || within === undefined ? [] : [...pathOf(within), key];
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
