import { toVisible } from "@foundry-mcp/toolkit/cli";

/** An XML element. Attributes with the value undefined are left out. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly content?: string | readonly XmlElement[] | undefined;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Serializes an XML 1.0 document. */
export function toXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toElement(root, "")}\n`;
}

function toElement({ name, attributes, content = [] }: XmlElement, indent: string): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${toEscaped(String(value), /[&<>"'\n\t]/g)}"`)
    .join("");
  const opening = `${indent}<${name}${written}`;
  if (content.length === 0) return `${opening}/>`;
  if (typeof content === "string") return `${opening}>${toEscaped(content, /[&<>]/g)}</${name}>`;
  const inner = content.map((element) => toElement(element, `${indent}  `)).join("\n");
  return `${opening}>\n${inner}\n${indent}</${name}>`;
}

function toEscaped(text: string, special: RegExp): string {
  return toXmlText(text).replace(special, (character) => entities[character] ?? "");
}

/** Replaces the characters that XML 1.0 cannot represent: control characters, lone surrogates, U+FFFE and U+FFFF. */
function toXmlText(text: string): string {
  return toVisible(text, { keepLines: true })
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, "\ufffd");
}
