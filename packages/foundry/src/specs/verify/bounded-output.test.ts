import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BoundedOutput } from "./bounded-output.ts";
import { toEnvironment } from "./run-program.ts";

describe("BoundedOutput", () => {
  test("keeps all, or beginning and end, however it comes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 20 }),
        fc.integer({ min: 2, max: 60 }),
        (pieces, most) => {
          const output = new BoundedOutput(most);
          for (const piece of pieces) output.take(piece);
          const whole = Buffer.concat(pieces);
          const [head, tail] = [Math.ceil(most / 2), Math.floor(most / 2)];
          const missing = whole.length - head - tail;
          const wanted =
            missing <= 0
              ? whole
              : Buffer.concat([
                  whole.subarray(0, head),
                  Buffer.from(`\n[${missing} bytes are left out here]\n`),
                  whole.subarray(-tail),
                ]);
          expect(Buffer.from(output.toBytes())).toEqual(wanted);
          expect(output.bytes).toBe(whole.length);
          expect(output.toHash()).toBe(`sha256:${createHash("sha256").update(whole).digest("hex")}`);
        },
      ),
    );
  });
});

describe("toEnvironment", () => {
  const own = {
    PATH: "/bin",
    HOME: "/home/a",
    FOUNDRY_TOKEN: "secret",
    SystemRoot: "C:\\W",
    LANG: undefined,
  };

  test("hands on what programs need, and no secret", () => {
    expect(toEnvironment(own, "linux")).toEqual({ PATH: "/bin", HOME: "/home/a", CI: "1" });
    expect(toEnvironment(own, "win32")).toEqual({
      PATH: "/bin",
      HOME: "/home/a",
      SystemRoot: "C:\\W",
      CI: "1",
    });
  });
});
