import type { View } from '../../output/columns.ts'
import { aliasesView } from '../../output/views/aliases.ts'
import { authView } from '../../output/views/auth.ts'
import { resultsView } from '../../output/views/conformance.ts'
import { differencesView } from '../../output/views/differences.ts'
import { exportView } from '../../output/views/export.ts'
import { jobReportView, jobsView, mergedView } from '../../output/views/jobs.ts'
import {
  labelFilesView,
  labelSetsView,
  labelUpdateView,
  verifiedLabelsView,
} from '../../output/views/labels.ts'
import { mappedRowView, mappingView } from '../../output/views/mappings.ts'
import { methodsView } from '../../output/views/methods.ts'
import { forgetView, mirrorView, syncView } from '../../output/views/mirror.ts'
import { profilesView } from '../../output/views/profiles.ts'
import { pudosView } from '../../output/views/pudos.ts'
import { refundsView } from '../../output/views/refunds.ts'
import { returnsView } from '../../output/views/returns.ts'
import { advanceView, faultsView, playedView, requestsView } from '../../output/views/sandbox.ts'
import { searchView } from '../../output/views/search.ts'
import { statsView } from '../../output/views/stats.ts'
import { stuckView } from '../../output/views/stuck.ts'
import { timelineView } from '../../output/views/timeline.ts'
import { planView, trackingPushView } from '../../output/views/tracking.ts'
import { transportationsView } from '../../output/views/transportations.ts'

/** The view of each command, without a flag that chooses another. */
const VIEWS: Readonly<Record<string, View<never>>> = {
  'alias:list': aliasesView,
  'auth:status': authView,
  conformance: resultsView,
  'jobs:list': jobsView,
  'jobs:merge': mergedView,
  'jobs:resume': jobReportView,
  'jobs:retry': jobReportView,
  'jobs:show': jobsView,
  'labels:create': labelFilesView,
  'labels:download': labelFilesView,
  'labels:get': labelSetsView,
  'labels:print': labelFilesView,
  'labels:update': labelUpdateView,
  'labels:verify': verifiedLabelsView,
  'mappings:check': mappedRowView,
  'mappings:init': mappingView,
  'mappings:list': mappingView,
  'mappings:show': mappingView,
  'methods:calculate': methodsView,
  'mirror:forget': forgetView,
  'mirror:status': mirrorView,
  'mirror:sync': syncView,
  'profiles:list': profilesView,
  'profiles:show': profilesView,
  'pudos:search': pudosView(new WeakMap(), false),
  'returns:explain': timelineView,
  'returns:export': exportView,
  'returns:get': returnsView,
  'returns:list': returnsView,
  'returns:reconcile': differencesView,
  'returns:refunds': refundsView,
  'returns:stats': statsView,
  'returns:stuck': stuckView,
  'returns:transportations': transportationsView,
  'returns:watch': returnsView,
  'sandbox:advance': advanceView,
  'sandbox:faults': faultsView,
  'sandbox:play': playedView,
  'sandbox:requests': requestsView,
  search: searchView,
  'tracking:plan': planView,
  'tracking:push': trackingPushView,
}

/** For `--columns`, dotted paths included; none for a command that prints no table. */
export function columnNames(id: string): string[] {
  const view = Object.hasOwn(VIEWS, id) ? VIEWS[id] : undefined
  if (view === undefined) return []
  const names = [...view.columns, ...(view.extra ?? [])].map(({ name }) => name)
  return [...new Set([...names, ...(view.paths ?? [])])]
}
