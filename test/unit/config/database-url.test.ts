import { expect, it } from 'vitest'
import {
  databaseUrlProblem,
  parseDatabaseUrl,
  shownDatabaseUrl,
} from '../../../src/lib/config/database-url.ts'

it('reads the parts of an address', () => {
  expect(parseDatabaseUrl('postgres://ops:p%40ss@db.example.com:6432/returns?schema=team')).toEqual({
    host: 'db.example.com',
    port: 6432,
    user: 'ops',
    password: 'p@ss',
    database: 'returns',
    schema: 'team',
    isLocal: false,
  })
  expect(parseDatabaseUrl('postgresql:///returns')).toMatchObject({
    host: 'localhost',
    port: 5432,
    isLocal: true,
  })
})

it.each([
  ['postgres://127.0.0.1/x', true],
  ['postgres://[::1]/x', true],
  ['postgres:///x?host=/run/postgresql', true],
  ['postgres://10.0.0.5/x', false],
  ['postgres://localhost.example.com/x', false],
  ['postgres://127.0.0.1/x?host=db.example.com', false],
])('%s stays on this machine: %s', (url, expected) => {
  expect(parseDatabaseUrl(url).isLocal).toBe(expected)
})

it.each([
  ['db.example.com', 'is not the address of a database'],
  ['mysql://db.example.com/x', 'must start with postgres'],
  ['postgres://db.example.com/x?sslmode=disable', /parameter sslmode.*TLS needs none/],
  ['postgres://db.example.com/x?schema=a;b', 'not a plain name'],
])('refuses %s', (url, expected) => {
  expect(databaseUrlProblem(url)).toMatch(expected)
})

it('shows no password', () => {
  expect(shownDatabaseUrl('postgres://ops:secret@db.example.com/x')).toBe('postgres://ops@db.example.com/x')
})
