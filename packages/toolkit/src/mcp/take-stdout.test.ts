import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { takeStdout } from "./take-stdout.ts";

const textOf = (stream: PassThrough) => String(stream.read() ?? "");

describe("stdout that was taken", () => {
  it("carries the protocol alone, until it is given back", () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const { protocol, release } = takeStdout(stdout, stderr);
    protocol.write("protocol\n");
    stdout.write("stray\n");
    expect([textOf(stdout), textOf(stderr)]).toEqual(["protocol\n", "stray\n"]);
    release();
    stdout.write("mine again\n");
    expect([textOf(stdout), textOf(stderr)]).toEqual(["mine again\n", ""]);
  });

  it("cannot be taken twice", () => {
    const stdout = new PassThrough();
    const { release } = takeStdout(stdout, new PassThrough());
    expect(() => takeStdout(stdout, new PassThrough())).toThrow(/another server of this process does/);
    release();
    takeStdout(stdout, new PassThrough()).release();
  });

  it("shares the events of the stream", () => {
    const stdout = new PassThrough();
    const { protocol } = takeStdout(stdout, new PassThrough());
    let heard = 0;
    protocol.on("error", () => {
      heard += 1;
    });
    stdout.emit("error", new Error("pipe closed"));
    expect(heard).toBe(1);
  });
});
