/** What a failure must not tell, by name. What is looked for is bounded: a text may be of any length and kind. */
const leaks: readonly (readonly [name: string, pattern: RegExp])[] = [
  // JavaScript, C#, Java
  [
    "a stack",
    /\n[ \t]+at [^\n]{1,500}:\d+:\d+|\bat [\w.<>$ ]{1,200} \([^\s()]{0,300}[./\\][^\s()]{0,300}:\d+:\d+\)/,
  ],
  ["a stack", /\n[ \t]+at [\w$<>`]{1,100}(?:\.[\w$<>`]{1,100}){1,20}\(|\.(?:cs|fs|vb):line \d+/],
  ["a stack", /\bat [\w.$]{1,300}\(\w{1,100}\.(?:java|kt|scala):\d+\)/],
  // Python, Go
  ["a stack", /Traceback \(most recent call last\)|File "[^"\n]{0,300}(?:\.pyw?|<[\w ]{1,40}>)", line \d+/],
  ["a stack", /\bgoroutine \d+ \[/],
  // PHP, Rust, Ruby
  ["a stack", /#\d+ [^\n]{0,300}\.php\(\d+\)|\.php on line \d+|PHP (?:Fatal|Parse) error:/],
  ["a stack", /\bthread '[^'\n]{0,100}'[^\n]{0,30} panicked at|\bstack backtrace:\s/],
  ["a stack", /\.rb:\d+:in [`']/],
  [
    "an address of a module",
    /file:\/\/\/[^\s"'`)\]},;]{0,300}|node:internal[\w/]*|\/(?:node_modules|site-packages)\/[^\s"'`)]{0,200}/,
  ],
];

/** Secrets by their looks; what is found is told by its beginning alone. */
const secretLooks: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["a private key", /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY/],
  ["an access key of AWS", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b(?<!EXAMPLE)/],
  ["a token of GitHub", /\b(?:gh[pousr]_[A-Za-z0-9]{20}|github_pat_\w{20})/],
  ["a JSON web token", /\beyJ[\w-]{5,1000}\.[\w-]{5,1000}\.[\w-]{10}/],
  [
    "an address with a password",
    // What stands for a password in an example is none.
    /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/"']{0,100}:(?!(?:pass(?:word|wd)?|pwd|pw|secret|x+|\*+|\.+|…)@|[<${[])[^\s@/"']{1,100}@[\w.[-]/i,
  ],
];

/** What a failure may tell, and what it must not. */
export interface LeakContext {
  /** What the caller has sent may come back. */
  readonly sent: string;
  /** What the tool's own definition says is no secret. */
  readonly told: string;
  readonly secrets: readonly string[];
  /** Folders of the process that answers, where they are known. */
  readonly places: readonly string[];
}

/** What a leak is called, and the words that show it. */
export interface Leak {
  readonly name: string;
  readonly words: string;
}

/** What texts give away; undefined where they keep everything to themselves. */
export function findLeak(texts: readonly string[], context: LeakContext): Leak | undefined {
  for (const text of texts) {
    const found = findIn(text, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findIn(text: string, { sent, told, secrets, places }: LeakContext): Leak | undefined {
  if (secrets.some((each) => text.includes(each)))
    return { name: "a secret that it was given", words: "***" };
  const isKnown = (words: string) => sent.includes(words) || told.includes(words);
  for (const [name, pattern] of secretLooks) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined && !isKnown(found)) return { name, words: `${found.slice(0, 4)}***` };
  }
  // Some send their stack in a text that is escaped once more.
  const lines = text.replaceAll("\\n", "\n");
  for (const [name, pattern] of leaks) {
    const found = pattern.exec(lines)?.[0];
    if (found !== undefined && !isKnown(found)) return { name, words: found.trim() };
  }
  const path = findPath(text, { isKnown, places });
  return path === undefined ? undefined : { name: "a path of the machine", words: path };
}

/** What paths are held against. */
export interface PathContext {
  /** True of words that may be told. */
  readonly isKnown: (words: string) => boolean;
  /** Folders of the process that answers, where they are known. */
  readonly places: readonly string[];
}

const unixPath =
  /(?<![\w.:/~-])\/(?:[^\s"'`()[\]{}<>,;:|*?/\\]{1,255}\/){1,40}[^\s"'`()[\]{}<>,;:|*?/\\]{1,255}/g;
const windowsPath = /(?<!\w)[A-Za-z]:(?:\\{1,2}[^\s"'`()[\]{}<>,;:|*?/\\]{1,255}){2,40}/g;
const networkPath = /(?<![\w:\\])\\\\[\w.-]{1,255}\\(?!\\)[\w$.-]{1,255}\\[^\s"'`()[\]{}<>,;:|*?]{1,255}/g;

/** Folders that hold files of a machine; what is below the others may be a route of an API as well. */
const unixRoots = /^\/(?:home|Users|root|var|tmp|usr|private|mnt|srv|proc)\//;
const looseRoots = /^\/(?:opt|etc|run|data|app|workspaces?)\//;
const windowsRoots =
  /^[A-Z]:\\{1,2}(?:Users|Windows|Program Files|ProgramData|home|app|data|temp|inetpub)\\/i;
/** So many names stand behind such a folder before a path is taken for a real one. */
const enough = 3;
/** What systems say of a file; a path beside it is the real one. */
const fileTrouble =
  /\bE(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|ROFS|MFILE|NOSPC|LOOP|NAMETOOLONG)\b|no such file or directory|\[Errno \d+\]|FileNotFoundError|NoSuchFileException|cannot find the (?:file|path) specified/i;
const example = /(?:\bsuch as|\be\.g\.,?|\bfor (?:example|instance),?|\blike|\bexamples?:?)\s+["'`(]?$/i;

/** The first path of a text that is really one of a machine; undefined where there is none. */
export function findPath(text: string, { isKnown, places }: PathContext): string | undefined {
  const isTrouble = fileTrouble.test(text);
  for (const pattern of [unixPath, windowsPath, networkPath]) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const path = found.replace(/[.!…]+$/, "");
      if (isKnown(path)) continue;
      if (places.some((place) => isWithin(path, place))) return path;
      if (example.test(text.slice(Math.max(0, index - 20), index))) continue;
      if (isTrouble || isReal(path)) return path;
    }
  }
  return undefined;
}

function isReal(path: string): boolean {
  if (path.startsWith("\\\\")) return true;
  const names = path.split(/[\\/]+/).slice(2);
  if (names.length < enough) return false;
  const isFile = /\.\w{1,8}$/.test(path);
  return unixRoots.test(path) || windowsRoots.test(path) || (looseRoots.test(path) && isFile);
}

/** A folder such as `/app` is too short to tell: it may be a route. */
function isWithin(path: string, place: string): boolean {
  if (place.split(/[\\/]+/).filter((name) => name !== "").length < 2) return false;
  return path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}\\`);
}
