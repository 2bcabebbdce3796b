import { shapeOf } from './fields.ts'
import { labelSetSchema } from './labels.ts'
import { methodExplanationSchema, returnMethodSchema } from './methods.ts'
import { pudoResultSchema } from './pudos.ts'
import { refundSchema } from './refunds.ts'
import { pageInfoSchema, returnSchema } from './returns.ts'
import { errorBodySchema } from './tracking.ts'
import { transportationSchema } from './transportations.ts'

// The build stores this data, so that answers are read without zod.
export const errorBodyShape = shapeOf(errorBodySchema)
export const labelSetShape = shapeOf(labelSetSchema)
export const methodExplanationShape = shapeOf(methodExplanationSchema)
export const pageInfoShape = shapeOf(pageInfoSchema)
export const pudoResultShape = shapeOf(pudoResultSchema)
export const refundShape = shapeOf(refundSchema)
export const returnMethodShape = shapeOf(returnMethodSchema)
export const returnShape = shapeOf(returnSchema)
export const transportationShape = shapeOf(transportationSchema)
