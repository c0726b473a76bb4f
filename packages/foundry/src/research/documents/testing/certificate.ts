import { generateKeyPairSync, sign } from "node:crypto";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** The key of a test server. A new key is generated in each run. */
export const key = privateKey.export({ type: "pkcs8", format: "pem" });

/** The self-signed certificate of the test server. */
export const certificate = writeCertificate("public.test");

function writeCertificate(name: string): string {
  const sequence = (...parts: readonly Uint8Array[]) => value(0x30, ...parts);
  const algorithm = sequence(value(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const subject = sequence(
    value(0x31, sequence(value(0x06, Buffer.from("550403", "hex")), value(0x0c, Buffer.from(name)))),
  );
  const time = (text: string) => value(0x18, Buffer.from(text));
  const content = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))),
    value(0x02, Buffer.from([1])),
    algorithm,
    subject,
    sequence(time("20200101000000Z"), time("21000101000000Z")),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = value(0x03, Buffer.from([0]), sign("sha256", content, privateKey));
  const text = sequence(content, algorithm, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${(text.match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** Encodes a DER value as tag, length and content. */
function value(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
