import { afterAll, describe, expect, it } from "vitest";
import { type AttackChoice, attacks, attacksOn, skippedAttacks } from "./attacks.ts";
import { runAttack } from "./run-attack.ts";
import type { RepositoryIds, SampleRepository, Target } from "./sample-repository.ts";
import type { Call, Surface } from "./surfaces.ts";

/** A surface, and the calls that are made over it. */
export interface AttackedSurface {
  readonly surface: Surface;
  readonly callsFor: (path: string, ids: RepositoryIds) => readonly Call[];
  /** @default all */
  readonly choice?: AttackChoice;
}

/** One leftover for all folders: over stdio each is attacked, and a slower surface finds them by the same code. */
export function isNoFurtherLeftover({ kind }: Target): boolean {
  return !kind.endsWith("TEMPORARY") || kind === "specs/active/TEMPORARY";
}

/** A process that hangs is noticed by the deadline of its call, long before. */
const timeoutMs = 600_000;

/**
 * Replaces each kind of file and folder by everything hostile, and holds every call to the same promises: an envelope
 * in time, nothing outside read or changed, bounded memory, and other specs are served.
 */
export function describeAttacks(
  repository: SampleRepository,
  { surface, callsFor, choice = "all" }: AttackedSurface,
  isChosen: (target: Target) => boolean = () => true,
): void {
  describe(`a hostile repository over ${surface.name}`, () => {
    afterAll(async () => {
      await surface.kill();
      repository.remove();
    });

    it("is worked in by every call while nothing is hostile", async () => {
      repository.restore();
      const refused: string[] = [];
      for (const call of callsFor("specs", repository.ids)) {
        const { envelope } = await surface.call(call);
        if (envelope.success === (call.isRefused ?? false))
          refused.push(`${call.tool} ${JSON.stringify(call.args)}: ${envelope.error}`);
      }
      expect(refused).toEqual([]);
    });

    if (skippedAttacks.length > 0)
      it.skip(`not possible on this machine: ${skippedAttacks.join(", ")}`, () => {});

    // A person may name any document on the command line.
    const isReachable = ({ path }: Target) => !(surface.isOneShot && path.startsWith("notes"));
    for (const target of repository.targets.filter(isReachable).filter(isChosen))
      it(
        target.kind,
        async () => {
          const found: string[] = [];
          const calls = callsFor(target.path, repository.ids);
          for (const attack of attacksOn(target, choice))
            found.push(...(await runAttack(repository, target, attack, surface, calls)));
          expect(found).toEqual([]);
        },
        timeoutMs,
      );

    it.skipIf(surface.isOneShot)(
      "ends when it is told to, whatever its last calls found",
      async () => {
        const endings: string[] = [];
        for (const name of ["a FIFO", "a link to /dev/zero", "a socket"]) {
          const attack = attacks.find((each) => each.name === name)!;
          repository.restore();
          for (const { path, isFolder } of repository.targets)
            if (!isFolder && path.startsWith("specs"))
              await attack.place(`${repository.folder}/${path}`, repository);
          await surface.restart();
          const calls = callsFor("specs", repository.ids).map((call) =>
            surface.call(call).catch(() => undefined),
          );
          await calls[0];
          if (!(await surface.end())) endings.push(`${name}: it ignored SIGTERM`);
          await Promise.all(calls);
        }
        expect(endings).toEqual([]);
      },
      timeoutMs,
    );
  });
}
