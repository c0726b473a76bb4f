import type { Definition } from "./to-definition.ts";

/** Declares an output schema that admits every object. */
export function admitAnything(definitions: readonly Definition[]): readonly Definition[] {
  return definitions.map((definition) => ({ ...definition, outputSchema: { type: "object" } }));
}

/** Changes the definition of one tool. */
export function onTool(name: string, change: (definition: Definition) => Definition) {
  return (definitions: readonly Definition[]): readonly Definition[] =>
    definitions.map((definition) => (definition.name === name ? change(definition) : definition));
}
