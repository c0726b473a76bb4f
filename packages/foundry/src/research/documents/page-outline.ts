import { type Heading, maxHeadings, type Outline, type Span, termLevel } from "../digest/outline.ts";

/** A place in the text of a page where a heading, a definition list or page chrome begins or ends. */
export interface StructureMark {
  readonly kind: "heading" | "term" | "terms" | "chrome";
  readonly isStart: boolean;
  /** The level of a heading, or of the terms of a definition list. */
  readonly level: number;
}

/** Elements that are always page chrome: navigation, and content of the site instead of the document. */
const chromeElements: ReadonlySet<string> = new Set(["dialog", "footer", "menu", "nav", "search"]);
/**
 * Elements that a class or role can mark as page chrome. Elements with an optional end tag are excluded, because their
 * end may not be declared.
 */
const chromeContainers: ReadonlySet<string> = new Set(
  "aside details div dl fieldset form header ol pre section table ul".split(" "),
);
const chromeRoles =
  /^(?:banner|complementary|contentinfo|dialog|menu|menubar|navigation|search|toolbar|tooltip)$/i;
/** Matches class names that documentation generators and web sites use for page chrome. */
const chromeName =
  /^(?:(?:page|site|main|top|bottom|global|local|doc|docs|sphinx|md|wy|book|rst|chapter)[-_]?)?(?:nav(?:igation)?|nav[-_]?(?:bar|header|footer|links|menu|panel|tree)|side[-_]?bar|bread[-_]?crumbs?|footer|menu(?:[-_]?bar)?|toc(?:tree)?|toc[-_]?(?:wrapper|box|list)|table[-_]?of[-_]?contents|contents|short[-_]?contents|skip[-_]?(?:link|nav|to[-_]?content)|pagination|pager|cookie[-_]?(?:banner|notice|bar)|help[-_]?(?:container|popup|overlay|dialog)|search[-_]?(?:box|form|bar|results|container|wrapper|outer)|theme[-_]?(?:popup|picker|list)|related|element_toc|copyright|indices)$/i;

/** Returns true if elements with this name are always page chrome. */
export function isChromeElement(name: string): boolean {
  return chromeElements.has(name);
}

/** Returns true if an attribute marks its element as page chrome. */
export function saysChrome(name: string, attribute: string, value: string): boolean {
  if (!chromeContainers.has(name)) return false;
  if (attribute === "role") return chromeRoles.test(value.trim());
  if (attribute !== "class" && attribute !== "id") return false;
  return value.split(/\s+/, 20).some((each) => chromeName.test(each));
}

/** Returns the kind of structure that an element declares by its name, or undefined if it declares none. */
export function structureOf(name: string): Omit<StructureMark, "isStart"> | undefined {
  const [, level] = /^h([1-6])$/.exec(name) ?? [];
  if (level !== undefined) return { kind: "heading", level: Number(level) };
  if (name === "dt") return { kind: "term", level: termLevel };
  return name === "dl" ? { kind: "terms", level: termLevel } : undefined;
}

/** A mark with its offset in the canonical text. */
interface PlacedMark extends StructureMark {
  readonly offset: number;
}

/**
 * The maximum share of a page that can be chrome. If more seems to be chrome, the markup is unusual, and nothing is
 * treated as chrome.
 */
const maxChromeShare = 0.85;

/** Converts marks to an outline. A mark without a matching start or end is ignored. */
export function toOutline(marks: readonly PlacedMark[], length: number): Outline {
  const headings: Heading[] = [];
  const chrome: Span[] = [];
  let open: PlacedMark | undefined;
  let terms = 0;
  let chromeStart: number | undefined;
  for (const mark of marks) {
    const { kind, isStart, offset, level } = mark;
    if (kind === "chrome") {
      if (!isStart && chromeStart !== undefined && offset > chromeStart)
        chrome.push({ start: chromeStart, end: offset });
      chromeStart = isStart ? offset : undefined;
    } else if (headings.length >= maxHeadings || chromeStart !== undefined) {
      open = undefined;
    } else if (kind === "terms") {
      terms = Math.max(0, terms + (isStart ? 1 : -1));
      // Text after a definition list belongs to the section that contains the list.
      if (!isStart) headings.push({ start: offset, end: offset, level: level + terms });
    } else if (isStart) open = mark;
    else if (open?.kind === kind && offset > open.offset + 1) {
      // The end mark is at the start of the text after the heading, except at the end of the page.
      const end = offset === length ? offset : offset - 1;
      const nesting = kind === "term" ? Math.max(0, terms - 1) : 0;
      headings.push({ start: open.offset, end, level: open.level + nesting });
      open = undefined;
    }
  }
  const chromeLength = chrome.reduce((sum, { start, end }) => sum + end - start, 0);
  return { headings, chrome: chromeLength > length * maxChromeShare ? [] : chrome };
}
