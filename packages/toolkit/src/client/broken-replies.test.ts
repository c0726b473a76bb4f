import { describe, expect, it } from "vitest";
import { BrokenReplies } from "./broken-replies.ts";

const reply = (text: string, method = "tools/call") => {
  const replies = new BrokenReplies();
  replies.expect({ jsonrpc: "2.0", id: 7, method });
  return replies.toFailure(text) as
    | { readonly id?: unknown; readonly error?: { readonly data: unknown } }
    | undefined;
};
const notMcp = "The server answered something that is no MCP message";

describe("a reply that is no message", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":null}', "its result is null"],
    ['{"jsonrpc":"2.0","id":7,"result":[1]}', "its result is a list"],
    ['{"jsonrpc":"2.0","id":7,"result":5}', "its result is a number"],
    ['{"jsonrpc":"2.0","id":7,"error":"boom"}', "its error is a string"],
    ['{"jsonrpc":"2.0","id":7,"error":{"text":"boom"}}', "its error is an object of another form"],
    ['{"jsonrpc":"2.0","id":7}', "it is no JSON-RPC reply"],
    ['{"jsonrpc":"2.0","id":7,"result":{"n":NaN}}', "it is not JSON"],
    [`{"jsonrpc":"2.0","result":{"n":NaN,"t":"${"x".repeat(5_000)}"},"id":7}`, "it is not JSON"],
  ])("ends its request: %.60s", (line, why) => {
    expect(reply(line)).toMatchObject({
      id: 7,
      error: {
        data: {
          success: false,
          error: `${notMcp}: ${why}`,
          data: { error_code: "UPSTREAM_ERROR", details: { may_have_run: true } },
        },
      },
    });
  });

  it.each([
    '{"jsonrpc":"2.0","id":8,"result":null}',
    '{"jsonrpc":"2.0","id":"7","result":null}',
    '{"jsonrpc":"2.0","id":7,"method":5}',
    '{"jsonrpc":"2.0","id":7,"method":"x","params":{"n":NaN}}',
    'log: {"id":7} was called',
    "[1,2",
    "null",
  ])("of no request ends none: %s", (line) => {
    expect(reply(line)).toBeUndefined();
  });

  it("ends its request once, and none that was answered or cancelled", () => {
    const line = '{"jsonrpc":"2.0","id":7,"result":null}';
    const replies = new BrokenReplies();
    const send = () => replies.expect({ jsonrpc: "2.0", id: 7, method: "tools/list" });
    send();
    expect(replies.toFailure(line)).toMatchObject({
      error: { data: { data: { error_code: "UPSTREAM_ERROR" } } },
    });
    expect(replies.toFailure(line)).toBeUndefined();
    send();
    replies.settle({ jsonrpc: "2.0", id: 7, result: {} });
    expect(replies.toFailure(line)).toBeUndefined();
    send();
    replies.expect({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    expect(replies.toFailure(line)).toBeUndefined();
  });
});
