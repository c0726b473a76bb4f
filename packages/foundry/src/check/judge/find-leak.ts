import { isBelow } from "@foundry-mcp/toolkit/files";

/**
 * Patterns of internal details that a failure must not reveal. Repetitions are bounded, because a text may have any
 * length.
 */
const leakPatterns: readonly (readonly [name: string, pattern: RegExp])[] = [
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

/** Patterns of secrets. Only the beginning of a match is reported. */
const secretPatterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["a private key", /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY/],
  ["an access key of AWS", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b(?<!EXAMPLE)/],
  ["a token of GitHub", /\b(?:gh[pousr]_[A-Za-z0-9]{20}|github_pat_\w{20})/],
  ["a JSON web token", /\beyJ[\w-]{5,1000}\.[\w-]{5,1000}\.[\w-]{10}/],
  [
    "an address with a password",
    // A placeholder such as "password" or "<secret>" is not a password.
    /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/"']{0,100}:(?!(?:pass(?:word|wd)?|pwd|pw|secret|x+|\*+|\.+|…)@|[<${[])[^\s@/"']{1,100}@[\w.[-]/i,
  ],
];

/** The texts that a failure may contain, and the folders that a failure must not reveal. */
export interface LeakContext {
  /** The texts of the arguments, which a failure may repeat. */
  readonly sent: string;
  /** The texts of the tool's definition, which are public. */
  readonly definition: string;
  readonly secrets: readonly string[];
  /** Folders of the server's process, if the folders are known. */
  readonly folders: readonly string[];
  /**
   * Paths that were passed to the server when it started. A failure may name these paths and any path below them.
   */
  readonly given: readonly string[];
}

/** A leak: its kind and the matching text. */
export interface Leak {
  readonly name: string;
  readonly words: string;
}

/** Returns the first leak in texts, or undefined. */
export function findLeak(texts: readonly string[], context: LeakContext): Leak | undefined {
  for (const text of texts) {
    const found = findIn(text, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findIn(text: string, context: LeakContext): Leak | undefined {
  const { sent, definition, secrets, folders, given } = context;
  if (secrets.some((each) => text.includes(each)))
    return { name: "a secret that it was given", words: "***" };
  const isKnown = (words: string) => sent.includes(words) || definition.includes(words);
  for (const [name, pattern] of secretPatterns) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined && !isKnown(found)) return { name, words: `${found.slice(0, 4)}***` };
  }
  // Some servers send a stack trace that was escaped twice.
  const lines = text.replaceAll("\\n", "\n");
  for (const [name, pattern] of leakPatterns) {
    const found = pattern.exec(lines)?.[0];
    if (found !== undefined && !isKnown(found)) return { name, words: found.trim() };
  }
  const isGiven = (found: string) => given.some((folder) => isBelow(found, folder));
  const path = findPath(text, { isKnown: (found) => isKnown(found) || isGiven(found), folders });
  return path === undefined ? undefined : { name: "a path of the machine", words: path };
}

/** Returns whether a path in a failure is a leak. */
interface PathContext {
  /** Returns true for a path that is allowed. */
  readonly isKnown: (path: string) => boolean;
  /** Folders of the server's process, if the folders are known. */
  readonly folders: readonly string[];
}

const unixPath =
  /(?<![\w.:/~-])\/(?:[^\s"'`()[\]{}<>,;:|*?/\\]{1,255}\/){1,40}[^\s"'`()[\]{}<>,;:|*?/\\]{1,255}/g;
const windowsPath = /(?<!\w)[A-Za-z]:(?:\\{1,2}[^\s"'`()[\]{}<>,;:|*?/\\]{1,255}){2,40}/g;
const networkPath = /(?<![\w:\\])\\\\[\w.-]{1,255}\\(?!\\)[\w$.-]{1,255}\\[^\s"'`()[\]{}<>,;:|*?]{1,255}/g;

/** Top-level folders of a file system. A path below one of the ambiguous folders may also be a route of an API. */
const unixRoots = /^\/(?:home|Users|root|var|tmp|usr|private|mnt|srv|proc)\//;
const ambiguousRoots = /^\/(?:opt|etc|run|data|app|workspaces?)\//;
const windowsRoots =
  /^[A-Z]:\\{1,2}(?:Users|Windows|Program Files|ProgramData|home|app|data|temp|inetpub)\\/i;
/** Minimum number of names in a path that counts as a file path of the machine. */
const minDepth = 3;
/** Patterns of file system errors. A path in the same text counts as a file path of the machine. */
const fileError =
  /\bE(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|ROFS|MFILE|NOSPC|LOOP|NAMETOOLONG)\b|no such file or directory|\[Errno \d+\]|FileNotFoundError|NoSuchFileException|cannot find the (?:file|path) specified/i;
const exampleIntro = /(?:\bsuch as|\be\.g\.,?|\bfor (?:example|instance),?|\blike|\bexamples?:?)\s+["'`(]?$/i;

/** Returns the first file path of the machine in a text, or undefined. */
function findPath(text: string, { isKnown, folders }: PathContext): string | undefined {
  const hasFileError = fileError.test(text);
  for (const pattern of [unixPath, windowsPath, networkPath]) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const path = found.replace(/[.!…]+$/, "");
      if (isKnown(path)) continue;
      if (folders.some((folder) => isWithin(path, folder))) return path;
      if (exampleIntro.test(text.slice(Math.max(0, index - 20), index))) continue;
      if (hasFileError || isMachinePath(path)) return path;
    }
  }
  return undefined;
}

function isMachinePath(path: string): boolean {
  if (path.startsWith("\\\\")) return true;
  const names = path.split(/[\\/]+/).slice(2);
  if (names.length < minDepth) return false;
  const isFile = /\.\w{1,8}$/.test(path);
  return unixRoots.test(path) || windowsRoots.test(path) || (ambiguousRoots.test(path) && isFile);
}

/**
 * Returns true if a path is inside a folder. A folder with only one name, such as `/app`, is ignored, because such a
 * path may be a route of an API.
 */
function isWithin(path: string, folder: string): boolean {
  if (folder.split(/[\\/]+/).filter((name) => name !== "").length < 2) return false;
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}
