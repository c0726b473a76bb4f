import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../digest/canonical-text.ts";
import { htmlToText } from "./html-to-text.ts";

const textOf = async (html: string) => (await htmlToText(html)).text;

describe("the text of a page", () => {
  test.each([
    ["entities", "Hello&nbsp;World &copy 2024 &#39;q&#39; &#x1F600;", "Hello World © 2024 'q' 😀"],
    ["what was escaped twice", "&amp;lt;x&amp;gt;", "&lt;x&gt;"],
    ["a sign that was escaped", "1 &lt; 2 and a &lt;b&gt; c", "1 < 2 and a <b> c"],
    ["a bare sign", "1 < 2 and 3 > 2, a<2", "1 < 2 and 3 > 2, a<2"],
    ["no half of a character", "a&#xD800;b", "a�b"],
    ["words that tags do not part", "<b>bo</b><i>ld</i>, <a href='x'>link</a>s", "bold, links"],
    [
      "blocks that tags part",
      "<h1>Head</h1><p>one<p>two<ul><li>three<li>four</ul>",
      "Head one two three four",
    ],
    ["cells", "<table><tr><td>a</td><td>b<th>c</table>", "a b c"],
    ["lines", "a<br>b<br/>c</br>d", "a b c d"],
    ["white space of the source", "<p>one\n   two\t\n\n three</p>", "one two three"],
    ["attributes with signs in them", "<p title=\"a > b\" data-x='</p>'>x</p>", "x"],
    ["upper case", "<SCRIPT>no</SCRIPT><P>yes</P>", "yes"],
    ["formulas", "<math><mi>E</mi><mo>=</mo><mi>m</mi><annotation>\\tex</annotation></math>", "E=m"],
    ["what may be typed in", "<textarea>a <b> c</textarea><button>Go</button>on", "a <b> c Go on"],
    ["tags that are not finished", "text <b", "text"],
    ["tags that are nowhere closed", "<div><p>one <b>two<section>three", "one two three"],
    ["tags that were never opened", "</div>one</b></p>two</section>", "one two"],
    ["tags that nobody knows", "<my-own x>one</my-own> two", "one two"],
    ["what only looks hidden", "<p class=hidden data-hidden style='display:nonesuch'>one</p>", "one"],
    ["what is shown when it is found", "<p hidden=until-found>one</p> two", "one two"],
    ["what is hidden and never ends", "one <span hidden>two <p>three", "one two three"],
    ["what cannot be hidden", "one <br hidden>two <input hidden> three", "one two three"],
    ["everything as text where that is said", "<plaintext>a <b> c", "a <b> c"],
  ])("has %s", async (_, html, text) => {
    expect(await textOf(html)).toBe(text);
  });

  test.each([
    ["scripts", "a<script>var x = '<p>no</p>'; // </p>\n</script>b", "ab"],
    ["scripts that write scripts", "a<script>w('<script></scr'+'ipt>')</script >b", "ab"],
    ["what is behind the first end of a script", "a<script>var s = '</script>b'", "ab'"],
    ["a script that never ends", "a<script>var x = 1 < 2; <p>b", "a"],
    ["styles", "a<style>p > a {}</style>b", "ab"],
    ["comments", "a<!-- <p>no</p> -- > --!>b<!-->c<!--->d<!-- e", "abcd"],
    ["declarations", "<?xml version='1.0'?><!DOCTYPE html><![CDATA[no]]>a", "a"],
    ["templates", "a<template><p>no<template>no</template>no</template>b", "ab"],
    ["what is for others", "a<noscript>no<p>no</noscript>b<iframe>no</iframe>c<object>no</object>d", "abcd"],
    ["drawings", "a<svg><title>no</title><text>no</text><path/></svg>b<canvas>no</canvas>c", "abc"],
    ["HTML in drawings", "a<svg><foreignObject><p>no</p></foreignObject></svg>b", "ab"],
    ["drawings that are empty", "a<svg/>b", "ab"],
    ["choices", "a<select><option>no<option>no</select>b<datalist>no</datalist>c", "abc"],
    ["the head", "<head>no<meta charset=x><title>T</title><style>no</style></head><body>yes", "yes"],
    ["ends of tags within others", "a<template>no</div>no</template>b", "ab"],
    [
      "what says that it is hidden",
      "a<span hidden>no</span>b<div HIDDEN=''>no<div>no</div>no</div>c",
      "ab c",
    ],
    [
      "what its style hides",
      "a<b style='color:red; DISPLAY : none'>no</b>b<i style=\"visibility:hidden;x:y\">no<br>no</i>c",
      "abc",
    ],
    ["hidden paragraphs and items that nobody closes", "<p hidden>no<p>a<ul><li hidden>no<li>b</ul>", "a b"],
    ["scripts in what is hidden", "a<div hidden>no<script>'</div>'</script>no</div>b", "a b"],
  ])("omits %s", async (_, html, text) => {
    expect(await textOf(html)).toBe(text);
  });

  test.each([
    ["<svg><p>x</svg>rest", "xrest"],
    ["<svg><g><div>x</div></g>rest", "x rest"],
    ["<svg><title>x</svg>rest", "rest"],
    ["<svg><style>p{}<p>rest", "p{} rest"],
    ["<svg><foreignObject><p>x</svg>rest", "rest"],
    ["a<noscript>b<p>rest", "ab rest"],
    ["a<noscript>b<p>rest<noscript>no</noscript>end", "ab restend"],
    ["a<div><noscript>b</div>rest", "a b rest"],
    ["a<select><option>b<p>rest", "a b rest"],
    ["<template>a<video>b<p>rest", "ab rest"],
    ["<noscript><svg>no</noscript>rest", "rest"],
    ["<head><title>T</title><p>rest", "rest"],
    ["<head><title>T</title><div>rest</head>end", "restend"],
    ["<title>T<p>rest", "T rest"],
    ["<title>T<iframe>x<p>rest", "Tx rest"],
    ["a<iframe src=x><p>rest</p>end", "a rest end"],
    ["</template></svg></select>rest</noscript>", "rest"],
  ])("survives an unclosed element: %s", async (html, text) => {
    expect(await textOf(html)).toBe(text);
  });

  test("honours self-closing tags in XHTML only", async () => {
    const body = '<html><head><title/></head><body><script src="x"/><p/>text</body></html>';
    expect(await htmlToText(`<?xml version="1.0"?>${body}`)).toEqual({
      text: "text",
      blocks: [0],
      outline: { headings: [], chrome: [] },
    });
    expect(await textOf('a<div/>b<script src="x"/>no')).toBe("a b");
  });

  test("takes its blocks from elements, not from line ends", async () => {
    expect(await htmlToText("<h1>Head</h1>\n<p>minus\n- 5\n\n# no head</p><pre>a\n\n- b</pre>c")).toEqual({
      text: "Head minus - 5 # no head a - b c",
      blocks: [0, 5, 25, 27, 31],
      outline: { headings: [{ start: 0, end: 4, level: 1 }], chrome: [] },
    });
  });

  test("is the unescaped text, for any text", async () => {
    const toSource = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 60 }), async (text) => {
        expect(await textOf(toSource(text))).toBe(canonicalize(text).text);
      }),
    );
  });

  test("is extracted from any input without an error", async () => {
    const names =
      "p div svg g foreignObject head body title script style noscript select template iframe pre x".split(
        " ",
      );
    const fragment = fc.oneof(
      fc.constantFrom("text ", "&amp;", "<!--", "-->", "<", "</", ">", "/>", '"', "<![CDATA["),
      fc.constantFrom(...names).map((name) => `<${name}>`),
      fc.constantFrom(...names).map((name) => `</${name}>`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 40 }), async (fragments) => {
        const { text, blocks } = await htmlToText(fragments.join(""));
        expect(text).toBe(canonicalize(text).text);
        expect(blocks.every((at) => at < text.length)).toBe(true);
        // Text before the generated part is never lost.
        expect(await textOf(`first ${fragments.join("")}`)).toMatch(/^first/);
      }),
    );
  });
});

describe("the title of a page", () => {
  test.each([
    ["<title>\n A &amp; B  <b>c</b>\n</title>text", "A & B <b>c</b>"],
    ["<svg><title>no</title></svg><title>One</title><title>Two</title>text", "One"],
    ["<title> \n </title>text", undefined],
    ["<title>T<p>rest of a page that forgot to close it", undefined],
    ["text", undefined],
  ])("%s", async (html, title) => {
    expect((await htmlToText(html)).title).toBe(title);
  });
});

// With quadratic time, these pages would take hours, which is far more than the timeout of a test.
describe("a hostile page", () => {
  const count = 100_000;
  test.each([
    ["deep nesting", "<div>".repeat(count), ""],
    ["deep nesting, closed", `${"<b>".repeat(count)}text${"</b>".repeat(count)}`, "text"],
    [
      "ends of what was never opened, in the deep",
      `${"<i>".repeat(count)}${"</u>".repeat(count)}text`,
      "text",
    ],
    ["hidden parts in hidden parts", `${"<template>a".repeat(count)}text`, `${"a".repeat(count)}text`],
    ["hidden parts, closed", `${"<svg><g>".repeat(count)}${"</svg>".repeat(count)}text`, "text"],
    ["titles that swallow titles", `${"<title>".repeat(count)}text`, `${"<title>".repeat(count - 2)}text`],
    ["titles in drawings", `${"<svg><title>".repeat(count)}text`, "text"],
    ["beginnings of comments", "<!--".repeat(count), ""],
    ["beginnings of tags", "<".repeat(count), "<".repeat(count)],
    ["entities that are none", "&a".repeat(count), "&a".repeat(count)],
    ["attributes", `<p ${"a='b' ".repeat(count)}>text`, "text"],
    ["forms in forms", `${"<form>".repeat(count)}text`, "text"],
  ])("is read in linear time: %s", async (_, html, text) => {
    expect((await textOf(html)) === text).toBe(true);
  });

  test("is read completely where it is large", async () => {
    const rows = Math.ceil((20 * 2 ** 20) / 64);
    const html = `${'<tr class="row"><td>cell one</td><td><b>two</b> &amp; three</td>\n'.repeat(rows)}`;
    expect(html.length).toBeGreaterThan(20 * 2 ** 20);
    const { text, blocks } = await htmlToText(html);
    expect(text === `${"cell one two & three ".repeat(rows - 1)}cell one two & three`).toBe(true);
    expect(blocks.length).toBe(rows);
  });
});
