import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdtemp, rename, rm, symlink, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContractError } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFlags } from "./open-flags.ts";

let folder: string;
let file: string;
let now: number;
let errors: ContractError[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "flags-"));
  file = join(folder, "flags.json");
  now = Date.parse("2027-01-01");
  errors = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const withDefault = (value: boolean) => JSON.stringify({ flags: { f: { default: value } } });
const open = () => openFlags({ file, now: () => now, onError: (error) => errors.push(error) });
const codes = () => errors.map(({ code }) => code);

/** Advances the clock by a second, so that the file is checked again. */
const wait = () => {
  now += 1_000;
};

describe("a flag file that changes", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("deaf");
      },
    ],
    ["rejects", () => Promise.reject(new Error("deaf"))],
  ])("to an invalid version keeps the flags, though the error listener %s", async (_title, onError) => {
    await writeFile(file, withDefault(true));
    const flags = await openFlags({ file, now: () => now, onError });
    await writeFile(file, "{");
    wait();
    const warned = once(process, "warning");
    expect(await flags.evaluate("f", "alice")).toEqual({
      isEnabled: true,
      reason: "default",
      state: "experimental",
    });
    expect(await warned).toMatchObject([{ name: "FlagWarning", code: "INVALID_FORMAT" }]);
    await flags.close();
  });

  it("takes effect within a second, whether overwritten, replaced or relinked", async () => {
    await writeFile(file, withDefault(true));
    const flags = await open();
    const isOn = async () => (await flags.evaluate("f", "alice")).isEnabled;
    expect(await isOn()).toBe(true);

    await writeFile(file, withDefault(false));
    now += 999;
    expect(await isOn()).toBe(true);
    now += 1;
    expect(await isOn()).toBe(false);

    await writeFile(join(folder, "next"), withDefault(true));
    await rename(join(folder, "next"), file);
    wait();
    expect(await isOn()).toBe(true);

    await writeFile(join(folder, "other"), withDefault(false));
    await symlink("other", join(folder, "link"));
    await rename(join(folder, "link"), file);
    wait();
    expect(await isOn()).toBe(false);
    expect(errors).toEqual([]);
    await flags.close();
  });

  it("is noticed at the same size and within one tick of the clock", async () => {
    const write = (percentage: number) =>
      writeFileSync(file, JSON.stringify({ flags: { f: { percentage } } }));
    write(10);
    const flags = await open();
    const seen: boolean[] = [];
    const expected: boolean[] = [];
    for (let round = 0; round < 200; round += 1) {
      // The client alice is in bucket 82 of the flag f.
      write(round % 2 === 0 ? 99 : 10);
      wait();
      seen.push((await flags.evaluate("f", "alice")).isEnabled);
      expected.push(round % 2 === 0);
    }
    expect(seen).toEqual(expected);
    await flags.close();
  });

  it("keeps the last valid version while the new one is broken, and reports that once", async () => {
    await writeFile(file, withDefault(true));
    const flags = await open();
    const seen: unknown[] = [];
    const look = async () => {
      wait();
      seen.push(await flags.evaluate("f", "alice"));
    };
    await writeFile(file, '{\n "flags": {');
    await look();
    await look();
    await writeFile(file, '{"flags": {"f": {"defualt": true}}}');
    await look();
    await look();
    await unlink(file);
    await look();
    await look();
    expect(codes()).toEqual(["INVALID_FORMAT", "VALIDATION_ERROR", "NOT_FOUND"]);
    const told = JSON.stringify(file);
    expect(errors.map(({ message }) => message)).toEqual([
      `Cannot read the flag file ${told}: it is not JSON, see line 2`,
      `Cannot read the flag file ${told}: flags.f.defualt is an unknown key: did you mean default?`,
      `Flag file not found: ${file}`,
    ]);
    expect(new Set(seen.map((verdict) => JSON.stringify(verdict)))).toEqual(
      new Set(['{"isEnabled":true,"reason":"default","state":"experimental"}']),
    );
    await writeFile(file, withDefault(false));
    await look();
    expect(seen.at(-1)).toEqual({ isEnabled: false, reason: "default", state: "experimental" });
    expect(errors.length).toBe(3);
    await flags.close();
  });

  it("adds flags to has and list", async () => {
    await writeFile(file, withDefault(true));
    const flags = await open();
    await writeFile(file, JSON.stringify({ flags: { f: {}, g: {} } }));
    expect(flags.has("g")).toBe(false);
    wait();
    expect((await flags.list("alice")).map(({ name }) => name)).toEqual(["f", "g"]);
    expect(flags.has("g")).toBe(true);
    await flags.close();
  });

  it("is noticed by has alone, too", async () => {
    await writeFile(file, withDefault(true));
    const flags = await open();
    await writeFile(file, JSON.stringify({ flags: { g: {} } }));
    wait();
    await expect.poll(() => flags.has("g")).toBe(true);
    await flags.close();
  });

  it("is read once for concurrent evaluations, and reported once where it is broken", async () => {
    await writeFile(file, withDefault(true));
    const flags = await open();
    const askAll = async () => {
      wait();
      const clients = Array.from({ length: 50 }, (_, index) => `client-${index}`);
      const verdicts = await Promise.all(clients.map((client) => flags.evaluate("f", client)));
      return new Set(verdicts.map(({ isEnabled }) => isEnabled));
    };
    expect(await askAll()).toEqual(new Set([true]));
    await writeFile(file, withDefault(false));
    expect(await askAll()).toEqual(new Set([false]));
    await writeFile(file, "broken");
    expect(await askAll()).toEqual(new Set([false]));
    expect(codes()).toEqual(["INVALID_FORMAT"]);
    await flags.close();
  });
});

describe("a flag file that cannot be opened", () => {
  const refusal = () =>
    open().then(
      () => "opened",
      (error: ContractError) => [error.code, error.message],
    );

  it("is named in the error, with the reason", async () => {
    const told = JSON.stringify(file);
    expect(await refusal()).toEqual(["NOT_FOUND", `Flag file not found: ${file}`]);
    await writeFile(file, "nonsense");
    expect(await refusal()).toEqual(["INVALID_FORMAT", `Cannot read the flag file ${told}: it is not JSON`]);
    await writeFile(file, `{"flags": []}`);
    expect(await refusal()).toEqual([
      "INVALID_FORMAT",
      `Cannot read the flag file ${told}: flags must be an object`,
    ]);
    file = folder;
    expect(await refusal()).toEqual([
      "INVALID_PATH",
      `Cannot read ${JSON.stringify(folder)}: it is a folder`,
    ]);
    expect(errors).toEqual([]);
  });

  it("may begin with a byte order mark", async () => {
    await writeFile(file, `\uFEFF${withDefault(true)}`);
    const flags = await open();
    expect(flags.has("f")).toBe(true);
    await flags.close();
  });
});

describe.skipIf(process.platform === "win32")("a flag file that is no plain file in its folder", () => {
  const refusal = (within?: string) =>
    openFlags({ file, within, now: () => now }).then(
      () => "opened",
      ({ code, message }: ContractError) => [code, message],
    );

  it.each([
    ["a pipe", () => execFileSync("mkfifo", [file]), "INVALID_PATH", "it is a named pipe"],
    ["a device", () => symlink("/dev/zero", file), "INVALID_PATH", "it is a device"],
    [
      "too large",
      () => writeFile(file, "").then(() => truncate(file, 2 ** 36)),
      "CONTENT_TOO_LARGE",
      "it has ",
    ],
  ] as const)("is refused at once as %s", async (_name, prepare, code, why) => {
    await prepare();
    expect(await refusal()).toEqual([code, expect.stringContaining(`: ${why}`)]);
  });

  it("may be a link only where that leads nowhere else", async () => {
    const outside = await mkdtemp(join(tmpdir(), "flags-outside-"));
    await writeFile(join(outside, "flags.json"), withDefault(true));
    await symlink(join(outside, "flags.json"), file);
    expect(await refusal()).toBe("opened");
    expect(await refusal(folder)).toEqual([
      "INVALID_PATH",
      'Cannot read "flags.json": a link leads out of the folder',
    ]);
    await rm(outside, { recursive: true });
  });
});
