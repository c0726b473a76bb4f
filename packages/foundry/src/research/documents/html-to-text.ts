import type { TokenizerCallbacks } from "htmlparser2";
import { canonicalize } from "../digest/canonical-text.ts";
import type { TitledText } from "./read-document.ts";
import { tidyTitle } from "./tidy-title.ts";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** What of a page is not for readers. */
const dropped = setOf(
  "annotation annotation-xml audio canvas datalist head iframe noembed noframes noscript object script select style svg template title video",
);
/** What of that is code, and so is what is left of the page where it is never closed. */
const code = setOf("script style");
/** What of that holds no tags: where it is never closed, the tags behind it were not read as such. */
const swallowing = setOf("iframe noembed noframes title");
/** What stands by itself: before and behind it a block ends. */
const blocks = setOf(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary table tbody textarea tfoot thead tr ul xmp",
);
/** What stands apart from what is before and behind it, on the same line. */
const cells = setOf("button td th");
/** Where lines are kept as they are written. */
const preformatted = setOf("listing plaintext pre textarea xmp");
/** What else than text a head may hold; at anything else it ends, whether it is closed or not. */
const metadata = setOf("base basefont bgsound link meta noframes noscript script style template title");
/** What cannot be in a drawing, so that one ends there that was not closed; of HTML's list, those that hold text. */
const notDrawn = setOf(
  "blockquote body center code dd div dl dt em h1 h2 h3 h4 h5 h6 head li listing menu ol p pre span strong table ul",
);
/** Where a drawing holds HTML. */
const inDrawing = setOf("desc foreignobject");

/** So many short pieces are joined at a time. */
const mostParts = 1_000;

/** What has no content, so that nothing of it can be hidden. */
const empty = setOf("area base br col embed hr img input link meta param source track wbr");
/** What ends where the next of its kind, or a block, begins, though nobody closes it. */
const implied = setOf("dd dt li option p td th tr");

/** A part of a page that is not shown, if it ends. */
interface HiddenPart {
  readonly name: string;
  /** How many elements of its name are open, where it is hidden by what it says of itself and not by its kind. */
  depth?: number;
  /** How many pieces of text came before it. */
  readonly mark: number;
  /** True where nothing but its end is a tag in it. */
  readonly isRaw: boolean;
  /** Where its content begins. */
  start: number;
  /** How many places for HTML are open in a drawing. */
  places: number;
}

/**
 * The text that readers of a page see, in its canonical form. The tokens are those of HTML, but no tree is made of them:
 * it takes the same time for each tag, however deep pages are nested, and whatever is never closed. What is hidden, by its kind, the attribute `hidden` or its own
 * style, is dropped when it is closed. If it never is, it is shown, so that a tag that was forgotten does not hide the page.
 */
export async function canonicalizeHtml(html: string): Promise<TitledText> {
  const { Tokenizer } = await import("htmlparser2");
  const page = new Page(html);
  // What is written as XML closes a tag at once by a slash; in HTML that slash means nothing.
  const recognizeSelfClosing = /^\s*<\?xml/.test(html.slice(0, 1_000));
  for (let start: number | undefined = 0; start !== undefined; ) {
    const tokenizer = new Tokenizer({ recognizeSelfClosing }, page.from(start, recognizeSelfClosing));
    tokenizer.write(start === 0 ? html : html.slice(start));
    tokenizer.end();
    start = page.end();
  }
  const title = page.title === undefined ? undefined : tidyTitle(page.title);
  return { ...canonicalize(page.toText()), ...(title === undefined ? {} : { title }) };
}

/** Gathers the text of a page. */
class Page {
  title: string | undefined;
  readonly #html: string;
  readonly #parts: string[] = [];
  /** What nothing that comes can hide any more, in few long pieces: millions of short ones take far more room. */
  readonly #settled: string[] = [];
  readonly #hidden: HiddenPart[] = [];
  /** How many of each name are hidden, so that a tag that closes nothing costs nothing. */
  readonly #open = new Map<string, number>();
  /** The names of what was never closed. */
  readonly #swallowed = new Set<string>();
  /** How many places are open where lines are kept as they are written. */
  #kept = 0;

  constructor(html: string) {
    this.#html = html;
  }

  toText(): string {
    return [...this.#settled, ...this.#parts].join("");
  }

  /** Takes what a tokenizer finds in the page from there on. */
  from(offset: number, isXml: boolean): TokenizerCallbacks {
    let name = "";
    let attribute = "";
    let isHidden = false;
    const nothing = () => {};
    const slice = (start: number, end: number) => this.#html.slice(offset + start, offset + end);
    return {
      onopentagname: (start, end) => {
        name = slice(start, end).toLowerCase();
        isHidden = false;
        this.#openTag(name);
      },
      onattribname: (start, end) => {
        attribute = slice(start, end).toLowerCase();
        if (attribute === "hidden") isHidden = true;
      },
      onattribdata: (start, end) => {
        if (attribute === "style" && isUnseen(slice(start, end))) isHidden = true;
        // That is found by whoever searches the page, and shown then.
        if (attribute === "hidden" && /^\s*until-found\s*$/i.test(slice(start, end))) isHidden = false;
      },
      onopentagend: (end) => {
        if (isHidden) this.#hide(name);
        this.#begin(name, offset + end + 1);
      },
      onselfclosingtag: (end) => {
        this.#begin(name, offset + end + 1);
        if (isXml || this.#count("svg") > 0) this.#closeTag(name);
      },
      onclosetag: (start, end) => this.#closeTag(slice(start, end).toLowerCase()),
      ontext: (start, end) => this.#addText(slice(start, end)),
      ontextentity: (point) => this.#addText(String.fromCodePoint(point)),
      isInForeignContext: () => this.#isInDrawing(),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onend: nothing,
    };
  }

  /** Ends the page, or tells from where it has to be read again: where a tag swallowed the rest of it. */
  end(): number | undefined {
    const last = this.#hidden.at(-1);
    if (last?.isRaw !== true) return undefined;
    const { name, mark, start } = last;
    this.#leave();
    // Once for each name: a page of such tags alone would be read again for each of them.
    if (this.#swallowed.has(name)) return undefined;
    this.#parts.length = mark;
    this.#swallowed.add(name);
    return code.has(name) ? undefined : start;
  }

  /** Hides the element that was just opened, for what it says of itself. */
  #hide(name: string): void {
    if (dropped.has(name) || empty.has(name)) return;
    this.#hidden.push({ name, isRaw: false, depth: 1, mark: this.#parts.length, start: 0, places: 0 });
    this.#open.set(name, this.#count(name) + 1);
  }

  #openTag(name: string): void {
    this.#openWithin(name);
    const around = this.#hidden.at(-1);
    if (around?.name === "head" && !metadata.has(name)) this.#leave();
    else if (around !== undefined && this.#isInDrawing() && notDrawn.has(name)) this.#leave();
    else if (around?.name === "svg" && inDrawing.has(name)) around.places++;
    if (preformatted.has(name)) this.#kept++;
    if (dropped.has(name)) {
      const isRaw = (code.has(name) || swallowing.has(name)) && !this.#isInDrawing();
      this.#hidden.push({ name, isRaw, mark: this.#parts.length, start: this.#html.length, places: 0 });
      this.#open.set(name, this.#count(name) + 1);
    } else this.#addBreak(name);
  }

  #begin(name: string, start: number): void {
    const last = this.#hidden.at(-1);
    if (last?.name === name) last.start = Math.min(last.start, start);
  }

  /** Keeps count of what is open in an element that is hidden, and ends it where it ends unsaid. */
  #openWithin(name: string): void {
    const around = this.#hidden.at(-1);
    if (around?.depth === undefined) return;
    const isEnd =
      implied.has(around.name) && (name === around.name || (around.name === "p" && blocks.has(name)));
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
    if (around?.name === "svg" && inDrawing.has(name)) around.places = Math.max(0, around.places - 1);
    if (preformatted.has(name)) this.#kept = Math.max(0, this.#kept - 1);
    if (dropped.has(name)) this.#closeHidden(name);
    else this.#addBreak(name);
  }

  #closeHidden(name: string): void {
    if (this.#count(name) === 0) return;
    // What was forgotten within it ends with it.
    while (this.#hidden.at(-1)?.name !== name) this.#leave();
    const { mark } = this.#hidden.at(-1) as HiddenPart;
    if (name === "title" && this.#count("svg") === 0) this.title ??= this.#parts.slice(mark).join("");
    this.#drop();
  }

  /** The innermost part that is hidden has ended, and with it its text. */
  #drop(): void {
    const part = this.#leave();
    if (part !== undefined) this.#parts.length = part.mark;
  }

  /** The innermost part that is hidden is so no more. */
  #leave(): HiddenPart | undefined {
    const part = this.#hidden.pop();
    if (part !== undefined) this.#open.set(part.name, this.#count(part.name) - 1);
    return part;
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  #isInDrawing(): boolean {
    const around = this.#hidden.at(-1);
    return around?.name === "svg" && around.places === 0;
  }

  #addBreak(name: string): void {
    if (blocks.has(name)) this.#parts.push("\n\n");
    else if (name === "br") this.#parts.push("\n");
    else if (cells.has(name)) this.#parts.push(" ");
  }

  #settle(): void {
    if (this.#parts.length < mostParts || this.#hidden.length > 0) return;
    this.#settled.push(this.#parts.join(""));
    this.#parts.length = 0;
  }

  #addText(text: string): void {
    this.#settle();
    const around = this.#hidden.at(-1);
    if (around?.isRaw && code.has(around.name)) return;
    // Lines of the source are not those of the page.
    this.#parts.push(this.#kept > 0 ? text : text.replace(/[\t\n\f\r ]+/g, " "));
  }
}

/** True for a style of an element that nobody sees; what style sheets say is not known. */
function isUnseen(style: string): boolean {
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(style);
}
