import { describe, expect, it } from "vitest";
import { findUnusedRules } from "./unused-rules.ts";

const find = (servers: object, tools: Readonly<Record<string, object>>, unlisted: readonly string[] = []) =>
  findUnusedRules(
    { expose: "all", drift: "off", servers: servers as never, tools: Object.entries(tools) },
    { servers: ["files", "tickets"], tools: ["files__read", "files__write_all", "other__read_it"], unlisted },
  );

describe("findUnusedRules", () => {
  it("is silent about rules that name something", () => {
    expect(
      find({ files: {}, tickets: {} }, { "files__*": {}, files__read: {}, "*": {}, "*__wr?te_all": {} }),
    ).toEqual([]);
  });

  it("names each server and pattern that names nothing, with the nearest name", () => {
    expect(find({ file: {}, weather: {} }, { write_all: {}, files__reed: {}, "x*": {}, "": {} })).toEqual([
      'gateway.servers["file"] names no server; did you mean files?',
      'gateway.servers["weather"] names no server',
      'gateway.tools["write_all"] matches no tool; did you mean files__write_all?',
      'gateway.tools["files__reed"] matches no tool; did you mean files__read?',
      'gateway.tools["x*"] matches no tool',
      'gateway.tools[""] matches no tool',
    ]);
  });

  it("is silent about patterns that tools of a server that has not answered may match", () => {
    const rules = {
      tickets__open: {},
      "tick*": {},
      "*_close": {},
      "tickets__*x": {},
      "file?__x": {},
      ticket__open: {},
    };
    expect(find({}, rules, ["tickets"])).toEqual([
      'gateway.tools["file?__x"] matches no tool',
      'gateway.tools["ticket__open"] matches no tool',
    ]);
  });
});
