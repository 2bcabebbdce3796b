import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { typed } from '../helpers/command-line.ts'
import { freshHome, root } from '../helpers/run-cli.ts'
import { startSandbox } from '../helpers/start-sandbox.ts'
import { valuesOf } from '../helpers/values-of.ts'

const folder = join(root, 'docs/kubernetes')
const manifests = readdirSync(folder).flatMap((name) =>
  parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => document.toJS()),
)
const found = (kind: string) => manifests.find((manifest) => manifest.kind === kind)

/** Modules of types by kind, generated from the published OpenAPI document. */
const TYPES: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'core/v1',
  Service: 'core/v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
}

const leaf = (ending: string) => join(root, `test/fixtures/tls/leaf.${ending}`)

mkdirSync(join(root, '.tmp'), { recursive: true })
const place = mkdtempSync(join(root, '.tmp/kubernetes-'))
afterAll(() => rmSync(place, { recursive: true }))

it('the manifests have the fields of Kubernetes, and no other', async () => {
  const text = manifests.map((manifest) => JSON.stringify(manifest))
  const broken = [
    'readOnlyRootFilesystem',
    'httpGet',
    'backoffLimitPerIndex',
    'activeDeadlineSeconds',
    'ttlSecondsAfterFinished',
    'targetPort',
    'accessModes',
  ].map((name) => (text.find((one) => one.includes(`"${name}"`)) ?? '').replace(`"${name}"`, `"${name}s"`))
  for (const [index, json] of [...text, ...broken].entries()) {
    const { kind } = JSON.parse(json)
    const source = `import type { ${kind} } from 'kubernetes-types/${TYPES[kind]}'\nexport const it: ${kind} = ${json}\n`
    writeFileSync(join(place, `${index}.ts`), source)
  }
  const options = { compilerOptions: { strict: true, noEmit: true, skipLibCheck: true, types: [] } }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(options))
  const tsc = promisify(execFile)(join(root, 'node_modules/.bin/tsc'), typed`--project ${place}`)
  const said = await tsc.catch((error) => error)
  const refused = new Set([...said.stdout.matchAll(/(\d+)\.ts\(/g)].map(([, index]) => Number(index)))
  expect(
    [...refused].sort((one, other) => one - other),
    said.stdout,
  ).toEqual(broken.map((_, index) => text.length + index))
})

it('the sandbox starts with what the manifest gives it, and its probes are answered', async () => {
  const [{ args, ports, ...container }] = found('Deployment').spec.template.spec.containers
  const here = (arg: string) =>
    arg
      .replace('0.0.0.0', '127.0.0.1')
      .replace('/tls/tls.crt', leaf('pem'))
      .replace('/tls/tls.key', leaf('key'))
  const [, , ...flags] = args.filter((arg: string) => !arg.startsWith('--port=')).map(here)
  expect(args.slice(0, 2)).toEqual(['sandbox', 'start'])
  const sandbox = await startSandbox(freshHome(), ...flags)
  for (const name of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    const { path, port, scheme } = container[name].httpGet
    expect([scheme, port]).toEqual(['HTTPS', ports[0].name])
    const status = await new Promise((resolve, reject) => {
      const url = new URL(path, sandbox.baseUrl)
      request(url, { rejectUnauthorized: false }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect([name, status]).toEqual([name, 200])
  }
  expect(ports[0].containerPort).toBe(Number(args.join(' ').match(/--port=(\d+)/)?.[1]))
  await sandbox.stop()
})

it('names used in one place of the manifests exist in the other', () => {
  for (const { kind, spec } of [found('Deployment'), found('Job')]) {
    const pod = spec.template.spec
    const [container] = pod.containers
    const volumes = valuesOf(pod.volumes, 'name')
    expect(volumes).toEqual(expect.arrayContaining(valuesOf(container.volumeMounts, 'name')))
    const claims = manifests
      .filter((one) => one.kind === 'PersistentVolumeClaim')
      .map(({ metadata }) => metadata.name)
    const wanted = pod.volumes.flatMap((volume: { persistentVolumeClaim?: { claimName: string } }) =>
      volume.persistentVolumeClaim === undefined ? [] : [volume.persistentVolumeClaim.claimName],
    )
    expect([kind, claims]).toEqual([kind, expect.arrayContaining(wanted)])
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod.securityContext.runAsNonRoot).toBe(true)
  }
  const { selector, ports } = found('Service').spec
  expect(found('Deployment').spec.template.metadata.labels).toEqual(selector)
  expect(ports[0].targetPort).toBe('https')
  const { completions, parallelism, template } = found('Job').spec
  expect(template.spec.containers[0].args[0]).toContain(`--shard "$part/${completions}"`)
  expect(parallelism).toBe(completions)
  expect(readFileSync(join(root, 'docs/containers.md'), 'utf8')).toContain(
    template.spec.containers[0].args[0],
  )
})
