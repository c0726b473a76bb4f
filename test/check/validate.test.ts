import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { envelopeOf, runFoundryCli } from "./run-check-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "foundry-validate-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads the contract's own examples, which its reference and its tests have written. */
function readFixture<T>(name: string): T {
  return JSON.parse(
    readFileSync(new URL(`../../packages/contract/fixtures/${name}.json`, import.meta.url), "utf8"),
  ) as T;
}
const envelopes = readFixture<readonly { envelope: object; wire: string }[]>("envelopes");
const dialects =
  readFixture<readonly { response_v2: object; envelope_v1: object; response_v1?: object }[]>("dialects");
const faults = readFixture<readonly { rule: string; level: string; value: unknown }[]>("faults");

const toLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const good = (id = "r-1") => ({
  success: true,
  data: {},
  error: null,
  meta: { version: "response-v2", request_id: id },
});
const validate = (input: string | Uint8Array, ...options: readonly string[]) =>
  runFoundryCli(["contract", "validate", "-", ...options], { input });
const validateFile = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return runFoundryCli(["contract", "validate", path]);
};

describe.concurrent("envelopes in a file", () => {
  it("are valid: one, on several lines or on one", async () => {
    for (const text of [
      JSON.stringify(good()),
      JSON.stringify(good(), null, 2),
      `\uFEFF${JSON.stringify(good())}\r\n`,
    ]) {
      expect(envelopeOf(await validateFile("one.json", text)).data).toEqual({
        envelopes: 1,
        valid: 1,
        dialects: { "response-v2": 1 },
        findings: [],
        finding_count: 0,
      });
    }
  });

  it("are valid: those written by the contract's reference implementation", async () => {
    const names = [
      "error_not_found",
      "error_validation_failure",
      "success_specs_list",
      "success_task_progress",
      "success_validation",
    ];
    const values = names.map((name) => {
      const { fixture_version: _, ...envelope } = readFixture<Record<string, unknown>>(`reference/${name}`);
      return envelope;
    });
    const { data } = envelopeOf(await validate(JSON.stringify(values)));
    expect(data).toMatchObject({ envelopes: 5, valid: 5, dialects: { "response-v2": 5 } });
  });

  it("are valid: the golden ones, one on each line", async () => {
    const { data } = envelopeOf(
      await validateFile("golden.jsonl", envelopes.map(({ wire }) => wire).join("\n")),
    );
    expect(data).toMatchObject({ envelopes: envelopes.length, valid: envelopes.length });
  });

  it("are valid: every dialect, mixed", async () => {
    // Envelopes that response-v1 cannot represent have no `response_v1`, and are left out.
    const whole = dialects.filter((each) => each.response_v1 !== undefined);
    const values = whole.flatMap(({ response_v2: a, envelope_v1: b, response_v1: c }) => [a, b, c]);
    const { data } = envelopeOf(await validate(`\n${toLines(values)}\n\n`));
    const each = whole.length;
    expect(data).toMatchObject({
      envelopes: 3 * each,
      valid: 3 * each,
      dialects: { "response-v2": each, "envelope-v1": each, "response-v1": each },
    });
  });

  it("are broken: each fault of the contract's table, by its rule and line", async () => {
    const broken = faults.filter(({ level, value }) => level === "MUST" && typeof value === "object");
    const values = broken.flatMap(({ value }) => [good(), value]);
    const { data, error } = envelopeOf(await validateFile("faults.jsonl", toLines(values)));
    expect(error).toBe(`${broken.length} of ${values.length} envelopes break a rule that binds`);
    expect(data).toMatchObject({
      error_code: "CONTRACT_BROKEN",
      envelopes: values.length,
      valid: broken.length,
    });
    const { findings } = data as unknown as {
      findings: readonly { line: number; envelope: number; level: string }[];
    };
    const lines = findings.filter(({ level }) => level === "MUST").map(({ line }) => line);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line % 2 === 0)).toBe(true);
  });

  it("are broken: rule, path and remedy are reported", async () => {
    const text = `${JSON.stringify(good())}\n\n{"success":true,"data":[],"error":null,"meta":{"version":"response-v2"}}\n{"success":\n`;
    const { data } = envelopeOf(await validate(text));
    const { findings } = data as unknown as { findings: readonly { rule: string; level: string }[] };
    expect(findings.filter(({ level }) => level === "MUST")).toEqual([
      expect.objectContaining({
        envelope: 2,
        line: 3,
        rule: "RV2-03",
        path: "$.data",
        remedy: expect.any(String),
      }),
      expect.objectContaining({ envelope: 3, line: 4, rule: "RV2-09", path: "$", evidence: '{"success":' }),
    ]);
  });

  it("are checked against the requested dialect", async () => {
    const { data } = envelopeOf(await validate(JSON.stringify(good()), "--dialect", "envelope-v1"));
    expect(data).toMatchObject({ error_code: "CONTRACT_BROKEN", dialects: { "envelope-v1": 1 }, valid: 0 });
    const { findings } = data as unknown as { findings: readonly { rule: string }[] };
    expect(findings[0]?.rule).toBe("EV1-01");
  });

  it.for([
    ["nothing", ""],
    ["blanks", " \n\n\t"],
  ])("are missing: %s", async ([, text = ""]) => {
    const { data, error } = envelopeOf(await validate(text));
    expect(error).toBe("There is no envelope to validate: the text is empty");
    expect(data).toMatchObject({ error_code: "MISSING_REQUIRED", details: { field: "text" } });
  });

  it.for([
    ["a text", "hello\nworld\n"],
    ["HTML", "<html>\n<body>\n</html>"],
    ["half an envelope", `${JSON.stringify(good(), null, 2).slice(0, -5)}`],
    ["an escape", "\u001b[2Jowned"],
  ])("are no JSON: %s is one that cannot be read", async ([, text = ""]) => {
    const { data } = envelopeOf(await validate(text));
    expect(data).toMatchObject({ error_code: "CONTRACT_BROKEN", envelopes: 1, finding_count: 1 });
    expect(data["findings"]).toEqual([
      expect.objectContaining({ rule: "RV2-09", line: 1, message: "it is no JSON" }),
    ]);
  });

  it("are refused if they are not text", async () => {
    const bytes = Uint8Array.from({ length: 4_096 }, (_, index) => (index * 7) % 256);
    const { data, error } = envelopeOf(await validateFile("bytes.bin", bytes), 2);
    expect([data["error_type"], error]).toEqual(["validation", expect.stringContaining("UTF-8")]);
  });

  it("are refused if the file does not exist", async () => {
    const { data, error } = envelopeOf(
      await runFoundryCli(["contract", "validate", join(folder, "none.json")]),
      2,
    );
    expect([data["error_type"], error]).toEqual(["validation", expect.stringContaining("none.json")]);
  });

  it("may be odd or deeply nested", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const envelope = `{"success":true,"data":{"a":${deep}},"error":null,"meta":{"version":"response-v2"}}`;
    const proto = '{"__proto__":{"success":true},"constructor":1}';
    const { data } = envelopeOf(await validate(`${envelope}\n${proto}\n[]\nnull\n7\n`));
    expect(data).toMatchObject({ error_code: "CONTRACT_BROKEN", envelopes: 5 });
  });

  it("are shown to people", async () => {
    const ok = await runFoundryCli(["contract", "validate", "-", "--human"], { input: toLines([good()]) });
    expect([ok.code, ok.stderr]).toEqual([0, ""]);
    expect(ok.stdout).toContain("1");
    const evil = { ...good(), [`\u001b]0;owned\u0007`]: "\u001b[2J" };
    const bad = await runFoundryCli(["contract", "validate", "-", "--human"], { input: toLines([evil]) });
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain("RV2-01");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(bad.stdout + bad.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });
});
