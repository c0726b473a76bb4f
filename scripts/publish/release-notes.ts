const unreleased = "## Unreleased";

/** Returns the notes of a version in the changelog; undefined if the changelog has no such section. */
export function findNotes(changelog: string, version: string): string | undefined {
  const lines = changelog.split("\n");
  const start = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## "));
  const section = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return `${section.join("\n").trim()}\n`;
}

/** Gives the section "Unreleased" of the changelog the name of a version, and adds a new, empty section. */
export function closeUnreleased(changelog: string, version: string, day: string): string {
  if (findNotes(changelog, version) !== undefined)
    throw new Error(`Cannot prepare ${version}: CHANGELOG.md has a section of this version`);
  if ((findNotes(changelog, "Unreleased") ?? "\n") === "\n")
    throw new Error(`Cannot prepare ${version}: CHANGELOG.md has no unreleased changes`);
  return changelog.replace(`${unreleased}\n`, () => `${unreleased}\n\n## ${version} (${day})\n`);
}
