import { join } from 'node:path'
import { type AuditLink, auditLinks, type BrokenLink, verifyAudit } from '../../audit/read.ts'
import { findJob } from '../../bulk/job/job-folder.ts'
import type { Context } from '../../cli/context.ts'
import { appError } from '../../errors.ts'
import { digestFile } from '../../files/file-digest.ts'
import { counted } from '../../wire/counted.ts'
import { brokenLinksView } from './audit.result.ts'

/** Compares lines with their chains and with journals. @throws AppError `partial` */
export async function checkAudit(context: Context) {
  const dir = context.audit.dir
  const { broken, ...counts } = await verifyAudit(dir)
  for await (const link of auditLinks(dir))
    broken.push(...(await journalProblem(join(context.paths.dataDir, 'jobs'), link)))
  const envelope = { before: counts, key: 'broken' }
  const empty = `${counted(counts.lines, 'line')} of ${counted(counts.chains, 'run')}, all as they were written`
  await context.render({ kind: 'list', items: broken, view: { ...brokenLinksView, empty }, envelope })
  const [first] = broken
  if (first === undefined) return
  const where = first.line === null ? first.file : `${first.file}, line ${first.line}`
  throw appError(
    'partial',
    `The audit log is broken: ${where}: ${first.message}.`,
    `compare it with a backup: ${dir}`,
  )
}

/** Pruned jobs have no journal. */
async function journalProblem(jobsDir: string, { file, line, entry }: AuditLink): Promise<BrokenLink[]> {
  if (entry?.type !== 'ended' || !entry.journal) return []
  const { jobId, bytes, sha256 } = entry.journal
  const job = await findJob(jobsDir, jobId).catch(() => undefined)
  if (job === undefined || job === 'unmade') return []
  const digest = await digestFile(job.journalPath, bytes)
  if (typeof digest === 'object' && digest.sha256 === sha256) return []
  return [{ file, line, message: `the journal of the job ${jobId} is not what this line says` }]
}
