import type { Return } from '../../wire/returns.ts'
import type { SandboxActions } from './sandbox-actions.ts'

export const DECISIONS = {
  approve: (world, ref) => world.approve(ref),
  discard: (world, ref) => world.discard(ref),
  receive: (world, ref) => world.receive(ref),
  check: (world, ref) => world.check(ref),
  close: (world, ref) => world.close(ref),
  'lose-parcel': (world, ref) => world.loseParcel(ref),
} satisfies Record<string, (world: SandboxActions, returnRef: string) => Promise<Return>>
