import type { TokenizerCallbacks } from "htmlparser2";
import { canonicalizeMarked } from "../digest/canonical-text.ts";
import { isChromeElement, type StructureMark, saysChrome, structureOf, toOutline } from "./page-outline.ts";
import { normalizeTitle, type TitledText } from "./titles.ts";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements whose content is not displayed. */
const hiddenElements = setOf(
  "annotation annotation-xml audio canvas datalist head iframe noembed noframes noscript object script select style svg template title video",
);
/** Hidden elements that contain code. If one is never closed, the rest of the page is treated as code. */
const codeElements = setOf("script style");
/**
 * Hidden elements whose content the tokenizer reads as raw text. If one is never closed, the rest of the page must be
 * read again, because its tags were read as text.
 */
const rawTextElements = setOf("iframe noembed noframes title");
/** Block elements. A block of text ends before and after each of them. */
const blockElements = setOf(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary table tbody textarea tfoot thead tr ul xmp",
);
/** Elements that are separated from their neighbours by a space. */
const cellElements = setOf("button td th");
/** Elements that preserve line ends. */
const preformattedElements = setOf("listing plaintext pre textarea xmp");
/** Elements that belong in the head. Any other element implicitly ends the head. */
const metadataElements = setOf(
  "base basefont bgsound link meta noframes noscript script style template title",
);
/**
 * Elements that end an unclosed SVG implicitly. These are the elements in the HTML standard's list that contain text.
 */
const svgBreakoutElements = setOf(
  "blockquote body center code dd div dl dt em h1 h2 h3 h4 h5 h6 head li listing menu ol p pre span strong table ul",
);
/** SVG elements that contain HTML. */
const htmlIntegrationPoints = setOf("desc foreignobject");

/** The number of text fragments that are collected before they are joined into one string. */
const maxFragments = 1_000;

/** The maximum length of an attribute that is read. */
const maxAttributeLength = 1_000;

/** Void elements, which have no content. */
const voidElements = setOf("area base br col embed hr img input link meta param source track wbr");
/** Elements with an optional end tag. */
const optionalEndTagElements = setOf("dd dt li option p td th tr");

/** An open hidden element. */
interface HiddenElement {
  readonly name: string;
  /**
   * The number of open elements with the same name inside this element. Undefined if the element is hidden by an
   * attribute rather than by its name.
   */
  depth?: number;
  /** The number of text fragments before this element. */
  readonly fragmentsBefore: number;
  /** True if the content of this element has no tags except its end tag. */
  readonly isRaw: boolean;
  /** The offset at which the content of this element starts. */
  start: number;
  /** The number of open HTML integration points in an SVG. */
  openIntegrationPoints: number;
}

/**
 * Extracts the visible text of an HTML page in canonical form. The page is read token by token without building a tree,
 * so the time is linear even if elements are nested deeply.
 *
 * The text of an element that is hidden by its name, the attribute `hidden` or an inline style is dropped at its end
 * tag. Without an end tag, the text is kept, so that a missing end tag does not hide the rest of the page.
 */
export async function htmlToText(html: string): Promise<TitledText> {
  const { Tokenizer } = await import("htmlparser2");
  const page = new PageText(html);
  // XHTML has self-closing tags. HTML ignores the slash.
  const recognizeSelfClosing = /^\s*<\?xml/.test(html.slice(0, 1_000));
  for (let start: number | undefined = 0; start !== undefined; ) {
    const tokenizer = new Tokenizer({ recognizeSelfClosing }, page.callbacks(start, recognizeSelfClosing));
    tokenizer.write(start === 0 ? html : html.slice(start));
    tokenizer.end();
    start = page.end();
  }
  const title = page.title === undefined ? undefined : normalizeTitle(page.title);
  const { source, marks } = page.toText();
  const {
    text,
    blocks,
    marks: offsets,
  } = canonicalizeMarked(
    source,
    marks.map(({ offset }) => offset),
  );
  const placed = marks.map(({ mark }, at) => ({ ...mark, offset: offsets[at] as number }));
  return { text, blocks, outline: toOutline(placed, text.length), ...(title === undefined ? {} : { title }) };
}

/** A piece of the text of a page, or a mark at which a heading or another part of the structure begins or ends. */
type Fragment = string | StructureMark;

/** The text of a page, with the marks of its structure and their offsets. */
interface MarkedSource {
  readonly source: string;
  readonly marks: readonly { readonly mark: StructureMark; readonly offset: number }[];
}

/** An open element of page chrome, such as a navigation bar. Its whole content is chrome. */
interface ChromeElement {
  readonly name: string;
  /** The number of open elements with the same name, including this element. */
  depth: number;
}

/** Collects the text and the structure of a page from the tokens of the page. */
class PageText {
  title: string | undefined;
  readonly #html: string;
  readonly #fragments: Fragment[] = [];
  /**
   * The text outside hidden elements, joined to long strings. Millions of short strings would take far more memory.
   */
  readonly #joined: string[] = [];
  /** The length of the joined text, and the marks in it. */
  #joinedLength = 0;
  readonly #marks: { readonly mark: StructureMark; readonly offset: number }[] = [];
  #chrome: ChromeElement | undefined;
  readonly #hidden: HiddenElement[] = [];
  /**
   * The number of open hidden elements by name. An end tag without a matching open element is then ignored without a
   * search.
   */
  readonly #open = new Map<string, number>();
  /** Names of raw text elements that were never closed. */
  readonly #unclosed = new Set<string>();
  /** The number of open preformatted elements. */
  #preformatted = 0;

  constructor(html: string) {
    this.#html = html;
  }

  toText(): MarkedSource {
    this.#join();
    return { source: this.#joined.join(""), marks: this.#marks };
  }

  /** Returns the callbacks of a tokenizer that reads the page from an offset. */
  callbacks(offset: number, isXml: boolean): TokenizerCallbacks {
    let name = "";
    let attribute = "";
    let isHidden = false;
    let isChrome = false;
    let value = "";
    const ignore = () => {};
    const slice = (start: number, end: number) => this.#html.slice(offset + start, offset + end);
    return {
      onopentagname: (start, end) => {
        name = slice(start, end).toLowerCase();
        isHidden = false;
        isChrome = isChromeElement(name);
        this.#openTag(name);
      },
      onattribname: (start, end) => {
        attribute = slice(start, end).toLowerCase();
        value = "";
        if (attribute === "hidden") isHidden = true;
      },
      onattribdata: (start, end) => {
        if (value === "") value = slice(start, Math.min(end, start + maxAttributeLength));
        if (attribute === "style" && isHiddenStyle(slice(start, end))) isHidden = true;
        // An element with `until-found` is not hidden for good: the browser shows it when a search in the page finds
        // its text.
        if (attribute === "hidden" && /^\s*until-found\s*$/i.test(slice(start, end))) isHidden = false;
      },
      onopentagend: (end) => {
        this.#markChrome(name, isChrome);
        if (isHidden) this.#hide(name);
        this.#beginContent(name, offset + end + 1);
      },
      onselfclosingtag: (end) => {
        this.#beginContent(name, offset + end + 1);
        if (isXml || this.#count("svg") > 0) this.#closeTag(name);
      },
      onclosetag: (start, end) => this.#closeTag(slice(start, end).toLowerCase()),
      ontext: (start, end) => this.#addText(slice(start, end)),
      ontextentity: (point) => this.#addText(String.fromCodePoint(point)),
      isInForeignContext: () => this.#isInSvg(),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onattribentity: ignore,
      onattribend: () => {
        isChrome ||= saysChrome(name, attribute, value);
      },
      onend: ignore,
    };
  }

  /**
   * Ends the page. If an unclosed raw text element swallowed the rest of the page, returns the offset from which the
   * page must be read again.
   */
  end(): number | undefined {
    const last = this.#hidden.at(-1);
    if (last?.isRaw !== true) return undefined;
    const { name, fragmentsBefore, start } = last;
    this.#show();
    // The page is read again at most once for each name. Otherwise, a page that consists of such tags would take
    // quadratic time.
    if (this.#unclosed.has(name)) return undefined;
    this.#fragments.length = fragmentsBefore;
    this.#unclosed.add(name);
    return codeElements.has(name) ? undefined : start;
  }

  /** Hides the element that was just opened. Its attributes say that it is hidden. */
  #hide(name: string): void {
    if (hiddenElements.has(name) || voidElements.has(name)) return;
    this.#beginHidden(name, { isRaw: false, depth: 1, start: 0 });
  }

  #beginHidden(name: string, element: Pick<HiddenElement, "isRaw" | "depth" | "start">): void {
    const fragmentsBefore = this.#fragments.length;
    this.#hidden.push({ name, fragmentsBefore, openIntegrationPoints: 0, ...element });
    this.#open.set(name, this.#count(name) + 1);
  }

  #openTag(name: string): void {
    this.#openWithin(name);
    const around = this.#hidden.at(-1);
    if (around?.name === "head" && !metadataElements.has(name)) this.#show();
    else if (around !== undefined && this.#isInSvg() && svgBreakoutElements.has(name)) this.#show();
    else if (around?.name === "svg" && htmlIntegrationPoints.has(name)) around.openIntegrationPoints++;
    if (preformattedElements.has(name)) this.#preformatted++;
    if (hiddenElements.has(name)) {
      const isRaw = (codeElements.has(name) || rawTextElements.has(name)) && !this.#isInSvg();
      this.#beginHidden(name, { isRaw, start: this.#html.length });
    } else {
      this.#addBreak(name);
      this.#addStructure(name, true);
    }
  }

  #beginContent(name: string, start: number): void {
    const last = this.#hidden.at(-1);
    if (last?.name === name) last.start = Math.min(last.start, start);
  }

  /** Counts open elements within a hidden element. Ends the hidden element if its end tag is optional. */
  #openWithin(name: string): void {
    const around = this.#hidden.at(-1);
    if (around?.depth === undefined) return;
    const isEnd =
      optionalEndTagElements.has(around.name) &&
      (name === around.name || (around.name === "p" && blockElements.has(name)));
    if (isEnd) this.#drop();
    else if (name === around.name) around.depth++;
  }

  #closeTag(name: string): void {
    const around = this.#hidden.at(-1);
    if (around?.depth !== undefined && around.name === name) {
      around.depth--;
      if (around.depth > 0) return;
      this.#drop();
      this.#addBreak(name);
      return;
    }
    if (around?.name === "svg" && htmlIntegrationPoints.has(name))
      around.openIntegrationPoints = Math.max(0, around.openIntegrationPoints - 1);
    if (preformattedElements.has(name)) this.#preformatted = Math.max(0, this.#preformatted - 1);
    if (hiddenElements.has(name)) this.#closeHidden(name);
    else {
      this.#addStructure(name, false);
      this.#endChrome(name);
      this.#addBreak(name);
    }
  }

  #closeHidden(name: string): void {
    if (this.#count(name) === 0) return;
    // Unclosed elements inside the hidden element end together with it.
    while (this.#hidden.at(-1)?.name !== name) this.#show();
    const { fragmentsBefore } = this.#hidden.at(-1) as HiddenElement;
    if (name === "title" && this.#count("svg") === 0)
      this.title ??= this.#fragments.slice(fragmentsBefore).filter(isText).join("");
    this.#drop();
  }

  /** Ends the innermost hidden element and drops its text. */
  #drop(): void {
    const element = this.#show();
    if (element !== undefined) this.#fragments.length = element.fragmentsBefore;
  }

  /** Ends the innermost hidden element, but keeps its text. */
  #show(): HiddenElement | undefined {
    const element = this.#hidden.pop();
    if (element !== undefined) this.#open.set(element.name, this.#count(element.name) - 1);
    return element;
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  #isInSvg(): boolean {
    const around = this.#hidden.at(-1);
    return around?.name === "svg" && around.openIntegrationPoints === 0;
  }

  /**
   * Marks the element that was just opened as page chrome. Inside chrome, only counts open elements of the same name.
   */
  #markChrome(name: string, isChrome: boolean): void {
    if (this.#chrome !== undefined) {
      if (this.#chrome.name === name) this.#chrome.depth++;
    } else if (isChrome && this.#hidden.length === 0) {
      this.#chrome = { name, depth: 1 };
      this.#fragments.push({ kind: "chrome", isStart: true, level: 0 });
    }
  }

  #endChrome(name: string): void {
    if (this.#chrome?.name !== name || this.#hidden.length > 0) return;
    this.#chrome.depth--;
    if (this.#chrome.depth > 0) return;
    this.#chrome = undefined;
    this.#fragments.push({ kind: "chrome", isStart: false, level: 0 });
  }

  #addStructure(name: string, isStart: boolean): void {
    const structure = structureOf(name);
    if (structure !== undefined) this.#fragments.push({ ...structure, isStart });
    // The end tag of a term is optional.
    else if (name === "dd" && isStart) this.#fragments.push({ kind: "term", isStart: false, level: 0 });
  }

  #addBreak(name: string): void {
    if (blockElements.has(name)) this.#fragments.push("\n\n");
    else if (name === "br") this.#fragments.push("\n");
    else if (cellElements.has(name)) this.#fragments.push(" ");
  }

  #joinFragments(): void {
    if (this.#fragments.length < maxFragments || this.#hidden.length > 0) return;
    this.#join();
  }

  #join(): void {
    const texts: string[] = [];
    for (const fragment of this.#fragments) {
      if (isText(fragment)) {
        texts.push(fragment);
        this.#joinedLength += fragment.length;
      } else this.#marks.push({ mark: fragment, offset: this.#joinedLength });
    }
    this.#joined.push(texts.join(""));
    this.#fragments.length = 0;
  }

  #addText(text: string): void {
    this.#joinFragments();
    const around = this.#hidden.at(-1);
    if (around?.isRaw && codeElements.has(around.name)) return;
    // Outside preformatted elements, a line end in the source is displayed as a space.
    this.#fragments.push(this.#preformatted > 0 ? text : text.replace(/[\t\n\f\r ]+/g, " "));
  }
}

function isText(fragment: Fragment): fragment is string {
  return typeof fragment === "string";
}

/** Returns true for an inline style that hides its element. Style sheets are not considered. */
function isHiddenStyle(style: string): boolean {
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(style);
}
