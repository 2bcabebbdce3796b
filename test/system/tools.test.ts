import { expect, it } from 'vitest'
import { usePlatform } from '../helpers/platform.ts'
import { shell, spawnEnv } from '../helpers/spawn-cli.ts'

/** Output of rma, read by independent programs. */
const platform = usePlatform({ returns: 60 })
const env = () => spawnEnv(platform.env())

async function lines(script: string, interpreter = 'bash', stdin?: string) {
  const { code, stdout, stderr } = await shell(
    script,
    { env: env(), ...(stdin === undefined ? {} : { stdin }) },
    interpreter,
  )
  // A command that takes seconds on a busy machine tells how far it is.
  expect([code, stderr.replace(/^Reading .*\n/gm, '')]).toEqual([0, ''])
  return stdout.trimEnd().split('\n')
}

it('JSON and NDJSON hold the same according to jq', async () => {
  const json = await lines("rma returns list --all --json | jq -c '.returns[]'")
  const ndjson = await lines('rma returns list --all -o ndjson | jq -c .')
  expect(json).toHaveLength(60)
  expect(ndjson).toEqual(json)
})

it.each([
  '.returns[].name',
  '.pageInfo',
  '[.returns[] | select(.status == "CLOSED") | .totalRefund] | add',
  '.returns | length',
  '.returns[0] | keys',
])('--jq %s gives what jq gives', async (expression) => {
  const ours = await lines(
    `rma returns list --all --jq '${expression}' | jq -c . 2>/dev/null || rma returns list --all --jq '${expression}'`,
  )
  const theirs = await lines(
    `rma returns list --all --json | jq -r '${expression}' | jq -c . 2>/dev/null || rma returns list --all --json | jq -r '${expression}'`,
  )
  expect(ours).toEqual(theirs)
})

it('CSV, YAML and JSON hold the same according to Python', async () => {
  const script = `
rma returns list --all --json > "$HOME/a.json"
rma returns list --all -o yaml > "$HOME/a.yaml"
rma returns list --all -o csv --columns id,customer.fullName,totalRefund > "$HOME/a.csv"
python3 - <<'PY'
import csv, json, os, yaml
home = os.environ['HOME']
returns = json.load(open(home + '/a.json'))['returns']
class Loader(yaml.SafeLoader): pass
assert yaml.load(open(home + '/a.yaml'), Loader)['returns'] == returns
rows = list(csv.DictReader(open(home + '/a.csv', newline='', encoding='utf-8')))
assert [row['id'] for row in rows] == [one['id'] for one in returns]
assert [row['customer.fullName'] for row in rows] == [one['customer']['fullName'] for one in returns]
assert [float(row['totalRefund']) for row in rows] == [one['totalRefund'] for one in returns]
print(len(rows))
PY`
  expect(await lines(script)).toEqual(['60'])
})

it('openpyxl, which pandas reads with, opens an exported workbook without a warning', async () => {
  const script = `
rma -q returns export --out "$HOME/a.xlsx" > "$HOME/summary.txt"
rma returns list --all --jq .returns[].name > "$HOME/names.txt"
/usr/bin/python3 - <<'PY'
import datetime, openpyxl, os
home = os.environ['HOME']
header, *rows = openpyxl.load_workbook(home + '/a.xlsx')['returns'].values
assert sorted(row[header.index('name')] for row in rows) == sorted(open(home + '/names.txt').read().split())
assert all(isinstance(row[header.index('created_at')], datetime.datetime) for row in rows)
print(len(rows))
PY`
  expect(await lines(script)).toEqual(['60'])
})

it.each([
  ['bash', 'while read -r line; do rma -q returns list --limit 1 >/dev/null; echo "$line"; done'],
  ['zsh', 'while read -r line; do rma -q returns list --limit 1 >/dev/null; echo "$line"; done'],
  ['fish', 'while read -l line; rma -q returns list --limit 1 >/dev/null; echo "$line"; end'],
])('a loop in %s keeps its lines', async (interpreter, script) => {
  expect(await lines(script, interpreter, 'one\ntwo\nthree\n')).toEqual(['one', 'two', 'three'])
})

it('pipefail in bash sees success when the reader leaves early', async () => {
  expect(
    await lines('set -o pipefail; rma returns list --all -o ndjson | head -n 1 >/dev/null; echo $?'),
  ).toEqual(['0'])
})

it('tmux shows the table, and the prompt below it', async () => {
  const script = `
session="rma-$$"
tmux -L "$session" new-session -d -x 100 -y 30 "\\"$NODE_BIN\\" \\"$RMA_BIN\\" returns list --limit 3; echo \\"exit \\$?\\"; cat"
for _ in $(seq 600); do tmux -L "$session" capture-pane -p | grep -q '^exit' && break; sleep 0.1; done
tmux -L "$session" capture-pane -p
tmux -L "$session" kill-server`
  const screen = (await lines(script)).filter((line) => line !== '')
  expect(screen[0]).toMatch(/^NAME/)
  expect(screen.slice(4)).toEqual([
    'Not shown at this width: items, transport; --columns shows them',
    '3 of 60; --all for the rest',
    'exit 0',
  ])
})
