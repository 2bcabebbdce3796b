import { type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { readDuration } from '../../config/flag-values.ts'
import { nearHints, usageError } from '../../errors.ts'
import { type CopyChoices, DEFAULT_CHOICES } from '../../mirror/store/state.ts'

const PARTS = ['transports', 'refunds', 'none']
const DAY_SECONDS = 86_400

/** Flags for what is copied. Each choice is kept for later syncs until another is made. */
export const choiceFlags = {
  with: textFlag(
    'PARTS',
    'transports,refunds of all returns, or none; without it both, of what changed in 90 days',
  ),
  without: textFlag('FIELDS', 'Leave these fields out, by their paths: customer.phone,origin; "" for none'),
  keep: textFlag('DURATION', 'How long after their creation returns are kept: 400d by default, or forever'),
  'bank-details': switchFlag('Copy customerIban and accountHolderName, too', { allowNo: true }),
}

export type ChoiceFlags = Partial<FlagValues<typeof choiceFlags>>

export function readChoiceFlags(flags: ChoiceFlags, before: CopyChoices = DEFAULT_CHOICES): CopyChoices {
  const parts = flags.with === undefined ? undefined : readParts(flags.with)
  return {
    ...before,
    ...(parts && {
      transports: parts.includes('transports'),
      refunds: parts.includes('refunds'),
      detailDays: null,
    }),
    ...(flags.without === undefined ? {} : { without: readPaths(flags.without) }),
    ...(flags.keep === undefined ? {} : { keepDays: readKeep(flags.keep) }),
    bankDetails: flags['bank-details'] ?? before.bankDetails,
  }
}

function readParts(text: string) {
  const parts = text.split(',').map((part) => part.trim())
  const unknown = parts.find((part) => !PARTS.includes(part))
  if (unknown === undefined) return parts
  throw usageError(
    `--with: ${JSON.stringify(unknown)} is not one of ${PARTS.join(', ')}.`,
    ...nearHints(unknown, PARTS, (near) => `--with ${near}`),
  )
}

function readPaths(text: string) {
  const paths = text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
  const needed = paths.find((path) => ['id', 'name', 'createdAt', 'updatedAt', 'shopCode'].includes(path))
  if (needed === undefined) return [...new Set(paths)].sort()
  throw usageError(`--without: a mirror can't do without ${needed}.`)
}

function readKeep(text: string) {
  if (text === 'forever') return null
  const days = readDuration('--keep', text) / DAY_SECONDS
  if (days >= 1) return days
  throw usageError(`--keep: ${JSON.stringify(text)} is less than a day.`)
}

export function consequenceOf(before: CopyChoices, after: CopyChoices): 'nothing' | 'copy' | 'remove' {
  const isLess =
    (before.bankDetails && !after.bankDetails) || after.without.some((path) => !before.without.includes(path))
  if (isLess) return 'remove'
  const days = ({ keepDays }: CopyChoices) => keepDays ?? Number.POSITIVE_INFINITY
  const isMore =
    (after.bankDetails && !before.bankDetails) ||
    before.without.some((path) => !after.without.includes(path)) ||
    days(after) > days(before)
  return isMore ? 'copy' : 'nothing'
}
