import { describe, expect, it } from "vitest";
import { LineWriter } from "./line-writer.ts";

const open = () => {
  const writes: string[] = [];
  const writer = new LineWriter(async (lines) => {
    writes.push(lines);
  });
  return { writer, writes };
};

describe("LineWriter", () => {
  it("writes the messages of one turn at once, in their order", async () => {
    const { writer, writes } = open();
    await Promise.all([writer.send({ id: 1 }), writer.send({ id: 2 })]);
    await writer.send({ id: 3 });
    expect(writes).toEqual(['{"id":1}\n{"id":2}\n', '{"id":3}\n']);
  });

  it("writes what waits when it is told to, and nothing twice", async () => {
    const { writer, writes } = open();
    const sent = writer.send({ id: 1 });
    writer.flush();
    writer.flush();
    expect(writes).toEqual(['{"id":1}\n']);
    await sent;
    expect(writes).toEqual(['{"id":1}\n']);
  });

  it("does not wait for more after a long message", async () => {
    const { writer, writes } = open();
    const text = "x".repeat(70_000);
    const sent = writer.send({ text });
    expect(writes).toEqual([`${JSON.stringify({ text })}\n`]);
    await sent;
    await writer.send({ id: 2 });
    expect(writes).toEqual([`${JSON.stringify({ text })}\n`, '{"id":2}\n']);
  });

  it("rejects every message of a write that failed", async () => {
    const writer = new LineWriter(async () => {
      throw new Error("EPIPE");
    });
    const outcomes = await Promise.allSettled([writer.send({ id: 1 }), writer.send({ id: 2 })]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
