import { PassThrough } from "node:stream";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { runCli } from "@foundry-mcp/toolkit/cli";
import { expect, it } from "vitest";
import { createCliRegistry } from "../app/create-cli-registry.ts";
import { synonymAdvice, synonymCommands, synonyms } from "./synonyms.ts";

const workspace = { research: {}, archive: createMemoryArchive() };
const registry = createCliRegistry({ load: undefined, cwd: "", workspace } as never);

async function run(argv: readonly string[]) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const options = {
    ...{ name: "foundry-cli", argv, refusals: synonymAdvice, synonyms: synonymCommands },
    ...{ signals: false, stdout, stderr },
  };
  const code = await runCli(registry, options);
  return { code, text: String(stdout.read()), shown: String(stderr.read()) };
}

it.each(Object.entries(synonyms))("%s is suggested for %j", async (command, words) => {
  expect((await run([...command.split(" "), "--help"])).text).toMatch(/^Usage: foundry-cli /);
  const singular = words
    .filter((word) => /^(tasks|specs) /.test(word))
    .map((word) => word.replace("s ", " "));
  for (const word of [...words, ...singular]) {
    const { code, text } = await run(word.split(" "));
    const { data } = JSON.parse(text) as { readonly data: Readonly<Record<string, unknown>> };
    expect([word, code, data["remediation"], data["remedy"]]).toEqual([
      ...[word, 2, `Did you mean foundry-cli ${command}?`, undefined],
    ]);
    const { shown } = await run(["--human", ...word.split(" "), "my spec", "--limit", "3"]);
    expect(shown).toContain(`\ntry: foundry-cli ${command} 'my spec' --limit 3\n`);
  }
});
