/** A parsed element. `text` is the text directly in the element. */
export interface ReadElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly ReadElement[];
  readonly text: string;
}

/** The characters that XML 1.0 allows. */
const holdable = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const nameForm = "[A-Za-z][A-Za-z0-9_-]*";
const opening = new RegExp(`<(${nameForm})((?:\\s+${nameForm}="[^"<]*")*)\\s*(/?)>`, "y");
const closing = new RegExp(`</(${nameForm})\\s*>`, "y");
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Parses an XML 1.0 document without comments, CDATA and DTD. Throws if the document is not well-formed. */
export function parseXml(document: string): ReadElement {
  if (!holdable.test(document)) throw new Error("A character that XML cannot hold");
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(head)) throw new Error("No declaration");
  const { element, end } = parseElement(document, head.length);
  if (document.slice(end) !== "\n") throw new Error(`Something after the root at ${end}`);
  return element;
}

function parseElement(document: string, at: number): { readonly element: ReadElement; readonly end: number } {
  opening.lastIndex = at;
  const [start, name = "", written = "", isEmpty] = opening.exec(document) ?? [];
  if (start === undefined) throw new Error(`No element at ${at}`);
  const pairs = [...written.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]);
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length)
    throw new Error(`An attribute twice at ${at}`);
  const attributes = Object.fromEntries(
    // A parser normalizes line breaks and tabs in an attribute to spaces, except references.
    pairs.map(([key = "", value = ""]) => [key, toText(value.replace(/[\t\n\r]/g, " "))]),
  );
  const children: ReadElement[] = [];
  let text = "";
  let end = at + start.length;
  while (isEmpty === "") {
    const next = document.indexOf("<", end);
    if (next === -1) throw new Error(`<${name}> is not closed`);
    text += document.slice(end, next);
    closing.lastIndex = next;
    const close = closing.exec(document);
    if (close !== null) {
      if (close[1] !== name) throw new Error(`</${close[1]}> closes <${name}>`);
      end = next + close[0].length;
      break;
    }
    const child = parseElement(document, next);
    children.push(child.element);
    end = child.end;
  }
  if (text.includes("]]>")) throw new Error("]]> in a text");
  return { element: { name, attributes, children, text: toText(text.replace(/\r\n?/g, "\n")) }, end };
}

function toText(written: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(written)) throw new Error(`A bare & in ${written}`);
  return written.replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, entity: string) =>
    code === undefined ? (entities[entity] ?? "") : String.fromCodePoint(Number(code)),
  );
}
