import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closeUnreleased, findNotes } from "../../scripts/publish/release-notes.ts";
import { planVersion, readVersion, versionPattern } from "../../scripts/publish/write-version.ts";
import { root } from "../source-files.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("the version", () => {
  it("is the same in all files: that of the root", () => {
    const files = [...planVersion(root, readVersion(root))];
    expect(files.map(([path]) => path)).toHaveLength(7);
    for (const [path, text] of files) expect(`${path}:\n${text}`).toBe(`${path}:\n${read(path)}`);
  });

  it("changes in all files at once, and nothing else changes", () => {
    const former = readVersion(root);
    for (const [path, text] of planVersion(root, "98.7.6")) {
      const lines = text.split("\n");
      const changed = read(path)
        .split("\n")
        .flatMap((line, index) => (line === lines[index] ? [] : [[line, lines[index]]]));
      expect(changed.length, path).toBeGreaterThan(0);
      for (const [before, after] of changed) expect(after).toBe(before?.replace(former, "98.7.6"));
      // A published package depends on exactly its own version of the other packages.
      expect(text).not.toMatch(new RegExp(`"@foundry-mcp/\\w+": "${former.replaceAll(".", "\\.")}"`));
    }
  });

  it.each([
    ["1.2.0", true],
    ["2.0.0-beta.1", true],
    ["v1.2.0", false],
    ["1.2", false],
    ["1.2.0; rm", false],
  ])("of a release may be written %s: %s", (text, isVersion) => {
    expect(versionPattern.test(text)).toBe(isVersion);
  });
});

describe("the notes of a release", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n### a\n\n- New.\n\n## 0.1.0 (2026-01-02)\n\n- Old.\n";

  it("are the section of the version", () => {
    expect(findNotes(changelog, "Unreleased")).toBe("### a\n\n- New.\n");
    expect(findNotes(changelog, "0.1.0")).toBe("- Old.\n");
    expect(findNotes(changelog, "0.1")).toBeUndefined();
  });

  it("come from the section Unreleased, which is then empty", () => {
    const closed = closeUnreleased(changelog, "0.2.0", "2026-03-04");
    expect(closed).toBe(
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-03-04)\n\n### a\n\n- New.\n\n## 0.1.0 (2026-01-02)\n\n- Old.\n",
    );
    expect(() => closeUnreleased(closed, "0.3.0", "2026-03-05")).toThrow("no unreleased changes");
    expect(() => closeUnreleased(changelog, "0.1.0", "2026-03-05")).toThrow("has a section of this version");
  });
});
