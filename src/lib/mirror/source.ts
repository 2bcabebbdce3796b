import type { PageSource } from '../walk/page-source.ts'
import type { Refund } from '../wire/refunds.ts'
import type { Transportation } from '../wire/transportations.ts'

/** What is copied from. Each throws what the requests throw. */
export interface MirrorSource extends PageSource {
  /** Undefined: there is no such return any more. */
  transportations(id: string): Promise<readonly Transportation[] | undefined>
  refunds(id: string): Promise<readonly Refund[] | undefined>
}
