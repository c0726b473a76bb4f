import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEvents, type ServerEvent } from "./parse-events.ts";

async function parse(chunks: readonly Uint8Array[]): Promise<readonly ServerEvent[]> {
  async function* stream() {
    yield* chunks;
  }
  const events: ServerEvent[] = [];
  for await (const event of parseEvents(stream())) events.push(event);
  return events;
}
const text =
  'event: hello\nid: a.0\ndata: {"server_id":"a"}\n\n: keep-alive\n\nevent: change\r\nid: a.1\r\ndata: Grüße\r\ndata: zwei\r\n\r\ndata:alone\r\rignored: x\n\n';
const events: readonly ServerEvent[] = [
  { event: "hello", id: "a.0", data: '{"server_id":"a"}' },
  { event: "change", id: "a.1", data: "Grüße\nzwei" },
  { event: "message", id: undefined, data: "alone" },
];

describe("parseEvents", () => {
  it("reads events, comments and all line endings, however the bytes are split", async () => {
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end));
        expect(await parse(chunks)).toEqual(events);
      }),
    );
  });
});
