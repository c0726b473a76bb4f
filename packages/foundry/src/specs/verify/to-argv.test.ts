import { execFileSync } from "node:child_process";
import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toArgv } from "./to-argv.ts";

function refusalOf(command: string) {
  try {
    return toArgv(command);
  } catch (error) {
    if (!isContractError(error)) throw error;
    return { code: error.code, message: error.message };
  }
}

describe("toArgv", () => {
  test.each([
    ["pytest tests/unit -q", ["pytest", "tests/unit", "-q"]],
    ["  npm \t test\n", ["npm", "test"]],
    [`pytest -k 'spec_find or "x"' -v`, ["pytest", "-k", 'spec_find or "x"', "-v"]],
    [`python -c "from a import b; print('ok')"`, ["python", "-c", "from a import b; print('ok')"]],
    [`echo a\\ b "c\\"d\\n" e''f ""`, ["echo", "a b", 'c"d\\n', "ef", ""]],
    ["make \\\n check", ["make", "check"]],
    ["echo '$HOME' \\$HOME a=b x~y a#b", ["echo", "$HOME", "$HOME", "a=b", "x~y", "a#b"]],
    ["echo ä 🚀", ["echo", "ä", "🚀"]],
  ])("splits %j", (command, argv) => {
    expect(toArgv(command)).toEqual(argv);
  });

  test.each([
    ["cd app && pytest", '"&" joins commands in a shell, and no shell is used'],
    ["a | b", '"|" joins commands in a shell, and no shell is used'],
    ["a; b", '";" joins commands in a shell, and no shell is used'],
    ["a\nb", '"\\n" joins commands in a shell, and no shell is used'],
    ["a > out", '">" redirects output in a shell, and no shell is used'],
    ["a < in", '"<" redirects input in a shell, and no shell is used'],
    ["(a)", '"(" groups commands in a shell, and no shell is used'],
    ["echo $HOME", '"$" inserts a variable or the output of a command in a shell, and no shell is used'],
    ['echo "$(id)"', '"$" inserts a variable or the output of a command in a shell, and no shell is used'],
    ["echo `id`", '"`" inserts the output of a command in a shell, and no shell is used'],
    ["ls *.ts", '"*" inserts names of files in a shell, and no shell is used'],
    ["ls a?", '"?" inserts names of files in a shell, and no shell is used'],
    ["ls [ab]", '"[" inserts names of files in a shell, and no shell is used'],
    ["ls {a,b}", '"{" inserts several words in a shell, and no shell is used'],
    ["ls ~/x", '"~" inserts the home folder in a shell, and no shell is used'],
    ["ls # all", '"#" begins a comment in a shell, and no shell is used'],
    ["CI=1 npm test", "CI= before the program sets a variable, which only a shell does"],
    ["echo 'a", "a quote that begins at character 6 does not end"],
    ['echo "a\\', "a quote that begins at character 6 does not end"],
    ["echo a\\", "it ends with a backslash, which must be followed by a character"],
    ["", "it names no program"],
    ["'' a", "it names no program"],
    ["a\0b", "it holds a NUL character"],
  ])("refuses %j", (command, why) => {
    expect(refusalOf(command)).toEqual({
      code: "INVALID_FORMAT",
      message: `Cannot run ${JSON.stringify(command.trim())}: ${why}`,
    });
  });

  test("reads what it takes as sh does", () => {
    const piece = fc.constantFrom("a", "b c", " ", "'", '"', "\\", "-", "=", "#", "$", "x\ty", "!", "^", "é");
    const lines = fc.sample(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
      1_500,
    );
    const taken = lines
      .map((line) => `printf '%s\\n' ${line}`)
      .filter((line) => Array.isArray(refusalOf(line)) && !line.includes("\n"));
    expect(taken.length).toBeGreaterThan(200);
    // One shell runs all lines. Each line prints its words in angle brackets.
    const script = taken.map((line) => `${line.replace("printf '%s\\n'", "show")}`).join("\n");
    const said = execFileSync(
      "sh",
      ["-c", `show() { for w in "$@"; do printf '<%s>' "$w"; done; echo; }\n${script}`],
      {
        encoding: "utf8",
      },
    );
    const ours = taken.map((line) => {
      const words = toArgv(line).slice(2);
      return words.map((word) => `<${word}>`).join("");
    });
    expect(said.split("\n").slice(0, -1)).toEqual(ours);
  });
});
