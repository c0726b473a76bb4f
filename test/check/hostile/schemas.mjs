import { answerNote, note, serve, success, toResult, write } from "./serve.mjs";

const withInput = (properties, more = {}) => ({
  ...note,
  inputSchema: { type: "object", properties, required: Object.keys(properties).slice(0, 5), ...more },
});

const levels = 100_000;
/** What stands before and after each level of a deep schema. */
const nestings = {
  properties: ['{"type":"object","properties":{"a":', "}}"],
  items: ['{"type":"object","items":', "}"],
  draft4: ['{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","items":', "}"],
  choices: ['{"type":"object","anyOf":[', "]}"],
  values: ['{"type":"object","default":', "}"],
  lists: ['{"type":"object","enum":[', "]}"],
};

/** A definition as text, with a schema so deep that it cannot be written by JSON.stringify. */
function deepDefinition(name) {
  const [before, after] = nestings[name];
  const schema = `${before.repeat(levels)}{}${after.repeat(levels)}`;
  return JSON.stringify({ ...note, name, inputSchema: 0, outputSchema: 0 })
    .replace('"inputSchema":0', `"inputSchema":${schema}`)
    .replace('"outputSchema":0', `"outputSchema":${schema}`);
}

/** A schema whose definitions refer to each other in one chain, as long as schemas that are compiled (1 MB) can be. */
function chainedSchema() {
  const links = 25_000;
  const chain = Array.from({ length: links }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]);
  const $defs = Object.fromEntries([...chain, [`d${links}`, { type: "string" }]]);
  return { type: "object", properties: { id: { $ref: "#/$defs/d0" } }, $defs };
}

const evil = "^(a+)+$";

/** Servers that lie about their schemas. */
export const schemas = {
  "evil-pattern": () =>
    serve({
      tools: [
        { ...withInput({ id: { type: "string", pattern: evil, minLength: 40 } }), outputSchema: patterned },
      ],
      call: ({ _meta: meta }) =>
        toResult(success({ text: `${"a".repeat(60)}!` }, meta?.["foundry-mcp/request_id"])),
    }),
  "large-schema": () =>
    serve({ tools: [withInput({ id: { type: "string", description: "word ".repeat(200_000) } })] }),
  "many-properties": () => {
    const names = Array.from({ length: 5_000 }, (_, index) => [
      `p${index}`,
      { type: "string", minLength: index % 9 },
    ]);
    serve({ tools: [withInput(Object.fromEntries(names))] });
  },
  "all-required": () => {
    const names = Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { type: "string" }]);
    const properties = Object.fromEntries(names);
    serve({ tools: [withInput(properties, { required: Object.keys(properties) })] });
  },
  "deep-schema": () => {
    const tools = Object.keys(nestings).map(deepDefinition).join(",");
    const on = {
      "tools/list": ({ id }) =>
        void write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[${tools}]}}\n`),
    };
    serve({ on, call: (params) => answerNote({ ...params, name: params.name in nestings ? "note" : "" }) });
  },
  "chained-schema": () => {
    const schema = chainedSchema();
    serve({ tools: [{ ...note, inputSchema: schema, outputSchema: schema }] });
  },
  // No envelope, so that all answers are judged at the end.
  "evil-patterns": () =>
    serve({
      tools: Array.from({ length: 50 }, (_, index) => ({
        ...note,
        name: `note${index}`,
        outputSchema: { type: "object", properties: { text: { type: "string", pattern: evil } } },
      })),
      call: () => ({ content: [], structuredContent: { text: `${"a".repeat(60)}!` } }),
    }),
  "reference-circle": () =>
    serve({
      tools: [
        { ...note, inputSchema: { $ref: "#", type: "object" } },
        withInput(
          { id: { $ref: "#/$defs/a" } },
          { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
        ),
        withInput(
          { id: { $ref: "#/$defs/tree" } },
          {
            $defs: {
              tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" } }, required: ["next"] },
            },
          },
        ),
        { ...note, outputSchema: { $ref: "#" } },
        { ...note, outputSchema: { type: "object", $ref: "https://127.0.0.1:9/none.json" } },
      ],
    }),
  "no-values": () =>
    serve({
      tools: [
        withInput({ id: { type: "string", minLength: 1e9 } }),
        withInput({ id: { type: "array", minItems: 1e9, items: { type: "string" } } }),
        withInput({ id: { type: "number", multipleOf: 1e-300, minimum: 5, maximum: 4 } }),
        withInput({ id: { type: "string", pattern: "^(a{1000}){1000}$" } }),
        withInput({ id: { not: {} } }),
        withInput({ id: { enum: [] } }),
      ],
    }),
  "schema-lie": () =>
    serve({
      tools: [
        {
          ...note,
          outputSchema: { type: "object", properties: { success: { const: true } }, required: ["rows"] },
        },
      ],
    }),
};

const patterned = {
  type: "object",
  properties: { data: { type: "object", properties: { text: { type: "string", pattern: evil } } } },
};
