import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStdioServer } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { type FakeSearch, startFakeSearch } from "./fake-search.ts";

type ResearchReport = import("../../packages/foundry/src/research/runs/research-report.ts").ResearchReport;

let place: TestWorkspace;
let server: Connection;
let search: FakeSearch;

const question = "How high is the tide at Bristol?";
const about = (text: string, at: number) =>
  Array.from({ length: 12 }, (_, line) => (line === at ? text : `Ship ${line} carried salt that year.`)).join(
    " ",
  );
const documents = {
  "docs/best.md": about("At Bristol the tide is fourteen metres high, and how high at Bristol tides get!", 4),
  "docs/deep/good.txt": about("The tide at Bristol was measured by the harbour master.", 2),
  "docs/fair.html": `<title>Coasts</title><p>${about("A tide is high at every coast.", 6)}</p>`,
  "docs/poor.txt": about("A tide may also be low.", 1),
  "docs/none.txt": about("Bread is baked at night.", 3),
  "docs/empty.txt": "",
  "other/bristol.txt": about("Bristol, Bristol: how high the tide at Bristol is, the tide at Bristol!", 0),
};

beforeAll(async () => {
  place = await createWorkspace();
  for (const folder of ["docs/deep", "other"]) await mkdir(join(place.folder, folder), { recursive: true });
  for (const [name, text] of Object.entries(documents)) await writeFile(join(place.folder, name), text);
  search = await startFakeSearch((url) => [
    { url: `${url}/tides.html`, title: "Tides of Bristol", score: 2 },
    { url: "http://localhost:9/tides", title: "Near" },
    { url: "http://[::1]/tides" },
    { url: "http://169.254.169.254/latest/meta-data", title: "Metadata" },
    { url: "file:///etc/passwd", title: "No page of the web" },
    { url: `${url}/tides.html`, title: "The same again" },
    { url: `${url}/beyond-the-limit`, title: "Too many" },
  ]);
  server = await openStdioServer(place.folder, ["--tools", "all"], { FOUNDRY_SEARCH_URL: search.url });
});
afterAll(async () => {
  await server.close();
  await search.close();
  await place.remove();
});

async function research(sources: readonly object[]): Promise<ResearchReport> {
  const { data } = await server.callTool("research", { action: "start", question, sources });
  expect(data).toMatchObject({ state: "completed" });
  const { research_id } = data;
  const report = await server.callTool("research", { action: "report", research_id, max_tokens: 0 });
  return report.data as unknown as ResearchReport;
}
const namesOf = ({ sources }: ResearchReport) => sources.map(({ name }) => name);

describe("a search over a folder", () => {
  it("reads the best documents for the question, best first", async () => {
    const report = await research([{ search: "folder", path: "docs", limit: 3 }]);
    expect(namesOf(report)).toEqual(["docs/best.md", "docs/deep/good.txt", "docs/fair.html"]);
    expect(report.findings[0]?.claim).toContain("At Bristol the tide is fourteen metres high");
    // Unreadable documents are reported, because the best document may be among them.
    expect(report.left_out).toMatchObject([{ name: "docs/empty.txt", reason: "empty" }]);
    expect(report.left_out[0]?.remediation).toMatch(/^[A-Z].{20,}\.$/);
  });

  it("searches the workspace where no folder is named", async () => {
    const report = await research([{ search: "folder", limit: 2 }]);
    expect(namesOf(report)).toEqual(["other/bristol.txt", "docs/best.md"]);
  });

  it("finds documents that were added in the meantime", async () => {
    await writeFile(join(place.folder, "other", "new.txt"), documents["docs/best.md"].repeat(2));
    const found = namesOf(await research([{ search: "folder", path: "other" }]));
    expect(found.toSorted()).toEqual(["other/bristol.txt", "other/new.txt"]);
  });

  it.each(["nowhere", "docs/best.md", "../..", "/etc"])("reports that %s is no folder", async (path) => {
    const report = await research([{ search: "folder", path }, { path: "docs/best.md" }]);
    expect(namesOf(report)).toEqual(["docs/best.md"]);
    expect(report.left_out).toEqual([
      {
        name: `folder in ${path}`,
        reason: "no_folder",
        error: "There is no such folder",
        remediation: "Name a folder of the workspace in path, or leave path out to search the whole of it.",
      },
    ]);
  });
});

describe("an unknown search provider", () => {
  it("is reported with the known providers, and the rest continues", async () => {
    const report = await research([{ search: "altavista" }, { path: "docs/best.md" }]);
    expect(report.left_out).toEqual([
      {
        name: "altavista",
        reason: "unknown_provider",
        error: 'There is no search provider "altavista"',
        remediation: "Use one of folder, web; web needs the setting search_url.",
      },
    ]);
    expect(namesOf(report)).toEqual(["docs/best.md"]);
  });

  it("includes web where no server is configured", async () => {
    const plain = await openStdioServer(place.folder);
    try {
      const sources = [{ search: "web" }, { path: "docs/best.md" }];
      const { data } = await plain.callTool("research", { action: "start", question, sources });
      const { research_id } = data;
      const report = await plain.callTool("research", { action: "report", research_id });
      expect(report.data["left_out"]).toMatchObject([
        { name: "web", reason: "unknown_provider", remediation: expect.stringContaining("search_url") },
      ]);
    } finally {
      await plain.close();
    }
  });
});

describe("a search of the web", () => {
  it("returns URLs, which the SSRF guard checks", async () => {
    const before = search.requests.length;
    const report = await research([{ search: "web", limit: 4 }]);
    expect(search.requests.slice(before)).toEqual([
      `/search?q=${encodeURIComponent(question).replaceAll("%20", "+")}&format=json`,
    ]);
    expect(report.sources.map(({ name, title, outcome, reason }) => [name, title, outcome, reason])).toEqual([
      [`${search.url}/tides.html`, "Tides of Bristol", "failed", "forbidden"],
      ["http://localhost:9/tides", "Near", "failed", "forbidden"],
      ["http://[::1]/tides", undefined, "failed", "forbidden"],
      ["http://169.254.169.254/latest/meta-data", "Metadata", "failed", "forbidden"],
    ]);
    for (const { error, remediation } of report.sources) {
      expect(error).toMatch(/^Cannot read "http:/);
      expect(remediation).toMatch(/^[A-Z].{20,}\.$/);
    }
    expect(report.summary).toBe("No source could be read, so nothing is known about the question.");
    expect(report.findings).toEqual([]);
  });

  it("that fails is reported, and the rest continues", async () => {
    const other = await startFakeSearch(() => []);
    await other.close();
    const broken = await openStdioServer(place.folder, ["--tools", "all"], { FOUNDRY_SEARCH_URL: other.url });
    try {
      const sources = [{ search: "web" }, { path: "docs/best.md" }];
      const { data } = await broken.callTool("research", { action: "start", question, sources });
      expect(data).toMatchObject({ state: "completed" });
      const { research_id } = data;
      const report = await broken.callTool("research", { action: "report", research_id });
      expect(report.data).toMatchObject({
        left_out: [{ name: "web", error: 'Cannot search with "web": its server cannot be reached' }],
        counts: { sources: 1, digested: 1 },
      });
    } finally {
      await broken.close();
    }
  });
});
