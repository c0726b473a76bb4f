import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { syncCalls } from "./sync-calls.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";

const parts = ["a", "b", ".foundry", "state"];
const paths = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }).map((all) => all.join("/"));
const targets = fc.oneof(
  paths,
  paths.map((path) => `../${path}`),
  paths.map((path) => `../../${path}`),
  paths.map((path) => `/ROOT/${path}`),
  fc.constantFrom("..", "../..", "/ROOT", "/ROOT/.foundry", "."),
  {
    weight: 4,
    arbitrary: fc.constantFrom("/OUTSIDE", "/OUTSIDE/a", "/OUTSIDE/b", "/OUTSIDE/b/a", "/OUTSIDE/none"),
  },
);
const entries = fc.array(
  fc.record({ path: paths, kind: fc.constantFrom("folder", "file", "link", "link"), target: targets }),
  { minLength: 1, maxLength: 12 },
);

/** A path to work on: that of an entry or one below it, since a random path seldom leads through a link. */
const choices = fc.record({ at: fc.nat(11), below: fc.constantFrom("", "", "a", "b", "b/a") });
const toPath = ({ at, below }: { at: number; below: string }, all: readonly { path: string }[]) =>
  join(all[at % all.length]?.path ?? "", below);

/** Builds a random tree; entries that cannot be created are left out. */
function build(folder: string, all: readonly { path: string; kind: string; target: string }[]): void {
  for (const { path, kind, target } of all) {
    const place = join(folder, "root", path);
    try {
      mkdirSync(kind === "folder" ? place : dirname(place), { recursive: true });
      if (kind === "folder") continue;
      if (kind === "file") writeFileSync(place, "inside");
      else
        symlinkSync(
          target.replace("/ROOT", join(folder, "root")).replace("/OUTSIDE", join(folder, "outside")),
          place,
        );
    } catch {
      // The entry cannot be created: a parent folder is a file, the name is taken, or the links form a cycle.
    }
  }
}

/** Lists every file and link below a folder, with its content. */
function snapshot(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${entry.isFile() ? readFileSync(path, "utf8") : lstatSync(path).mode}`;
    })
    .toSorted();
}

// Syncing to disk is skipped, because it would not change the result of the test.
const calls = { ...syncCalls, fsync: async () => {} };

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);

describe.runIf(process.platform !== "win32")("random chains of links and folders", () => {
  it("lead no operation out of the root, and none through a link in the private folder", async () => {
    let reads = 0;
    await fc.assert(
      fc.asyncProperty(entries, choices, choices, async (all, choice, otherChoice) => {
        const folder = realpathSync(mkdtempSync(join(tmpdir(), "random-links-")));
        try {
          const [root, outside] = [join(folder, "root"), join(folder, "outside")];
          mkdirSync(join(outside, "b"), { recursive: true });
          mkdirSync(root);
          for (const file of ["a", "b/a"]) writeFileSync(join(outside, file), "secret");
          build(folder, all);
          const before = snapshot(outside);
          const files = createWorkspaceFiles({
            root,
            privateFolder: ".foundry",
            removable: [/.*/],
            calls,
          });
          const [path, to] = [join(root, toPath(choice, all)), join(root, toPath(otherChoice, all))];
          const content = await files.readFile(path, 100).catch(() => undefined);
          if (content !== undefined) {
            reads++;
            const real = realpathSync(path);
            expect(content.bytes.toString()).toBe("inside");
            if (isBelow(path, join(root, ".foundry"))) expect(real).toBe(path);
            else expect(isBelow(real, root) && !isBelow(real, join(root, ".foundry"))).toBe(true);
          }
          const bytes = Buffer.from("written");
          const steps = [
            () => files.append(path, bytes),
            () => files.writeAt(path, 0, bytes),
            () => files.mkdir(to),
            () => files.create(join(to, "new")).then((file) => file.close()),
            () => files.readdir(to),
            () => files.link(path, to),
            () => files.rename(path, to),
            () => files.touch(to),
            () => files.truncate(to, 1),
            () => files.unlink(to),
            () => files.rmdir(dirname(to)),
          ];
          for (const step of steps) await step().catch(() => {});
          expect(snapshot(outside)).toEqual(before);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 150 },
    );
    expect(reads).toBeGreaterThan(2);
  }, 30_000);
});
