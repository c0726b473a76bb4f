import { statfsSync } from "node:fs";

/** The magic numbers (statfs) of file systems that other machines change, or that answer over a network. */
const remoteTypes: ReadonlySet<number> = new Set([
  0x6969, // nfs
  0x517b, // smb
  0xff534d42, // cifs
  0xfe534d42, // smb2
  0x65735546, // fuse, and sshfs with it
  0x01021997, // 9p: folders that a virtual machine shares with its host
  0x786f4256, // vboxsf
  0x00c36400, // ceph
  0x5346414f, // afs
  0x0bd00bd0, // lustre
]);

/** True for a folder on a file system of the network; false for a missing one, and where the system does not say. */
export function isRemoteFolder(path: string): boolean {
  try {
    return remoteTypes.has(statfsSync(path).type >>> 0);
  } catch {
    return false;
  }
}
