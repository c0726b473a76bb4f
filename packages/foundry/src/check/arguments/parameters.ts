import { isRecord } from "@foundry-mcp/contract";
import { getOwn, resolveRef, toList, type UntrustedSchema } from "../schemas/json-schema.ts";

/** A parameter of a tool. */
export interface Parameter {
  readonly name: string;
  /** The schema of the parameter, with all definitions that it refers to. */
  readonly schema: UntrustedSchema;
  readonly isRequired: boolean;
}

/**
 * The name of the definition that holds a copy of the whole input schema. A parameter whose `$ref` points
 * into the input schema uses the copy.
 */
const rootName = "(input)";
const maxHops = 10;
const known = new WeakMap<object, readonly Parameter[]>();

/**
 * Returns the parameters in a tool's input schema, or an empty list if the input schema is not an object.
 */
export function parametersOf(inputSchema: unknown): readonly Parameter[] {
  if (!isRecord(inputSchema)) return [];
  // The parameters are cached, so that each schema object is compiled only once.
  const before = known.get(inputSchema);
  if (before !== undefined) return before;
  const parameters = toParameters(inputSchema);
  known.set(inputSchema, parameters);
  return parameters;
}

function toParameters(root: UntrustedSchema): readonly Parameter[] {
  const input = followRoot(root);
  const required = new Set(toList(getOwn(input, "required")).filter((name) => typeof name === "string"));
  const found = getOwn(input, "properties");
  const properties = isRecord(found) ? found : {};
  const shared = toRoot(root);
  const parameters = Object.keys(properties)
    // A property whose schema is `false` is never allowed.
    .filter((name) => properties[name] !== false)
    .map((name) => ({
      name,
      schema: standAlone(properties[name], shared),
      isRequired: required.has(name),
    }));
  const undescribed = [...required].filter((name) => !Object.hasOwn(properties, name));
  return [...parameters, ...undescribed.map((name) => ({ name, schema: {}, isRequired: true }))];
}

/**
 * Follows a `$ref` at the root of a schema, because some generators put the whole schema into a definition.
 */
function followRoot(root: UntrustedSchema): UntrustedSchema {
  let input = root;
  for (let hop = 0; hop < maxHops && !Object.hasOwn(input, "properties"); hop++) {
    const next = resolveRef(getOwn(input, "$ref"), root);
    if (!isRecord(next)) break;
    input = next;
  }
  return input;
}

/**
 * Returns the schema of one parameter together with the `$schema` and the definitions of the input schema.
 */
function standAlone(property: unknown, { draft, definitions }: Root): UntrustedSchema {
  const schema = isRecord(property) ? property : {};
  const text = toJson(schema, toInner);
  if (text === undefined || !/"\$(dynamicR|r)ef":/.test(text)) return { ...draft, ...schema };
  return { ...draft, ...(JSON.parse(text) as UntrustedSchema), ...definitions() };
}

interface Root {
  readonly draft: UntrustedSchema;
  /**
   * Returns the definitions of the input schema. The definitions are created once, when a parameter with a
   * `$ref` needs them.
   */
  definitions(): UntrustedSchema;
}

function toRoot(root: UntrustedSchema): Root {
  let made: UntrustedSchema | undefined;
  return {
    draft: Object.hasOwn(root, "$schema") ? { $schema: root["$schema"] } : {},
    definitions: () => {
      made ??= toDefinitions(root);
      return made;
    },
  };
}

function toDefinitions(root: UntrustedSchema): UntrustedSchema {
  const text = toJson(root, toInner);
  if (text === undefined) return {};
  const { $defs, definitions, $id: _, $schema: __, ...rest } = JSON.parse(text) as UntrustedSchema;
  const whole = text.includes(`"#/$defs/${rootName}`) ? { [rootName]: rest } : {};
  return {
    $defs: { ...(isRecord($defs) ? $defs : {}), ...whole },
    ...(isRecord(definitions) ? { definitions } : {}),
  };
}

/** Redirects a `$ref` to the copy of the input schema, unless the `$ref` points to a definition. */
function toInner(key: string, value: unknown): unknown {
  if (key !== "$ref" || typeof value !== "string" || !value.startsWith("#")) return value;
  if (value !== "#" && !value.startsWith("#/")) return value;
  return /^#\/(\$defs|definitions)\//.test(value) ? value : `#/$defs/${rootName}${value.slice(1)}`;
}

function toJson(value: unknown, replacer: (key: string, value: unknown) => unknown): string | undefined {
  try {
    return JSON.stringify(value, replacer);
  } catch {
    return undefined;
  }
}
