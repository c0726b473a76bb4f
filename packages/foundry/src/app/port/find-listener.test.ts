import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { findListener, parseListeners, toProgram } from "./find-listener.ts";

const header =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0 100 0`;

describe("the table of sockets", () => {
  it("is read for those that listen", () => {
    const table = [
      header,
      row("0100007F:0C2D", "0A", 11),
      row("0100007F:0C2D", "01", 12),
      row("00000000:0050", "0A", 13),
      row("00000000000000000000000001000000:1F90", "0A", 14),
      row("0000000000000000FFFF00000100007F:1F90", "0A", 15),
      row("B80D0120000000000000000001000000:1F90", "0A", 16),
      row("00000000000000000000000000000000:1F90", "0A", 17),
      "",
    ].join("\n");
    expect(parseListeners(table)).toEqual([
      { address: "127.0.0.1", port: 3117, inode: "11" },
      { address: "0.0.0.0", port: 80, inode: "13" },
      { address: "::1", port: 8080, inode: "14" },
      { address: "127.0.0.1", port: 8080, inode: "15" },
      { address: "2001:db8::1", port: 8080, inode: "16" },
      { address: "::", port: 8080, inode: "17" },
    ]);
    expect(parseListeners("")).toEqual([]);
  });

  it.skipIf(process.platform !== "linux")("leads to the process", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
    );
    onTestFinished(() => void server.close());
    const found = { pid: process.pid, program: expect.stringMatching(/^node/) };
    expect(await findListener("127.0.0.1", port)).toEqual(found);
    expect(await findListener("0.0.0.0", port)).toEqual(found);
    expect(await findListener("127.0.0.2", port)).toBeUndefined();
  });
});

it.each([
  ["/usr/bin/node\0/opt/app/server.js\0--token\0secret\0", "node server.js"],
  ["/usr/bin/node\0--inspect\0server.js\0", "node"],
  ["python3.12\0-m\0http.server\0", "python3.12"],
  ["/usr/sbin/postgres\0-D\0/data\0", "postgres"],
  ["nginx: master process /usr/sbin/nginx -g daemon off;\0", "nginx"],
  [`/bin/${"x".repeat(100)}\0`, "x".repeat(60)],
  ["", ""],
])("the program of %j", (commandLine, program) => {
  expect(toProgram(commandLine)).toBe(program);
});
