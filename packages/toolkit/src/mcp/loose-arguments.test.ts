import { describe, expect, it } from "vitest";
import { loosenArguments, readLooseArguments } from "./loose-arguments.ts";

const call = (params: unknown) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params });

describe("arguments that are no object", () => {
  it.each([null, [1], "x", 7, false])("are moved past the SDK and read again: %j", (given) => {
    const message = loosenArguments(call({ name: "t", arguments: given, _meta: { a: 1 } }));
    expect(message).toEqual(call({ name: "t", _meta: { a: 1, "foundry-mcp/arguments": given } }));
    const { params } = message as { params: { arguments?: unknown; _meta: Record<string, unknown> } };
    expect(readLooseArguments(params.arguments, params._meta)).toEqual(given);
  });

  it.each([
    call({ name: "t", arguments: { a: 1 } }),
    call({ name: "t" }),
    call({ name: "t", arguments: 7, _meta: "no object" }),
    call(null),
    { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { arguments: 7 } },
    "no message",
    null,
  ])("are moved, and no other message is changed: %j", (message) => {
    expect(loosenArguments(message)).toBe(message);
  });

  it("are moved in a batch too", () => {
    expect(loosenArguments([call({ name: "t", arguments: null })])).toEqual([
      call({ name: "t", _meta: { "foundry-mcp/arguments": null } }),
    ]);
  });
});
