import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { type DigestPayload, validatePayload, verifySnippet } from "@foundry-mcp/contract/digest";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePdf } from "../../packages/foundry/src/research/documents/testing/write-pdf.ts";
import { callCli, openStdioServer, runCli } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { badSources, writeBadSources } from "./bad-sources.ts";

let place: TestWorkspace;
let server: Connection;

const sentences = Array.from(
  { length: 20 },
  (_, at) => `Harbour ${at} keeps its own table of the water, and a clerk 🌊 copies it on day ${at}.`,
);
const asked = "Why are there two tides a day?";
const answer = "There are two tides a day because the sea bulges towards the moon and away from it.";
const prose = [...sentences.slice(0, 9), answer, ...sentences.slice(9)].join(" ");
const page = `<!doctype html><title>Tides &amp; tables</title><script>var tides = "two tides a day";</script>
<style>p { color: red }</style><!-- two tides a day --><p>${sentences.slice(0, 10).join("</p>\n<p>")}</p>
<p>One knows that 1 < 2 &amp; 3 &gt; 2.</p><p>${answer}</p>`;
/** Wraps a text to lines that fit on a PDF page. */
const toLines = (texts: readonly string[]) =>
  texts
    .join(" ")
    .match(/.{1,60}(?: |$)/gu)
    ?.map((line) => line.trim()) ?? [];
const pages = [sentences.slice(0, 7), [...sentences.slice(7, 13), answer], sentences.slice(13)].map(toLines);

beforeAll(async () => {
  place = await createWorkspace();
  await writeFile(join(place.folder, "tides.txt"), prose);
  await writeFile(join(place.folder, "tides.html"), page);
  await writeFile(join(place.folder, "tides.pdf"), writePdf({ pages, title: "The tides" }));
  await mkdir(join(place.folder, "bad"));
  await writeBadSources(join(place.folder, "bad"));
  await symlink("/etc/hostname", join(place.folder, "out.txt"));
  await mkdir(join(place.specs, ".foundry", "archive"), { recursive: true });
  await symlink(join(place.specs, ".foundry"), join(place.folder, "alias"));
  await mkdir(join(place.folder, "kept"));
  const kept = { FOUNDRY_RESEARCH_DIR: join(place.folder, "kept") };
  server = await openStdioServer(place.folder, ["--tools", "all"], kept);
});
afterAll(async () => {
  await server.close();
  await place.remove();
});

const cli = (...argv: string[]) => callCli(["research", ...argv], { cwd: place.folder });
const call = (args: object): Promise<Envelope> => server.callTool("research", { ...args });
interface Answer {
  readonly digest: DigestPayload;
  readonly source: Readonly<Record<string, unknown>>;
}
const answerOf = ({ data }: Envelope) => data as unknown as Answer;

describe("research digest", () => {
  it.each([
    ["tides.txt", "text", undefined],
    ["tides.html", "html", "Tides & tables"],
    ["tides.pdf", "pdf", "The tides"],
  ])("of %s has quotes at their locators in the archived text", async (name, type, title) => {
    const { digest, source } = answerOf(await cli("digest", name, "--query", asked, "--include-source"));
    expect(validatePayload(digest)).toEqual(digest);
    expect(source).toMatchObject({ name, document_type: type, content_type: "digest/v1" });
    expect([source["title"], source["content"]]).toEqual([title, JSON.stringify(digest)]);
    const { data } = await callCli(["content", "get", "--hash", digest.source_text_hash], {
      cwd: place.folder,
    });
    const { text, content_type } = data as { text: string; content_type: string };
    expect(content_type).toBe("text/plain");
    expect(digest.original_chars).toBe(Array.from(text).length);
    expect(digest.evidence_snippets.map((each) => verifySnippet(text, each))).not.toContain(false);
    expect(digest.evidence_snippets[0]?.text).toContain(answer);
    expect(digest.summary).toContain(answer);
    expect(text).not.toContain("color: red");
    expect(text.split("two tides a day")).toHaveLength(2);
    if (type === "html") expect(text).toContain("1 < 2 & 3 > 2.");
    if (type === "pdf") expect(digest.evidence_snippets[0]?.locator).toMatch(/^page:2:char:\d+-\d+$/);
  });

  it("is the same over MCP, and for the same text from any location", async () => {
    const fromFile = answerOf(await call({ action: "digest", query: asked, source: { path: "tides.txt" } }));
    const fromText = answerOf(await call({ action: "digest", query: asked, source: { text: prose } }));
    const content_id = fromFile.digest.source_text_hash;
    const fromArchive = answerOf(await call({ action: "digest", query: asked, source: { content_id } }));
    const fromCommand = answerOf(await cli("digest", "tides.txt", "-q", asked));
    for (const { digest } of [fromText, fromArchive, fromCommand]) expect(digest).toEqual(fromFile.digest);
  });

  it("has the query hash of the contract", async () => {
    const { digest } = answerOf(await cli("digest", "tides.txt", "--query", "climate change"));
    expect(digest.query_hash).toBe("f28d567c");
  });

  it("reports a query without a match, and a text that is too short", async () => {
    const odd = await cli("digest", "tides.txt", "--query", "quantum chromodynamics");
    expect(odd.meta.warnings).toEqual([
      'tides.txt does not answer the query: it does not mention "quantum", "chromodynamics"; its quotes only show what it is about',
    ]);
    expect(odd.data).toMatchObject({ confidence: "none", digest: { summary: "", key_points: [] } });
    const scores = answerOf(odd).digest.evidence_snippets.map(({ relevance_score }) => relevance_score);
    expect(new Set(scores)).toEqual(new Set([0]));
    const { data } = await call({ action: "digest", source: { text: "  One   line. " } });
    expect(data).toMatchObject({
      digest: null,
      reason: "short",
      source: { name: "text", content_type: "text/plain", content: "One line.", chars: 9 },
    });
  });

  it("returns a digest unchanged", async () => {
    const { digest, source } = answerOf(
      await cli("digest", "tides.txt", "--query", asked, "--include-source"),
    );
    const { data } = await call({
      action: "digest",
      source: { text: source["content"], content_type: "digest/v1" },
    });
    expect(data).toEqual({
      digest,
      reason: "digested",
      source: {
        name: "text",
        content_type: "digest/v1",
        source_text_hash: digest.source_text_hash,
      },
    });
  });

  it("is readable in a terminal", async () => {
    const { stdout } = await runCli(["research", "digest", "tides.txt", "-q", asked, "--human"], {
      cwd: place.folder,
    });
    expect(stdout).toContain(answer);
    expect(stdout).toContain("confidence strong");
  });

  it("works outside of a workspace, and warns that the text is not archived", async () => {
    const path = join(place.folder, "tides.txt");
    const envelope = await callCli(["research", "digest", path, "-q", asked], { cwd: "/" });
    expect(answerOf(envelope).digest.evidence_snippets[0]?.text).toContain(answer);
    expect(envelope.meta.warnings).toEqual([
      `The text of ${path} could not be kept: to verify its digest, name the source as well`,
    ]);
    const file = join(place.folder, "kept.json");
    await writeFile(file, JSON.stringify(envelope));
    const alone = await callCli(["research", "verify", file], { cwd: "/" });
    expect([alone.success, alone.data["error_code"]]).toEqual([false, "CONTENT_NOT_FOUND"]);
    const source = JSON.stringify({ path });
    const beside = await callCli(["research", "verify", file, "--source", source], { cwd: "/" });
    expect(beside.data).toMatchObject({ verified: true, problems: [] });
  });
});

describe("research verify", () => {
  it("reads the response of digest from a file, and reports what is wrong in it", async () => {
    const envelope = await cli("digest", "tides.html", "--query", asked);
    const file = join(place.folder, "answer.json");
    await writeFile(file, JSON.stringify(envelope));
    const { digest } = answerOf(envelope);
    const snippets = digest.evidence_snippets.map(({ locator }) => ({
      source_text_hash: digest.source_text_hash,
      locator,
      verified: true,
    }));
    const good = { verified: true, checked: snippets.length, snippets, problems: [] };
    expect((await cli("verify", file)).data).toEqual(good);
    expect((await call({ action: "verify", digest })).data).toEqual(good);

    const [first, ...others] = digest.evidence_snippets;
    const forged = { ...digest, evidence_snippets: [{ ...first, text: `${first?.text}!` }, ...others] };
    const wrong = await call({ action: "verify", digest: forged });
    expect(wrong).toMatchObject({
      success: false,
      error: `The digest does not verify: 1 of ${snippets.length} quotes not in the source at the place that is said; digest_chars is ${digest.digest_chars}, and the digest has ${digest.digest_chars + 1}`,
      data: {
        error_code: "VALIDATION_ERROR",
        verified: false,
        snippets: [{ ...snippets[0], verified: false }, ...snippets.slice(1)],
      },
    });
    const changed = await call({ action: "verify", digest, source: { path: "tides.txt" } });
    expect(changed.data["error_code"]).toBe("CONFLICT");
    const gone = { ...digest, source_text_hash: `sha256:${"0".repeat(64)}` };
    expect((await call({ action: "verify", digest: gone })).data["error_code"]).toBe("CONTENT_NOT_FOUND");
    expect((await call({ action: "verify", digest: "no digest" })).data["error_code"]).toBe("INVALID_FORMAT");
    expect((await call({ action: "verify" })).data["error_code"]).toBe("MISSING_REQUIRED");
  });
});

describe("an invalid digest", () => {
  const digestOf = async (path: string) =>
    answerOf(await call({ action: "digest", query: asked, include_source: true, source: { path } }));
  const problemsOf = async (args: object) => (await call({ action: "verify", ...args })).data["problems"];

  it("is refused where the copy in its source differs", async () => {
    const answer = await digestOf("tides.txt");
    const content = String(answer.source["content"]).replaceAll("bulges", "swells");
    expect(await problemsOf({ digest: { ...answer, source: { ...answer.source, content } } })).toEqual([
      "data.source.content holds another digest than data.digest",
    ]);
  });

  it("is refused where it has no quotes", async () => {
    const { digest } = await digestOf("tides.txt");
    const empty = { ...digest, evidence_snippets: [], key_points: [], summary: "All of it." };
    expect(await problemsOf({ digest: { ...empty, digest_chars: 10 } })).toEqual([
      "it has no quotes that could be checked",
    ]);
  });

  it.each([
    ["tides.txt", /^char/, "page:7:char", undefined],
    ["tides.pdf", /^page:2/, "page:3", { path: "tides.pdf" }],
  ])("is refused with wrong pages of %s", async (path, right, wrong, source) => {
    const { digest } = await digestOf(path);
    const [first, ...others] = digest.evidence_snippets;
    const locator = String(first?.locator).replace(right, wrong);
    const forged = { ...digest, evidence_snippets: [{ ...first, locator }, ...others] };
    expect(await problemsOf({ digest: forged, ...(source === undefined ? {} : { source }) })).toEqual([
      `${locator} is not on that page`,
    ]);
    expect((await call({ action: "verify", digest, source: { path } })).data["verified"]).toBe(true);
  });

  it("is refused where it is one of several, or missing", async () => {
    const batch = await call({ action: "digest-batch", paths: ["tides.txt", "tides.html"], query: asked });
    const short = await call({ action: "digest", source: { text: "One line." } });
    const errors = [
      await call({ action: "verify", digest: batch }),
      await call({ action: "verify", digest: short }),
    ];
    expect(errors.map(({ error }) => error)).toEqual([
      "Cannot verify the digest: these are several",
      "Cannot verify the digest: there is none, for the source was too short for one",
    ]);
    const both = await call({
      action: "verify",
      research_id: "research-20260101-000000",
      source: { text: "x" },
    });
    expect(both.error).toBe("Cannot verify a report against a source: it cites many");
  });

  it("is returned unchanged from any location, and refused as a source of a research", async () => {
    const { digest, source } = await digestOf("tides.txt");
    await writeFile(join(place.folder, "stored.json"), String(source["content"]));
    const stored = { path: "stored.json", content_type: "digest/v1" };
    expect(answerOf(await call({ action: "digest", source: stored })).digest).toEqual(digest);
    const researched = await call({ action: "start", question: asked, sources: [stored] });
    expect(researched).toMatchObject({ success: false, data: { error_code: "VALIDATION_ERROR" } });
    expect(researched.error).toContain("It is a digest already, and is never digested again");
  });
});

describe("bad sources", () => {
  it("fail the call where none is named", async () => {
    await mkdir(join(place.folder, "nothing"));
    for (const sources of [
      [{ path: "nothing" }],
      [{ search: "web" }],
      [{ search: "folder", path: "nowhere" }],
    ]) {
      const batch = await call({ action: "digest-batch", sources });
      const research = await call({ action: "start", question: asked, sources });
      expect([batch.success, research.success]).toEqual([false, false]);
    }
  });

  it("are reported where there are too many", async () => {
    const paths = ["tides.txt", "tides.html", "./tides.txt"];
    const { meta } = await call({ action: "start", question: asked, paths, max_sources: 1 });
    expect(meta.warning_details).toMatchObject([
      {
        code: "PARTIAL_FAILURE",
        message: "2 left out, by reason: over_max_sources (1), repeated (1); the report names them",
      },
    ]);
  });

  it("in UTF-32 are not decoded as UTF-16", async () => {
    const text = Buffer.from("\ufeffThe tide.", "utf16le");
    await writeFile(
      join(place.folder, "wide.txt"),
      Buffer.concat([text.subarray(0, 2), Buffer.alloc(2), text]),
    );
    const { data } = await call({ action: "digest", source: { path: "wide.txt" } });
    expect((data["details"] as { reason: string }).reason).toBe("binary");
  });

  it("are reported with their reasons, and the rest is digested", async () => {
    const envelope = await cli(
      "digest-batch",
      "bad",
      "tides.txt",
      "nothing.md",
      "http://127.0.0.1:9/x",
      "-q",
      asked,
    );
    const { digested, failed, failures, digests } = envelope.data as unknown as {
      digested: number;
      failed: number;
      digests: readonly { name: string; digest: DigestPayload }[];
      failures: readonly { name: string; reason: string; error: string; remediation: string }[];
    };
    const expected = {
      ...Object.fromEntries(Object.entries(badSources).map(([name, reason]) => [`bad/${name}`, reason])),
      "nothing.md": "not_found",
      "http://127.0.0.1:9/x": "forbidden",
    };
    expect(Object.fromEntries(failures.map(({ name, reason }) => [name, reason]))).toEqual(expected);
    for (const { error, remediation, name } of failures) {
      expect(error).toContain(name);
      expect(remediation).toMatch(/^[A-Z].{20,}\.$/);
    }
    expect([digested, failed]).toEqual([1, Object.keys(expected).length]);
    expect(digests.map(({ name }) => name)).toEqual(["tides.txt"]);
    expect(envelope.meta.warning_details?.map(({ code }) => code)).toEqual(["PARTIAL_FAILURE"]);
  });

  it("fail the call where no other source is named", async () => {
    const one = await cli("digest", "bad/encrypted.pdf");
    expect(one).toMatchObject({
      success: false,
      error: 'Cannot read "bad/encrypted.pdf": the PDF can be opened with a password only',
      data: { error_code: "INVALID_FORMAT", details: { reason: "encrypted", source: "bad/encrypted.pdf" } },
    });
    const all = await cli("digest", "bad/empty.txt", "bad/binary.md");
    expect(all).toMatchObject({ success: false, data: { digested: 0, failed: 2 } });
  });

  it.each([
    "../other",
    "/etc/hostname",
    "out.txt",
    "specs/../../x",
    "kept",
    "specs/.foundry/archive",
    "alias/archive",
  ])("outside of the workspace are readable by a command, not by a server: %s", async (path) => {
    const { data } = await call({ action: "digest", source: { path } });
    expect([data["error_code"], (data["details"] as { reason: string }).reason]).toEqual([
      "FORBIDDEN",
      "forbidden",
    ]);
  });
});
