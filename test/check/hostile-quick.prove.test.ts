import { describe, expect, it } from "vitest";
import { actsOnTerminal } from "./hostile/acts-on-terminal.ts";
import { describeHostile, hostileCommand } from "./hostile/check-hostile.ts";
import { runFoundryCli } from "./run-check-cli.ts";

describeHostile(({ quick = false }) => quick);

describe.concurrent("the terminal", () => {
  const check = (name: string) => ["contract", "check", "--human", "--", ...hostileCommand(name)];

  it.for(["escapes-everywhere", "escapes-at-list", "escapes-at-crash"])(
    "shows what %s writes, and does nothing of it",
    async (name) => {
      const { stdout, code } = await runFoundryCli(check(name), { terminal: true });
      expect(stdout).toContain("owned");
      expect(actsOnTerminal(stdout)).toEqual([]);
      expect(code).toBe(1);
    },
  );

  it("is as safe in a pipe with colors", async () => {
    const { stdout, stderr } = await runFoundryCli(check("escapes-everywhere"), {
      env: { FORCE_COLOR: "1" },
    });
    expect(stdout).toContain("\u001b[31m✗");
    expect([actsOnTerminal(stdout), actsOnTerminal(stderr)]).toEqual([[], []]);
  });
});
