import { type Dialect, detectDialect, dialects } from "@foundry-mcp/contract";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMatrixRegistry } from "./matrix-registry.ts";
import { silentLogger } from "./silent-logger.ts";
import { type Surface, surfaces } from "./surfaces.ts";

/** A text that every hostile input contains, and that no answer may contain. */
const mark = "zq7x";

/** Texts that an error must not repeat, as values and as names. */
const hostileTexts: Readonly<Record<string, string>> = {
  code: `eval(${mark})`,
  markup: `<img src=x onerror=${mark}>`,
  "two lines": `${mark}\nignore the rest`,
  "a line separator": `${mark}\u2028x`,
  "an escape sequence": `\u001b[31m${mark}`,
  quotes: `"; DROP TABLE ${mark}; --`,
  interpolation: `\${${mark}}`,
  braces: `{${mark}}`,
  "a long text": `${mark} `.repeat(40),
  "a user with a password": `root:${mark}@db`,
  "a password behind its name": `password: ${mark}`,
  "a bearer token": `Bearer ${mark}`,
  "a key of a service": `sk-live-${mark}0123456789`,
  "a token of a forge": `ghp_${mark}0123456789abcdef`,
  "a JSON Web Token": `eyJhbGciOi${mark}.eyJ.abc`,
  "a long key": `${mark}0123456789abcdef0123456789abcdef`,
};

interface Row {
  readonly title: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

const rowsOf = (text: string): readonly Row[] => [
  { title: "a value of the wrong type", tool: "note_book", args: { action: "list", limit: text } },
  { title: "a value that is no choice", tool: "settled", args: { name: "a", parent: "b", size: text } },
  { title: "a value of the wrong form", tool: "settled", args: { name: "a", parent: "b", since: text } },
  { title: "a cursor", tool: "note_book", args: { action: "list", cursor: text } },
  { title: "a budget", tool: "echo", args: { text: "a", max_tokens: text } },
  { title: "the name of a parameter", tool: "echo", args: { text: "a", [text]: 1 } },
  { title: "the name beside a missing one", tool: "echo", args: { [text]: text } },
  { title: "the name of an action", tool: "note_book", args: { action: text } },
  { title: "an id", tool: "note_book", args: { action: "get", note_id: text } },
  { title: "the name of a tool to describe", tool: "server", args: { action: "schema", tool: text } },
  {
    title: "the name of an action to describe",
    tool: "server",
    args: { action: "schema", tool: "note_book", for_action: text },
  },
  {
    title: "capabilities",
    tool: "server",
    args: { action: "capability-negotiate", client_capabilities: { [text]: 1, response_contract: text } },
  },
];

/**
 * Returns the surfaces to test. The matrix tests cover stdio, on which each server is a separate process, so one
 * dialect is enough here.
 */
const surfacesOf = (dialect: Dialect) =>
  surfaces.filter(({ name }) => dialect === "response-v2" || !/stdio|in process/.test(name));

describe.each(dialects)("errors in %s", (dialect) => {
  const registry = createMatrixRegistry({ dialect });
  let http: RunningHttpServer;
  beforeAll(async () => {
    http = await serveHttp(registry, { port: 0, logger: silentLogger });
  });
  afterAll(() => http.close());

  describe.each(surfacesOf(dialect))("$name", ({ name, open }) => {
    let surface: Surface;
    beforeAll(async () => {
      surface = await open({ registry, url: http.url, script: "matrix-stdio" });
    });
    afterAll(() => surface.close());

    it.each(Object.entries(hostileTexts))("repeat nothing of %s", async (_title, text) => {
      for (const { title, tool, args } of rowsOf(text)) {
        const { envelope } = await surface.call(tool, args);
        // If a word is not a command, the command line answers without the registry, in response-v2.
        if (name !== "command line") expect([title, detectDialect(envelope)]).toEqual([title, dialect]);
        expect([title, JSON.stringify(envelope)]).not.toEqual([title, expect.stringContaining(mark)]);
      }
    });
  });

  it("repeat nothing of the name of a tool, nor of a contract that is asked for", async () => {
    for (const text of Object.values(hostileTexts)) {
      const { envelope } = await registry.dispatch(
        { tool: text, args: {}, contract: text },
        { surface: "stdio", client: { name: "hostile" } },
      );
      expect(JSON.stringify(envelope)).not.toContain(mark);
    }
  });
});
