import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { define, type Redactor, redactDeep } from "../../servers/redact.ts";

/** Keywords whose values must stay as they are: a mask in them would change what the schema accepts. */
const kept = new Set([
  ...["enum", "const", "required", "dependentRequired", "type", "format", "pattern"],
  ...["$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "$schema"],
]);
/** Keywords whose members have names that the author of the schema chose, so that no name is a keyword. */
const maps = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
/** Keywords whose values are examples of arguments and not schemas. */
const values = new Set(["default", "example", "examples"]);

/** A part of a schema that is not masked yet. */
interface Task {
  readonly given: unknown;
  /** True if the members of `given` have names instead of keywords. */
  readonly isMap: boolean;
  readonly put: (masked: unknown) => void;
}

/** Masks secrets in the texts of a JSON Schema. Names of properties and the values that the schema accepts stay. */
export function maskSchema<T extends UnknownRecord>(schema: T, redact: Redactor): T {
  let root: unknown;
  // A work list is used instead of recursion, because a schema of an untrusted server may nest deeply.
  const tasks: Task[] = [
    {
      given: schema,
      isMap: false,
      put: (masked) => {
        root = masked;
      },
    },
  ];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { given, isMap, put } = task;
    if (Array.isArray(given)) {
      const list: unknown[] = new Array(given.length);
      put(list);
      for (const [index, item] of given.entries())
        tasks.push({ given: item, isMap: false, put: (masked) => define(list, index, masked) });
    } else if (isRecord(given)) {
      const object = {};
      put(object);
      for (const [key, member] of Object.entries(given)) {
        const isKept = !isMap && kept.has(key);
        define(object, key, isKept ? member : undefined);
        if (isKept) continue;
        if (!isMap && values.has(key)) define(object, key, redactDeep(member, redact));
        else
          tasks.push({
            given: member,
            isMap: !isMap && maps.has(key),
            put: (masked) => define(object, key, masked),
          });
      }
    } else put(typeof given === "string" ? redact(given) : given);
  }
  return root as T;
}
