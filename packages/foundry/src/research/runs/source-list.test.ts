import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResearchSource } from "./research-request.ts";
import type { ExpandedSource } from "./run-deps.ts";
import { listSources } from "./source-list.ts";
import { sourceKey, sourceName } from "./source-name.ts";

const { signal } = new AbortController();
const request = (sources: readonly ResearchSource[], max_sources = 200) => ({
  question: "q",
  sources,
  max_sources,
  snippets: 5,
});
const itself = async (source: ResearchSource): Promise<ExpandedSource> => ({
  documents: [{ source }],
  problems: [],
});

describe("listSources", () => {
  it("numbers documents in the order of the request, without repetitions", async () => {
    const sources = [
      { path: "a.md" },
      { path: "./a.md" },
      { url: "https://a.test/x#y" },
      { url: "https://a.test/x" },
      { text: "t" },
      { text: "t" },
      { path: "b//c.md" },
      { path: "b/./c.md" },
    ];
    const list = await listSources(request(sources), { expand: itself }, signal);
    expect(list).toEqual({
      sources: [sources[0], sources[2], sources[4], sources[5], sources[6]].map((source, at) => ({
        source_id: `source-${at + 1}`,
        source,
      })),
      left_out: ["./a.md", "https://a.test/x", "b/./c.md"].map((name) => ({
        name,
        reason: "repeated",
        error: "It is named more than once, and read once",
      })),
      left_out_count: 3,
    });
  });

  it("reports documents beyond the limits, and counts those that it does not name", async () => {
    const expand = async (): Promise<ExpandedSource> => ({
      documents: Array.from({ length: 5_000 }, (_, at) => ({
        source: { path: `f/${at}.txt` },
        title: `T${at}`,
      })),
      problems: [{ name: "f/x.png", reason: "not_a_document", error: "It is a picture" }],
    });
    const list = await listSources(request([{ path: "f", limit: 4_000 }], 2), { expand }, signal);
    expect(list.sources).toEqual(
      [0, 1].map((at) => ({
        source_id: `source-${at + 1}`,
        source: { path: `f/${at}.txt` },
        title: `T${at}`,
      })),
    );
    expect([list.left_out.length, list.left_out_count]).toEqual([1_000, 1 + 1_000 + 3_998]);
    expect(list.left_out[1]).toEqual({
      name: "f/4000.txt",
      reason: "over_limit",
      error: "It is beyond the limit of 4000",
      remediation: "Raise the limit of the source.",
    });
    const few = await listSources(
      request([{ path: "f", limit: 3 }], 2),
      {
        expand: async (s) => ({
          ...(await expand()),
          documents: (await expand()).documents.slice(0, s.limit),
        }),
      },
      signal,
    );
    expect(few.left_out[1]).toEqual({
      name: "f/2.txt",
      reason: "over_max_sources",
      error: "Only 2 sources are read",
      remediation: "Raise the maximum number of sources, or name fewer sources.",
    });
  });

  it("leaves out a source that cannot be expanded, and continues", async () => {
    const expand = (source: ResearchSource) =>
      source.path === "bad" ? Promise.reject(new Error("secret")) : itself(source);
    const { sources, left_out } = await listSources(
      request([{ path: "bad" }, { path: "good" }]),
      { expand },
      signal,
    );
    expect(sources).toHaveLength(1);
    expect(left_out).toEqual([
      {
        name: "bad",
        reason: "internal_error",
        error: 'Cannot read "bad": something unexpected happened',
        remediation: expect.any(String),
      },
    ]);
  });

  it("stops when aborted, without a failure of a source", async () => {
    const stop = new AbortController();
    const expand = () => {
      stop.abort(new Error("enough"));
      return Promise.reject(new Error("aborted"));
    };
    await expect(listSources(request([{ path: "a" }]), { expand }, stop.signal)).rejects.toThrow("enough");
  });

  it("reports every document as listed or left out", async () => {
    const paths = fc.array(fc.constantFrom("a", "b", "./a", "c", "d/e", "d//e"), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(paths, fc.integer({ min: 1, max: 5 }), async (all, most) => {
        const list = await listSources(
          request(
            all.map((path) => ({ path })),
            most,
          ),
          { expand: itself },
          signal,
        );
        expect(list.sources.length + list.left_out_count).toBe(all.length);
        expect(list.sources.length).toBeLessThanOrEqual(most);
        const places = list.sources.map(({ source }) => sourceKey(source));
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });
});

describe("sourceName", () => {
  it.each([
    [{ path: "a/b.md" }, "a/b.md"],
    [{ url: "https://me:secret@a.test/x?y#z" }, "https://a.test/x?y#z"],
    [{ url: "no address" }, "no address"],
    [{ content_id: "sha256:00" }, "sha256:00"],
    [{ text: "a long text" }, "text"],
    [{ search: "web" }, "web"],
    [{ search: "folder", path: "docs" }, "folder in docs"],
  ])("of %j is %s", (source, name) => {
    expect(sourceName(source)).toBe(name);
  });
});
