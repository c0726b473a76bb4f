import { describe, expect, it } from "vitest";
import { toolNames } from "../config/settings.ts";
import { createTools } from "./create-tools.ts";
import { authorActions } from "./roles.ts";

// Declarations are created without the workspace, because only calls need it.
const tools = createTools({} as never, "all", {} as never);
const changesOf = (name: string) =>
  [...(tools.find((tool) => tool.name === name)?.actions ?? [])].filter(([, { readOnly }]) => !readOnly);

describe("the roles of foundry", () => {
  it.each(toolNames)("let an author make changes that %s has", (name) => {
    const open = changesOf(name).filter(([, { role }]) => role === "author");
    expect(open.map(([action]) => action).toSorted()).toEqual(authorActions[name].toSorted());
  });

  it("leave these changes to maintainers, and reading to everyone", () => {
    const closed = toolNames.flatMap((name) =>
      changesOf(name)
        .filter(([, { role }]) => role === undefined)
        .map(([action]) => `${name} ${action}`),
    );
    expect(closed).toEqual([
      "spec rollback",
      "spec delete",
      "spec restore",
      "lifecycle archive",
      "lifecycle move",
      "verification execute",
      "research digest",
      "research digest-batch",
      "research start",
      "research resume",
      "research cancel",
      "research delete",
    ]);
    const readers = tools.flatMap(({ actions }) => [...actions.values()].filter(({ readOnly }) => readOnly));
    expect(readers.filter(({ role }) => role !== undefined)).toEqual([]);
  });
});
