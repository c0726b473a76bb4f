import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { reserveStdout } from "./serve-stdio.ts";

const textOf = (stream: PassThrough) => String(stream.read() ?? "");

describe("reserved stdout", () => {
  it("carries only the protocol until it is released", () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const { protocol, release } = reserveStdout(stdout, stderr);
    protocol.write("protocol\n");
    stdout.write("stray\n");
    expect([textOf(stdout), textOf(stderr)]).toEqual(["protocol\n", "stray\n"]);
    release();
    stdout.write("mine again\n");
    expect([textOf(stdout), textOf(stderr)]).toEqual(["mine again\n", ""]);
  });

  it("cannot be reserved twice", () => {
    const stdout = new PassThrough();
    const { release } = reserveStdout(stdout, new PassThrough());
    expect(() => reserveStdout(stdout, new PassThrough())).toThrow(/another server of this process does/);
    release();
    reserveStdout(stdout, new PassThrough()).release();
  });

  it("shares the events of the stream", () => {
    const stdout = new PassThrough();
    const { protocol } = reserveStdout(stdout, new PassThrough());
    let errors = 0;
    protocol.on("error", () => {
      errors += 1;
    });
    stdout.emit("error", new Error("pipe closed"));
    expect(errors).toBe(1);
  });
});
