
import { MODELS, casesOf } from './test/helpers/pace/cases.ts'
import { simulate } from './test/helpers/pace/simulation.ts'
import { misses } from './test/helpers/pace/table.ts'
export { MODELS, casesOf, simulate, misses }
