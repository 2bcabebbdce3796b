import type { CheckResult } from './run.ts'

/**
 * A suite an area, a case a check. `differs` is a failure if `strict`, else skipped, which CI does not show in red.
 */
export function junitXml(
  results: readonly CheckResult[],
  { strict, target }: { strict: boolean; target: string },
): string {
  const areas = new Map<string, CheckResult[]>()
  for (const result of results) {
    const area = areaOf(result)
    areas.set(area, [...(areas.get(area) ?? []), result])
  }
  const suites = [...areas].map(([area, cases]) =>
    element(
      'testsuite',
      { name: area, ...counts(cases, strict) },
      cases.map((result) => testCase(result, strict)),
    ),
  )
  const name = `rma conformance of ${target}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...counts(results, strict) }, suites)}\n`
}

const areaOf = ({ id }: CheckResult) => id.split('.')[0] ?? id

function isFailure({ verdict }: CheckResult, strict: boolean): boolean {
  return verdict === 'fail' || (verdict === 'differs' && strict)
}

function counts(results: readonly CheckResult[], strict: boolean) {
  const failures = results.filter((result) => isFailure(result, strict)).length
  const unfinished = results.filter(({ verdict }) => verdict !== 'pass').length
  const ms = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return {
    tests: results.length,
    failures,
    errors: 0,
    skipped: unfinished - failures,
    time: (ms / 1000).toFixed(3),
  }
}

function testCase(result: CheckResult, strict: boolean): string {
  const { id, specified, source, basis, observed, verdict, durationMs } = result
  const said = `${basis === 'spec' ? source : `${source}, assumed`}: ${specified}`
  const attributes = { classname: areaOf(result), name: id, time: (durationMs / 1000).toFixed(3) }
  const children = [
    ...(isFailure(result, strict)
      ? [element('failure', { message: observed, type: verdict }, [text(said)])]
      : verdict === 'pass'
        ? []
        : [element('skipped', { message: `${verdict}: ${observed}` }, [])]),
    element('system-out', {}, [text(`${said}\nobserved: ${observed}`)]),
  ]
  return element('testcase', attributes, children)
}

function element(
  name: string,
  attributes: Record<string, string | number>,
  children: readonly string[],
): string {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(String(value))}"`)
  return children.length === 0
    ? `<${name}${head.join('')}/>`
    : `<${name}${head.join('')}>${children.join('')}</${name}>`
}

/** XML 1.0 can't hold most control characters or lone surrogates. */
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

function text(raw: string): string {
  return raw.replace(UNWRITABLE, '\ufffd').replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? '')
}
