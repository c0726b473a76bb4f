// The script of a hostile page, served to a real browser. It tries every way in which a page can send a
// request to a server, and reports the parts of the answers that it could read.

/** If an attempt fires no event within this time, it counts as an attempt that read nothing. */
const patienceMs = 10_000;

/** Resolves with the text that an attempt read, or with null if the attempt failed or could read nothing. */
function attempt(run, waitMs = patienceMs) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), waitMs);
    const end = (read) => {
      clearTimeout(timer);
      resolve(read === undefined || read === "" ? null : read);
    };
    try {
      Promise.resolve(run(end)).catch(() => end(null));
    } catch {
      end(null);
    }
  });
}

const readFetch = (url, init) => attempt(async (end) => end(await (await fetch(url, init)).text()));

const readXhr = (url, method, type, body) =>
  attempt((end) => {
    const xhr = new XMLHttpRequest();
    xhr.onload = () => end(xhr.responseText);
    xhr.onerror = () => end(null);
    xhr.open(method, url);
    if (type !== undefined) xhr.setRequestHeader("content-type", type);
    xhr.send(body);
  });

/** Loads an element, and reads the parts of the element that the document may access. */
const readElement = (tag, attributes, read = () => null) =>
  attempt((end) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.onload = () => end(readSafely(() => read(element)));
    element.onerror = () => end(null);
    document.body.append(element);
  });

const readSafely = (read) => {
  try {
    return read();
  } catch {
    return null;
  }
};
const readFrame = (frame) => frame.contentDocument.documentElement.textContent;

/**
 * Submits a form into a frame. A form of type text/plain sends the name, an equals sign and the value of its
 * field. Name and value are chosen so that the whole is JSON: the equals sign is inside the text of the
 * parameter `filler`.
 */
const submitForm = (url, body, filler, attributes) =>
  attempt((end) => {
    const name = `frame-${Math.random()}`;
    const form = Object.assign(document.createElement("form"), { method: "POST", action: url, target: name });
    Object.assign(form, attributes);
    const field = document.createElement("input");
    field.name = `${body.slice(0, -1)},"${filler}":"`;
    field.value = '"}';
    form.append(field);
    const frame = Object.assign(document.createElement("iframe"), { name });
    // The first load event comes from the empty frame.
    frame.onload = () => {
      frame.onload = () => end(readSafely(() => readFrame(frame)));
      form.submit();
    };
    document.body.append(form);
    document.body.append(frame);
  });

/** A sandboxed page with the opaque origin "null", which sends the request and reports the answer. */
const sendFromSandbox = (url, body) =>
  attempt((end) => {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts allow-forms";
    addEventListener("message", ({ data, source }) => {
      if (source === frame.contentWindow) end(data.read);
    });
    frame.srcdoc = `<script>
      fetch(${JSON.stringify(url)}, { method: "POST", headers: { "content-type": "text/plain" }, body: ${JSON.stringify(body)} })
        .then((answer) => answer.text())
        .then((read) => parent.postMessage({ read }, "*"), () => parent.postMessage({ read: null }, "*"));
    </script>`;
    document.body.append(frame);
  });

/**
 * A beacon has no result. The browser's resource timings show that a beacon was answered, but not that it
 * failed.
 */
const sendBeacon = (url, body, type) =>
  attempt((end) => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(({ name }) => name === url)) {
        observer.disconnect();
        end(null);
      }
    });
    observer.observe({ type: "resource" });
    if (!navigator.sendBeacon(url, new Blob([body], { type }))) end(null);
  }, 3_000);

const openSocket = (url) =>
  attempt((end) => {
    const socket = new WebSocket(url.replace("http", "ws"));
    socket.onopen = () => {
      socket.close();
      end("the socket opened");
    };
    socket.onerror = () => end(null);
  });

const openEvents = (url) =>
  attempt((end) => {
    const events = new EventSource(url);
    events.onopen = () => {
      events.close();
      end("the stream opened");
    };
    events.onerror = () => {
      events.close();
      end(null);
    };
  });

/** Every way to send a body, by name. */
const posts = {
  "fetch json": (url, body) =>
    readFetch(url, { method: "POST", headers: { "content-type": "application/json" }, body }),
  "fetch json of mcp 2025": (url, body) =>
    readFetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body,
    }),
  "fetch json of mcp 2026": (url, body) =>
    readFetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "spec",
      },
      body,
    }),
  "fetch text": (url, body) =>
    readFetch(url, { method: "POST", headers: { "content-type": "text/plain" }, body }),
  "fetch without type": (url, body) => readFetch(url, { method: "POST", body: new Blob([body]) }),
  "fetch no-cors": (url, body) =>
    readFetch(url, { method: "POST", mode: "no-cors", headers: { "content-type": "text/plain" }, body }),
  "fetch no-referrer": (url, body) =>
    readFetch(url, { method: "POST", mode: "no-cors", referrerPolicy: "no-referrer", body }),
  "fetch keepalive with credentials": (url, body) =>
    readFetch(url, { method: "POST", mode: "no-cors", keepalive: true, credentials: "include", body }),
  "xhr json": (url, body) => readXhr(url, "POST", "application/json", body),
  "xhr text": (url, body) => readXhr(url, "POST", "text/plain", body),
  "form text": (url, body, filler) => submitForm(url, body, filler, { enctype: "text/plain" }),
  "form text without referrer": (url, body, filler) =>
    submitForm(url, body, filler, { enctype: "text/plain", rel: "noreferrer" }),
  "form urlencoded": (url, body, filler) => submitForm(url, body, filler, {}),
  "form multipart": (url, body, filler) => submitForm(url, body, filler, { enctype: "multipart/form-data" }),
  "fetch in a sandbox": (url, body) => sendFromSandbox(url, body),
  "beacon text": (url, body) => sendBeacon(url, body, "text/plain"),
  "beacon json": (url, body) => sendBeacon(url, body, "application/json"),
};

/** Every way to send a request without a body, by name. */
const gets = {
  fetch: (url) => readFetch(url),
  "fetch no-cors": (url) => readFetch(url, { mode: "no-cors" }),
  xhr: (url) => readXhr(url, "GET"),
  frame: (url) => readElement("iframe", { src: url }, readFrame),
  image: (url) => readElement("img", { src: url }),
  script: (url) => readElement("script", { src: url }),
  style: (url) =>
    readElement("link", { rel: "stylesheet", href: url }, (link) => link.sheet.cssRules[0]?.cssText),
  events: openEvents,
  socket: openSocket,
};

/**
 * Runs every attempt against a server.
 *
 * @param base the address of the server, such as `http://127.0.0.1:3117`
 * @param bodies the requests to post: `[path, body, filler]`, where the filler is a parameter that takes any
 * text
 * @param paths the paths to request
 * @returns `[attempt, the text that was read, or null]` for each attempt
 */
globalThis.attack = async (base, bodies, paths) => {
  const tries = [];
  let number = 0;
  const toUrl = (path, name) => `${base}${path}?try=${++number}&as=${encodeURIComponent(name)}`;
  for (const [name, send] of Object.entries(posts))
    for (const [path, body, filler] of bodies)
      tries.push([`${name}, POST ${path}`, () => send(toUrl(path, name), body, filler)]);
  for (const [name, send] of Object.entries(gets))
    for (const path of paths) tries.push([`${name}, GET ${path}`, () => send(toUrl(path, name))]);
  const reads = await Promise.all(tries.map(async ([name, run]) => [name, await run()]));
  document.body.replaceChildren();
  return reads;
};

/** The names of all attempts, for the test that each attempt reaches a server without protection. */
globalThis.attemptNames = [...new Set([...Object.keys(posts), ...Object.keys(gets)])];
