/** What a failure must not tell, by name. */
const leaks: readonly (readonly [string, RegExp])[] = [
  ["a stack", /\n\s+at .+:\d+|\bat [\w.<>$ ]+ \(.+:\d+:\d+\)/],
  [
    "a stack",
    /Traceback \(most recent call last\)|File "[^"\n]+", line \d+|goroutine \d+ \[|\bat [\w.$]+\([\w]+\.java:\d+\)/,
  ],
  ["an address of a module", /file:\/\/\/|node:internal|\/node_modules\/|\/site-packages\//],
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
];
const unixPath =
  /(?<![\w.:/])\/(?:home|Users|root|var|tmp|usr|opt|etc|private|mnt|srv|proc|run|data|app|workspace|workspaces)\/[^\s"'`)\]},;:]+/g;
const windowsPath =
  /(?<![\w])[A-Za-z]:\\{1,2}(?:Users|Windows|Program|ProgramData|home|app|data|temp|inetpub)[^\s"'`)\]},;]*/gi;

/**
 * What a text gives away: its name and the words; undefined where it keeps everything to itself. What the
 * caller has sent may come back.
 */
export function findLeak(
  text: string,
  { sent, secrets }: { readonly sent: string; readonly secrets: readonly string[] },
): { readonly name: string; readonly words: string } | undefined {
  const secret = secrets.find((each) => text.includes(each));
  if (secret !== undefined) return { name: "a secret that it was given", words: "***" };
  const lines = text.replaceAll("\\n", "\n");
  for (const [name, pattern] of leaks) {
    const found = pattern.exec(lines)?.[0];
    if (found !== undefined && !sent.includes(found)) return { name, words: found.trim() };
  }
  for (const pattern of [unixPath, windowsPath]) {
    for (const [path] of lines.matchAll(pattern))
      if (!sent.includes(path)) return { name: "a path of the machine", words: path };
  }
  return undefined;
}
