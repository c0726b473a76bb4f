import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCalls } from "./calls-file.ts";
import { type PlannedCall, writeCalls } from "./write-calls.ts";

const book: PlannedCall = {
  name: "berth book",
  tool: "berth",
  arguments: { action: "book", ship: "IMO-1", "to day": [1, 2.5, true], more: { note: 'a "b"' } },
  remarks: ["ship is from an answer of the server.", "two\nlines"],
};
const refused: PlannedCall = { name: "x", tool: "x", arguments: {}, expect: "failure", remarks: [] };

describe("writeCalls", () => {
  it("writes TOML with remarks", () => {
    expect(
      writeCalls([book, refused], "calls.toml"),
    ).toBe(`# Calls for what the check did not see, in the order in which the checker makes them.
# Edit the arguments, remove the calls that must not be made, and run the check on data that may change.
# With expect = "success" or error_code = "…" an answer that differs breaks MCP-20.

# Where a call fails, try other arguments for the same tool and action. Remove this to make the calls as they stand.
search = true

[[calls]]
name = "berth book"
tool = "berth"
# ship is from an answer of the server.
# two lines
arguments = { action = "book", ship = "IMO-1", "to day" = [1, 2.5, true], more = { note = "a \\"b\\"" } }
# expect = "success"

[[calls]]
name = "x"
tool = "x"
arguments = {}
expect = "failure"
`);
  });

  it("writes JSON without remarks where the name says so", () => {
    const { remarks: _, ...bare } = book;
    expect(JSON.parse(writeCalls([book], "calls.JSON"))).toEqual({ search: true, calls: [bare] });
  });

  it("writes what parseCalls reads, whatever the arguments are", () => {
    const scalar = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.integer(), fc.boolean());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        scalar,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.string({ minLength: 1 }), tie("value"), { maxKeys: 3 }),
      ),
    }));
    const args = fc.dictionary(fc.string(), value, { maxKeys: 4 });
    fc.assert(
      fc.property(args, fc.array(fc.string({ unit: "binary" })), (raw, remarks) => {
        // These are the arguments as a server would receive them, without negative zero and other values that JSON
        // cannot represent.
        const sent = JSON.parse(JSON.stringify(raw).toWellFormed()) as Record<string, unknown>;
        for (const file of ["calls.toml", "calls.json"]) {
          const text = writeCalls([{ ...book, arguments: sent, remarks }], file);
          expect(parseCalls(text, { file }).calls).toEqual([
            { name: book.name, tool: book.tool, arguments: sent },
          ]);
        }
      }),
    );
  });
});
