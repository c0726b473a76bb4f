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
