import type { ReadStream } from "node:tty";
import { openBrowser } from "./open-browser.ts";

/** Opens an address in the browser whenever the user presses Enter. Returns the function that ends the offer. */
export function offerBrowser(opener: readonly string[], url: string, input: ReadStream): () => void {
  const open = () =>
    void openBrowser(opener, url).then((isOpened) => {
      if (!isOpened) process.stderr.write(`No browser could be started. Open ${url} yourself.\n`);
    });
  input.on("data", open);
  return () => {
    input.off("data", open);
    // A paused terminal does not keep the process alive.
    input.pause();
  };
}
