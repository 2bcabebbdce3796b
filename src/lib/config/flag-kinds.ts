import { Flags, type Interfaces } from '@oclif/core'

type More = Partial<
  Pick<Interfaces.OptionFlag<string>, 'char' | 'dependsOn' | 'exclusive' | 'multipleNonGreedy' | 'options'>
>

export const textFlag = (helpValue: string, summary: string, more: More = {}) =>
  Flags.string({ helpValue, summary, ...more })
export const listFlag = (helpValue: string, summary: string, more: More = {}) =>
  Flags.string({ helpValue, summary, multiple: true, ...more })
export const defaultedFlag = (helpValue: string, value: string, summary: string) =>
  Flags.string({ helpValue, summary, default: value })
export const countFlag = (helpValue: string, summary: string, max?: number) =>
  Flags.integer({ helpValue, summary, min: 1, max })
export const switchFlag = (summary: string, more: Omit<More, 'options'> & { allowNo?: boolean } = {}) =>
  Flags.boolean({ summary, ...more })

export type FlagValues<F extends Interfaces.FlagInput> = Interfaces.InferredFlags<F>
