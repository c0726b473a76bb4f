// The script of the documentation: the search, and the choice of dark or light. It loads nothing from the network
// except the search index, which is a file of the site.
import MiniSearch from "minisearch";
import { searchOptions } from "../search-options.ts";

const root = document.documentElement.dataset.root ?? "";
const input = document.querySelector("#search");
const list = document.querySelector("#results");
const theme = document.querySelector("#theme");

/** Loads the index at the first search. A script works in a page that is opened as a file; fetch does not. */
let index;
function loadIndex() {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}assets/search-index.js`;
    script.onload = () => resolve(MiniSearch.loadJS(globalThis.searchIndex, searchOptions));
    script.onerror = reject;
    document.head.append(script);
  });
  return index;
}

let selected = -1;
function select(next) {
  const options = [...list.children];
  selected = options.length === 0 ? -1 : (next + options.length) % options.length;
  for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === selected));
  const chosen = options[selected];
  chosen?.scrollIntoView({ block: "nearest" });
  if (chosen === undefined) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", chosen.id);
}

function close() {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

async function search() {
  const query = input.value.trim();
  if (query === "") return close();
  const found = (await loadIndex()).search(query).slice(0, 12);
  if (input.value.trim() !== query) return;
  list.replaceChildren(
    ...found.map(({ id, heading, title }, at) => {
      const option = document.createElement("li");
      option.id = `result-${at}`;
      option.setAttribute("role", "option");
      option.dataset.href = root + id;
      option.textContent = heading === "" ? title : heading;
      const where = document.createElement("small");
      where.textContent = title;
      option.append(where);
      return option;
    }),
  );
  list.hidden = found.length === 0;
  input.setAttribute("aria-expanded", String(found.length > 0));
  select(0);
}

const follow = (option) => {
  if (option?.dataset.href !== undefined) location.href = option.dataset.href;
};
input.addEventListener("input", search);
input.addEventListener("focus", loadIndex, { once: true });
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    select(selected + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter") follow(list.children[selected]);
  else if (event.key === "Escape") close();
});
list.addEventListener("mousedown", (event) => {
  event.preventDefault();
  follow(event.target.closest("[role=option]"));
});
input.addEventListener("blur", close);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || document.activeElement === input) return;
  event.preventDefault();
  input.focus();
});

// A browser may refuse storage; the choice then lasts for one page.
const storage = {
  read() {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  },
  write(value) {
    try {
      localStorage.setItem("theme", value);
    } catch {}
  },
};
function show(value) {
  document.documentElement.dataset.theme = value;
  theme.textContent = value === "dark" ? "Light" : "Dark";
}
show(storage.read() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
theme.hidden = false;
theme.addEventListener("click", () => {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  show(next);
  storage.write(next);
});
