import { Args } from '@oclif/core'

/** How a return can be named, for descriptions. */
export const RETURN_FORMS =
  'R#-LU105189, or LU105189 alone; an id, a client reference, the id of a label, a tracking code'

/** The return that a command is about. */
export const returnArg = Args.string({ description: RETURN_FORMS, required: true, ignoreStdin: true })
