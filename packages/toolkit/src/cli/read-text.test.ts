import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { createTextReader } from "./read-text.ts";
import { UsageError } from "./usage-error.ts";

const folder = mkdtempSync(join(tmpdir(), "read-text-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return `@${join(folder, name)}`;
};
const readerOf = (...chunks: (string | Uint8Array)[]) => createTextReader(() => Readable.from(chunks));

describe("a text of the command line", () => {
  it("is itself, a file, stdin, or a literal @", async () => {
    const read = readerOf("from ", "stdin\n");
    expect(await read("plain", "--text")).toBe("plain");
    expect(await read(write("a.txt", "from a file\n"), "--text")).toBe("from a file\n");
    expect(await read("@@home", "--text")).toBe("@home");
    expect(await read("@@@", "--text")).toBe("@@");
    expect(await read("-", "--text")).toBe("from stdin\n");
  });

  it("keeps characters whole that were divided on the way", async () => {
    const bytes = Buffer.from("語👩‍🚀");
    expect(await readerOf(bytes.subarray(0, 1), bytes.subarray(1, 5), bytes.subarray(5))("-", "--text")).toBe(
      "語👩‍🚀",
    );
  });

  it("does not open stdin unless it is asked for", async () => {
    const read = createTextReader(() => {
      throw new Error("opened");
    });
    expect(await read("plain", "--text")).toBe("plain");
  });

  const refusalOf = async (work: Promise<unknown>) => {
    const thrown: unknown = await work.catch((err: unknown) => err);
    expect(thrown).toBeInstanceOf(UsageError);
    const { message, options } = thrown as UsageError;
    return { message, code: options.errorCode, remediation: options.remediation, details: options.details };
  };

  it("has stdin once", async () => {
    const read = readerOf("x");
    await read("-", "--text");
    expect(await refusalOf(read("-", "--note"))).toEqual({
      message: "Cannot read --note from stdin: --text has taken it",
      code: "VALIDATION_ERROR",
      remediation: "Give - to one option only, and --note its value or @file.",
      details: { field: "--note", constraint: "duplicate" },
    });
  });

  it.each([
    ["nowhere", "there is no such file"],
    ["", "there is no such file"],
    [folder, "it is a folder"],
  ])("cannot be the file %j", async (path, why) => {
    expect(await refusalOf(readerOf()(`@${path}`, "--text"))).toEqual({
      message: `Cannot read the file "${path}" for --text: ${why}`,
      code: "INVALID_PATH",
      remediation: "Name a file that can be read, or write @@ for a text that begins with @ in --text.",
      details: { field: "--text", constraint: "readable", received: path },
    });
  });

  it("is UTF-8 or nothing", async () => {
    const path = write("b.bin", Uint8Array.of(0x66, 0xff, 0xfe));
    const { code, details } = await refusalOf(readerOf()(path, "--text"));
    expect({ code, details }).toEqual({
      code: "INVALID_FORMAT",
      details: { field: "--text", constraint: "format", expected: "UTF-8 text" },
    });
    expect((await refusalOf(readerOf(Uint8Array.of(0xff))("-", "--text"))).code).toBe("INVALID_FORMAT");
  });
});
