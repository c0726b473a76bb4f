import { onTool } from "./definition-changes.ts";
import { toWords } from "./handbook.ts";
import type { Json } from "./rpc.ts";
import { defineFault, type Fault, type Faults } from "./zoo-entry.ts";

/** Renames the tool echo. The tool can be called by the new name. */
function renameEcho(name: string): Fault {
  return defineFault({
    tools: (tools) => tools.map((tool) => (tool.name === "echo" ? { ...tool, name } : tool)),
  });
}

const outputOfEcho = (outputSchema: Json) =>
  onTool("echo", (definition) => ({ ...definition, outputSchema }));

const envelopeOf = (data: Json, error: Json): Json => ({
  type: "object",
  properties: { success: { type: "boolean" }, data, error, meta: { type: "object" } },
  required: ["success", "data", "error", "meta"],
});

const payloadOf = (text: Json): Json => ({ type: "object", properties: { text }, required: ["text"] });

/** Faults in the answer to `tools/list`. */
export const definitionFaults: Faults = {
  "name-with-space": renameEcho("get note"),
  "name-twice": defineFault({
    definitions: (definitions) => [...definitions, ...definitions.filter(({ name }) => name === "echo")],
  }),
  "name-with-dot": renameEcho("notes.get"),
  "name-too-long": renameEcho("e".repeat(65)),
  "no-description": defineFault({ definitions: onTool("echo", ({ description: _, ...rest }) => rest) }),
  "input-not-object": defineFault({
    definitions: onTool("echo", (definition) => ({ ...definition, inputSchema: { type: "string" } })),
  }),
  "input-not-schema": defineFault({
    definitions: onTool("echo", (definition) => ({
      ...definition,
      inputSchema: {
        type: "object",
        properties: { text: { type: "text" }, times: { type: "integer", minimum: 1, maximum: 5 } },
        required: ["text"],
      },
    })),
  }),
  "input-choice": defineFault({
    definitions: onTool("note", (definition) => ({
      ...definition,
      inputSchema: {
        ...(definition["inputSchema"] as Json),
        oneOf: [
          { properties: { action: { const: "list" } } },
          { properties: { action: { const: "get" } }, required: ["note_id"] },
        ],
      },
    })),
  }),
  "no-output-schema": defineFault({ definitions: onTool("echo", ({ outputSchema: _, ...rest }) => rest) }),
  "success-only-schema": defineFault({
    definitions: outputOfEcho(envelopeOf(payloadOf({ type: "string" }), { type: "null" })),
  }),
  "schema-lie": defineFault({
    definitions: outputOfEcho({
      type: "object",
      anyOf: [
        envelopeOf(payloadOf({ type: "number" }), { type: "null" }),
        envelopeOf({ type: "object" }, { type: "string" }),
      ],
    }),
  }),
  "huge-definition": defineFault({
    definitions: onTool("echo", (definition) => ({ ...definition, description: toWords(3000) })),
  }),
  "no-hints": defineFault({ definitions: onTool("echo", ({ annotations: _, ...rest }) => rest) }),
};
