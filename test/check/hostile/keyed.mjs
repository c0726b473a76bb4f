// Not hostile, but hard to please: its one tool wants an id that nobody could guess.
import { failure, note, serve, success, toResult } from "./serve.mjs";

const inputSchema = { ...note.inputSchema, properties: { id: { type: "string" } } };
serve({
  tools: [{ ...note, inputSchema }],
  call: ({ name, arguments: args = {}, _meta: meta }) => {
    const requestId = meta?.["foundry-mcp/request_id"];
    if (name !== "note") return undefined;
    const isGood = args.id === "k-7f3a" && Object.keys(args).length === 1;
    return toResult(isGood ? success({ text: "Hello" }, requestId) : failure("Bad id", requestId));
  },
});
