import { expect, it } from 'vitest'
import { chosenLabels } from '../../../../src/lib/labels/printing/label-numbers.ts'

const labels = [{ number: 2 }, { number: 4 }]
const chosen = (only?: string, from?: number) =>
  chosenLabels(labels, { only, from }).map(({ number }) => number)

it('refuses any number missing from a part of a run, 1 included', () => {
  for (const only of ['1', '1-2', '2,1', '3']) {
    expect(() => chosen(only)).toThrow(/^There is no label [13]: the numbers are 2,4\.$/)
  }
  expect(() => chosen(undefined, 3)).toThrow('There is no label 3: the numbers are 2,4.')
})

it('chooses all labels by default, or those from a number on', () => {
  expect([chosen(), chosen(undefined, 1), chosen(undefined, 4), chosen('2-4')]).toEqual([
    [2, 4],
    [2, 4],
    [4],
    [2, 4],
  ])
})
